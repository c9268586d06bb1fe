/** [dsl/ir] The closed lists of elementwise and reduction functions. Every target spells each one, checked by tsc. */

/** Elementwise functions of one argument. Float: result in the operand's dtype. `not`: bool or int (bitwise). */
export type UnaryFn =
  | "neg"
  | "not"
  | "abs"
  | "exp"
  | "exp2"
  | "log"
  | "log2"
  | "sqrt"
  | "rsqrt"
  | "sin"
  | "cos"
  | "tanh"
  | "erf"
  | "floor"
  | "ceil"
  | "round";

/**
 * Elementwise functions of two arguments of one dtype.
 * `div` floats only; `floordiv` and `mod` round towards minus infinity (`mod` has the sign of the divisor), ints only;
 * `min` and `max` return the other operand when one is NaN; `shl`/`shr` take counts modulo the width, `shr` keeps the sign of i32;
 * `and`, `or`, `xor` on ints and bools; `mulhi` the upper 32 bits of a u32 product.
 */
export type BinaryFn =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "floordiv"
  | "mod"
  | "min"
  | "max"
  | "and"
  | "or"
  | "xor"
  | "shl"
  | "shr"
  | "mulhi";

/** Ordered comparisons: false when an operand is NaN, but `ne` is true. */
export type CompareFn = "lt" | "le" | "gt" | "ge" | "eq" | "ne";

/** `any` and `all` on bool. Empty axis: sum 0, max -inf (or the least int), min +inf (or the greatest), any false, all true. */
export type ReduceFn = "sum" | "max" | "min" | "any" | "all";

/** Index of the first extreme element along an axis, i32; NaN is never the extreme unless all are NaN (then 0). */
export type ArgReduceFn = "argmax" | "argmin";

export type ScanFn = "sum" | "max";

/**
 * `arrive`: counts one program at an i32 counter; 1 for the one that makes it the value given, which sets it back to 0, else 0. What a program
 * stored before it arrives, the last one reads after.
 */
export type AtomicFn = "add" | "max" | "min" | "arrive";

export const UNARY_FNS: readonly UnaryFn[] = [
  "neg",
  "not",
  "abs",
  "exp",
  "exp2",
  "log",
  "log2",
  "sqrt",
  "rsqrt",
  "sin",
  "cos",
  "tanh",
  "erf",
  "floor",
  "ceil",
  "round",
];
export const BINARY_FNS: readonly BinaryFn[] = [
  "add",
  "sub",
  "mul",
  "div",
  "floordiv",
  "mod",
  "min",
  "max",
  "and",
  "or",
  "xor",
  "shl",
  "shr",
  "mulhi",
];
export const COMPARE_FNS: readonly CompareFn[] = ["lt", "le", "gt", "ge", "eq", "ne"];
export const REDUCE_FNS: readonly ReduceFn[] = ["sum", "max", "min", "any", "all"];
