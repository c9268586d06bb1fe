/** [dsl] The door of the language room: what the other rooms and users may import. */
export * from "./core/dtype.ts";
export * from "./core/errors.ts";
export * from "./core/flags.ts";
export * from "./core/hash.ts";
export * from "./core/location.ts";
export * from "./definition.ts";
export * from "./ir/nodes.ts";
export * from "./ir/primitives.ts";
export * from "./ir/types.ts";
