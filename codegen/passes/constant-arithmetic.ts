/** [codegen/passes] Exact results of elementwise functions on constants, for the dtypes and functions where every target agrees. Rewriting lives in fold-constants.ts. */
import type { BinaryFn, CompareFn, DType, UnaryFn } from "../../dsl/index.ts";

/** Result in the dtype's own range: i32 and u32 wrap, f32 rounds to nearest even. */
function wrap(value: number, dtype: DType): number | undefined {
  switch (dtype) {
    case "i32":
      return value | 0;
    case "u32":
      return value >>> 0;
    case "f32":
      return Math.fround(value);
    default:
      return undefined;
  }
}

/** Maximum or minimum; the other operand where one is NaN. */
function extreme(fn: "min" | "max", a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  if (Number.isNaN(b)) return a;
  return fn === "min" ? Math.min(a, b) : Math.max(a, b);
}

function foldInteger(fn: BinaryFn, a: number, b: number, dtype: DType): number | undefined {
  switch (fn) {
    case "floordiv":
      return b === 0 ? undefined : wrap(Math.floor(a / b), dtype);
    case "mod":
      return b === 0 ? undefined : wrap(a - Math.floor(a / b) * b, dtype);
    case "mul":
      return wrap(Math.imul(a, b), dtype);
    case "and":
      return wrap(a & b, dtype);
    case "or":
      return wrap(a | b, dtype);
    case "xor":
      return wrap(a ^ b, dtype);
    case "shl":
      return wrap(a << (b & 31), dtype);
    case "shr":
      return wrap(dtype === "u32" ? a >>> (b & 31) : a >> (b & 31), dtype);
    default:
      return undefined;
  }
}

/** `a fn b`, or undefined where it is not folded: transcendental results differ in the last bit, division by zero is the program's affair. */
export function foldBinary(fn: BinaryFn, a: number, b: number, dtype: DType): number | undefined {
  if (dtype === "bool") {
    if (fn === "and") return a & b;
    if (fn === "or") return a | b;
    return fn === "xor" ? a ^ b : undefined;
  }
  if (dtype !== "f32" && dtype !== "i32" && dtype !== "u32") return undefined;
  switch (fn) {
    case "add":
      return wrap(a + b, dtype);
    case "sub":
      return wrap(a - b, dtype);
    case "min":
    case "max":
      return extreme(fn, a, b);
    default:
  }
  if (dtype !== "f32") return foldInteger(fn, a, b, dtype);
  if (fn === "mul") return wrap(a * b, dtype);
  return fn === "div" ? wrap(a / b, dtype) : undefined;
}

export function foldUnary(fn: UnaryFn, x: number, dtype: DType): number | undefined {
  if (fn === "not" && dtype === "bool") return x === 0 ? 1 : 0;
  if (dtype !== "f32" && dtype !== "i32") return undefined;
  if (fn === "neg") return dtype === "i32" ? -x | 0 : -x;
  if (fn === "abs") return dtype === "i32" ? Math.abs(x) | 0 : Math.abs(x);
  return undefined;
}

export function foldCompare(fn: CompareFn, a: number, b: number): number {
  switch (fn) {
    case "lt":
      return Number(a < b);
    case "le":
      return Number(a <= b);
    case "gt":
      return Number(a > b);
    case "ge":
      return Number(a >= b);
    case "eq":
      return Number(a === b);
    case "ne":
      return Number(a !== b);
    default:
      return fn satisfies never;
  }
}

/** Conversion by value between the 32-bit dtypes and from bool. */
export function foldCast(x: number, from: DType, to: DType): number | undefined {
  const known = ["f32", "i32", "u32", "bool"];
  if (!known.includes(from) || !known.includes(to)) return undefined;
  if (to === "bool") return Number(x !== 0);
  if (from !== "f32") return wrap(x, to);
  if (to === "f32") return x;
  if (Number.isNaN(x)) return 0;
  const [low, high] = to === "i32" ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  return Math.min(high, Math.max(low, Math.trunc(x))) + 0;
}
