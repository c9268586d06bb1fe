/** [test/support] Numbers of the thread executor: casts, bits, and functions that JavaScript lacks. */

import { bf16Bits, bf16Value, f16Bits, f16Table, roundTo } from "../../../dsl/core/rounding.ts";
import type { DType } from "../../../dsl/index.ts";
import { DTYPES } from "../../../dsl/index.ts";

export { erf, mulhi, roundEven } from "../../../dsl/interpreter/library.ts";

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

export function exp2(x: number): number {
  return 2 ** x;
}

export function rsqrt(x: number): number {
  return 1 / Math.sqrt(x);
}

export function floordiv(a: number, b: number): number {
  if (b === 0) throw new Error("division by zero");
  return Math.floor(a / b);
}

export function mod(a: number, b: number): number {
  return a - floordiv(a, b) * b;
}

/** The other operand where one is NaN. */
export function min(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : Math.min(a, b);
}

export function max(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : Math.max(a, b);
}

function toInt(x: number, least: number, most: number): number {
  if (Number.isNaN(x)) return 0;
  return Math.min(most, Math.max(least, Math.trunc(x)));
}

/** By value: floats to integers truncate and saturate, everything else rounds or wraps to the type. */
export function cast(from: DType, to: DType, x: number): number {
  const target = DTYPES[to];
  if (DTYPES[from].kind !== "float" || target.kind !== "int") return roundTo(to, x);
  const bits = target.bits;
  return target.signed
    ? toInt(x, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    : toInt(x, 0, 2 ** bits - 1);
}

export function bitcast(from: DType, to: DType, x: number): number {
  if (from === "f32") f32[0] = x;
  else u32[0] = x >>> 0;
  const bits = u32[0] ?? 0;
  if (to === "f32") return f32[0] ?? 0;
  return to === "i32" ? bits | 0 : bits;
}

/** Bits of a 16-bit value. */
export function bits16(type: DType, x: number): number {
  return type === "bf16" ? bf16Bits(x) : f16Bits(x);
}

export function value16(type: DType, bits: number): number {
  return type === "bf16" ? bf16Value(bits) : (f16Table()[bits] ?? 0);
}

export function pack(type: DType, lo: number, hi: number): number {
  return (bits16(type, lo) | (bits16(type, hi) << 16)) >>> 0;
}
