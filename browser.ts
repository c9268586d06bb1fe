/** [root] The public door for browsers: the language, the compiler and the devices that a browser has. No engine, nothing of Node. */
export * from "./codegen/index.ts";
export * from "./dsl/index.ts";
export * from "./runtime/index.ts";
