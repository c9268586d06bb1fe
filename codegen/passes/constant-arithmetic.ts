/** [codegen/passes] Exact results of elementwise functions on constants, for the dtypes and functions where every target agrees. Rewriting lives in fold-constants.ts. */
import {
  type BinaryFn,
  type CompareFn,
  type DType,
  roundTo,
  type UnaryFn,
} from "../../dsl/index.ts";

/** Result in the dtype's own range: i32 and u32 wrap, floats round to nearest even, narrow ones after f32. */
function wrap(value: number, dtype: DType): number | undefined {
  switch (dtype) {
    case "i32":
      return value | 0;
    case "u32":
      return value >>> 0;
    case "f32":
      return Math.fround(value);
    case "f16":
    case "bf16":
      return roundTo(dtype, Math.fround(value));
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
  if (!["f32", "f16", "bf16", "i32", "u32"].includes(dtype)) return undefined;
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
  if (dtype === "i32" || dtype === "u32") return foldInteger(fn, a, b, dtype);
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

/** Conversion by value between the 32-bit dtypes, from bool, and between f32 and the 16-bit floats. */
export function foldCast(x: number, from: DType, to: DType): number | undefined {
  if (from === "f32" && (to === "f16" || to === "bf16")) return roundTo(to, x);
  if (to === "f32" && (from === "f16" || from === "bf16")) return x;
  const known = ["f32", "i32", "u32", "bool"];
  if (!known.includes(from) || !known.includes(to)) return undefined;
  if (to === "bool") return Number(x !== 0);
  if (from !== "f32") return wrap(x, to);
  if (to === "f32") return x;
  if (Number.isNaN(x)) return 0;
  const [low, high] = to === "i32" ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  return Math.min(high, Math.max(low, Math.trunc(x))) + 0;
}

const words = new DataView(new ArrayBuffer(4));

/** The bits of a 32-bit number as another 32-bit dtype. Those of a NaN stay what they are: a number in JavaScript does not keep them. */
export function foldBitcast(x: number, from: DType, to: DType): number | undefined {
  if (from === "f32") words.setFloat32(0, x);
  else if (from === "i32" || from === "u32") words.setUint32(0, x >>> 0);
  else return undefined;
  if (to === "i32") return words.getInt32(0);
  if (to === "u32") return words.getUint32(0);
  const value = to === "f32" ? words.getFloat32(0) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}
