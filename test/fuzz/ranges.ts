/** [test/fuzz] Arithmetic on what is known of values: which ops stay exact on every backend, and how errors of the others grow. */
import { DTYPES, type DType } from "../../dsl/index.ts";
import type { Range } from "./program.ts";

/** Bits of a sum in f32. */
const EXACT_BITS = 24;
/** Largest magnitude, as a power of two, that no rounding may carry past the greatest finite value. */
const MOST_BITS: Readonly<Partial<Record<DType, number>>> = {
  f32: 30,
  f16: 14,
  bf16: 30,
  f8e4m3: 8,
  f8e5m2: 14,
  i32: 30,
};
const LEAST_GRAIN: Readonly<Partial<Record<DType, number>>> = { f16: 20, f8e4m3: 9, f8e5m2: 15 };
/** By ascending precision. */
const NARROW: readonly DType[] = ["f8e5m2", "f8e4m3", "bf16", "f16"];
const MOST_ERROR = 24;

export function isFloatType(dtype: DType): boolean {
  return DTYPES[dtype].kind === "float";
}

export function isExact(range: Range): boolean {
  return range.error === undefined;
}

/** Range of integers of a narrow type after any arithmetic, which wraps. */
export function wrapped(dtype: DType): Range | undefined {
  if (dtype === "i8") return { bits: 7, grain: 0 };
  if (dtype === "u8") return { bits: 8, grain: 0 };
  return dtype === "u32" ? { bits: 32, grain: 0 } : undefined;
}

function narrower(a: DType | undefined, b: DType | undefined): DType | undefined {
  const place = (dtype: DType | undefined): number => {
    const at = dtype === undefined ? -1 : NARROW.indexOf(dtype);
    return at < 0 ? NARROW.length : at;
  };
  const found = NARROW[Math.min(place(a), place(b))];
  return found;
}

/**
 * A result of `dtype` that is computed in f32 and rounded once.
 * @returns its range, undefined where it could overflow or be rounded otherwise by other orders of evaluation
 */
export function rangeIn(dtype: DType, range: Range): Range | undefined {
  const always = wrapped(dtype);
  if (always !== undefined) return always;
  if (range.bits > (MOST_BITS[dtype] ?? 0)) return undefined;
  if (!isFloatType(dtype)) return range.grain > 0 ? undefined : range;
  const narrow = NARROW.includes(dtype);
  if (range.error === undefined) {
    const isSafe =
      range.bits + range.grain <= EXACT_BITS && range.grain <= (LEAST_GRAIN[dtype] ?? 24);
    return isSafe ? range : undefined;
  }
  // One more rounding to the narrow type: twice what there was, at the magnitude of the result at least.
  const error = Math.max(range.error, range.bits) + (narrow ? 1 : 0);
  const inner = narrower(range.inner, dtype);
  if (error > MOST_ERROR) return undefined;
  return { bits: range.bits, grain: 0, error, ...(inner === undefined ? {} : { inner }) };
}

function errorOf(parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function withError(
  bits: number,
  grain: number,
  error: number | undefined,
  sources: readonly Range[],
): Range {
  if (error === undefined) return { bits, grain };
  const inner = sources.map((range) => range.inner).reduce(narrower, undefined);
  return { bits, grain: 0, error, ...(inner === undefined ? {} : { inner }) };
}

export function added(a: Range, b: Range): Range {
  const error = errorOf([a.error, b.error]);
  const bits = Math.max(a.bits, b.bits) + 1;
  return withError(bits, Math.max(a.grain, b.grain), error && error + 1, [a, b]);
}

export function multiplied(a: Range, b: Range): Range {
  const error = errorOf([
    a.error === undefined ? undefined : a.error + b.bits + 1,
    b.error === undefined ? undefined : b.error + a.bits + 1,
  ]);
  return withError(a.bits + b.bits, a.grain + b.grain, error, [a, b]);
}

/** Either of two. */
export function joined(a: Range, b: Range): Range {
  const error = errorOf([a.error, b.error]);
  return withError(Math.max(a.bits, b.bits), Math.max(a.grain, b.grain), error, [a, b]);
}

/** Sum of `count` values. */
export function summed(range: Range, count: number): Range {
  const more = Math.ceil(Math.log2(Math.max(1, count)));
  const error = range.error === undefined ? undefined : range.error + more;
  return withError(range.bits + more, range.grain, error, [range]);
}

/** A function that devices approximate, with |f| ≤ 2^bits and |f'| ≤ 2^slope on the operand. */
export function approximated(range: Range, bits: number, slope: number): Range {
  const error = Math.max(bits + 1, (range.error ?? -EXACT_BITS) + slope);
  return withError(bits, 0, error, [range]);
}

/** Whether a value that is known by `a` may stand where one known by `b` stood. */
export function within(a: Range, b: Range): boolean {
  if (a.bits > b.bits) return false;
  if (b.error === undefined) return a.error === undefined && a.grain <= b.grain;
  if (a.error === undefined) return true;
  return a.error <= b.error && narrower(a.inner, b.inner) === b.inner;
}
