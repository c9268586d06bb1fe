/** [dsl/core] The one place that says how far a computed tensor may be from its reference, by dtype and reduction length. */
import { DTYPES, type DType } from "./dtype.ts";

/**
 * How the elements of an output are compared.
 * `exact`: equal numbers, NaN equal to NaN, 0 equal to -0.
 * `rounding`: floats that are rounded on the way, within `roundingBound`.
 * `choice`: element i must be one of `allowed[i]`, for indices picked among near ties.
 */
export type Tolerance =
  | { readonly kind: "exact" }
  | RoundingTolerance
  | { readonly kind: "choice"; readonly allowed: readonly (readonly number[])[] };

export interface RoundingTolerance {
  readonly kind: "rounding";
  /** Terms in the longest sum that an element depends on; 1 where there is none. */
  readonly length: number;
  /** Narrowest dtype that a term of the sum is rounded to on the way; absent where everything is f32. */
  readonly inner?: DType;
  /** Sum of the magnitudes of the terms where they cancel; the largest finite |expected| of the tensor where absent. */
  readonly scale?: number;
}

export interface RoundingBound {
  readonly relative: number;
  readonly absolute: number;
}

/** Where a tensor differs from its reference. */
export interface Mismatch {
  readonly index: number;
  readonly actual: number;
  readonly expected: number;
  /** The bound that was exceeded; 0 for exact comparison. */
  readonly bound: number;
}

export interface Comparison {
  readonly count: number;
  readonly mismatches: number;
  /** The first few mismatches, in index order. */
  readonly first: readonly Mismatch[];
  /** Largest |actual - expected| / bound over elements with a nonzero bound; above 1 is a mismatch. */
  readonly worst: number;
}

/** Significand bits with the hidden one, by float dtype. */
const PRECISION: Readonly<Partial<Record<DType, number>>> = {
  f32: 24,
  f16: 11,
  bf16: 8,
  f8e4m3: 4,
  f8e5m2: 3,
  f8e8m0: 1,
  f4e2m1: 2,
};
/** Smallest positive number, by float dtype; for nf4 the widest step. */
const TINIEST: Readonly<Partial<Record<DType, number>>> = {
  f32: 2 ** -126,
  f16: 2 ** -24,
  bf16: 2 ** -126,
  f8e4m3: 2 ** -9,
  f8e5m2: 2 ** -16,
  f8e8m0: 2 ** -127,
  f4e2m1: 0.5,
  nf4: 0.304,
};
const MISMATCHES_SHOWN = 4;

/** Largest relative error of one rounding to nearest: 2^-p for p significand bits; 0 for integers. */
export function unitRoundoff(dtype: DType): number {
  const precision = PRECISION[dtype];
  return precision === undefined ? 0 : 2 ** -precision;
}

/**
 * Bounds for an output of `dtype`: |actual - expected| ≤ relative · |expected| + absolute, with u(d) the unit roundoff of d,
 * - relative = 2·u(dtype) + 16·u(f32): both sides round once and may end on neighbouring numbers; the rest is for functions
 *   that devices approximate (rsqrt, exp2, division: a few units in the last place);
 * - absolute = scale · (u(f32)·(32 + 2·√length) + 2·u(inner)) + tiniest(dtype): rounding errors of a sum of n terms, in any
 *   order, stay below a small multiple of √n·u times the sum of magnitudes with overwhelming probability; 32 units are for the
 *   arguments of exponentials; `inner` covers terms that are rounded to a narrow dtype (probabilities in attention); the last is
 *   one step among subnormal numbers (f32 and bf16: devices may flush them to zero).
 * A missing or doubled term is far outside: it is about scale / length.
 * @source Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41 (2019), theorem 2.4
 */
export function roundingBound(
  tolerance: RoundingTolerance,
  dtype: DType,
  scale: number,
): RoundingBound {
  const single = unitRoundoff("f32");
  const inner =
    tolerance.inner === undefined || tolerance.inner === "f32"
      ? 0
      : 2 * unitRoundoff(tolerance.inner);
  return {
    relative: 2 * unitRoundoff(dtype) + 16 * single,
    absolute:
      scale * (single * (32 + 2 * Math.sqrt(tolerance.length)) + inner) + (TINIEST[dtype] ?? 0),
  };
}

/** The largest finite magnitude, 0 for an empty or all-NaN tensor. */
export function largestMagnitude(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (Number.isFinite(magnitude) && magnitude > largest) largest = magnitude;
  }
  return largest;
}

/**
 * Compares a whole output with its reference.
 * NaN must meet NaN and infinities must be equal, so poison that should survive is checked too.
 * @param dtype of the output
 */
export function compareTensors(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  dtype: DType,
  tolerance: Tolerance,
): Comparison {
  const boundOf = boundFunction(expected, dtype, tolerance);
  const first: Mismatch[] = [];
  let mismatches = 0;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const want = expected[i] ?? Number.NaN;
    const got = i < actual.length ? (actual[i] ?? Number.NaN) : Number.NaN;
    const bound = boundOf(want);
    const error = Math.abs(got - want);
    if (bound > 0 && Number.isFinite(error)) worst = Math.max(worst, error / bound);
    if (isAccepted(got, want, error, bound, tolerance, i)) continue;
    mismatches++;
    if (first.length < MISMATCHES_SHOWN)
      first.push({ index: i, actual: got, expected: want, bound });
  }
  if (actual.length !== expected.length) mismatches++;
  return { count: expected.length, mismatches, first, worst };
}

/** One line: how many elements differ, and the first of them with their place in the tensor. */
export function formatComparison(
  name: string,
  shape: readonly number[],
  comparison: Comparison,
): string {
  const shown = comparison.first.map(
    (m) =>
      `${name}[${unravel(m.index, shape).join(", ")}]: seen ${m.actual}, expected ${m.expected} ± ${m.bound.toPrecision(2)}`,
  );
  return [
    `${name}: ${comparison.mismatches} of ${comparison.count} elements differ`,
    ...shown,
  ].join("\n  ");
}

function boundFunction(
  expected: ArrayLike<number>,
  dtype: DType,
  tolerance: Tolerance,
): (want: number) => number {
  if (tolerance.kind !== "rounding" || DTYPES[dtype].kind !== "float") return () => 0;
  const scale = tolerance.scale ?? largestMagnitude(expected);
  const { relative, absolute } = roundingBound(tolerance, dtype, scale);
  return (want) => (Number.isFinite(want) ? relative * Math.abs(want) + absolute : 0);
}

function isAccepted(
  got: number,
  want: number,
  error: number,
  bound: number,
  tolerance: Tolerance,
  index: number,
): boolean {
  if (tolerance.kind === "choice") return tolerance.allowed[index]?.includes(got) ?? got === want;
  if (Number.isNaN(want)) return Number.isNaN(got);
  if (!Number.isFinite(want)) return got === want;
  return error <= bound;
}

function unravel(index: number, shape: readonly number[]): readonly number[] {
  const coordinates: number[] = [];
  let rest = index;
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d] ?? 1;
    coordinates.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return coordinates;
}
