/** [root] The public door: the language, the compiler, the runtime and the engine. */
export * from "./codegen/index.ts";
export * from "./dsl/index.ts";
export * from "./engine/index.ts";
export * from "./runtime/index.ts";
