/** [dsl/kernels] Dtypes of cached keys and values, and problems of the kernels that read or write them. No kernel is defined here. */
import type { DType } from "../core/dtype.ts";
import { abs, bitcast, cast, max, maximum } from "../ops/catalogue.ts";
import type { DTypeArgument } from "../typing.ts";
import { dtypeOf, forDTypes, type Problem } from "./define-kernel-entry.ts";

/** Dtypes of cached keys and values: those of activations, and bytes, which are half of 16 bits. */
export const CACHE_DTYPES = ["f32", "f16", "bf16", "f8e4m3"] as const;

/** Whether a dtype of a kernel's arguments is this one. */
export function isDType(own: DTypeArgument, dtype: DType): boolean {
  return own === dtype;
}

/** Exponent bits of an f32, and the least power of two whose inverse is one as well, with room. */
const EXPONENT = 0x7f800000;
const LEAST_POWER = 2 ** -100;

/**
 * A power of two for each row of queries, such that the row divided by it is below 2 and fits f16: to 8 bits exactly what lies within 2^17 of
 * the largest, and to 2^-25 of it what does not.
 * @param qt `[GP, D]`
 * @returns f32 `[GP]`
 */
export function rowPowers(qt: number): number {
  const most = max(abs(cast(qt, "f32")), "D");
  return maximum(bitcast(bitcast(most, "i32") & EXPONENT, "f32"), LEAST_POWER);
}

/** Scales of keys and values in a problem: some numbers where the cache has 8 bits. */
export function cacheScales(problem: Problem): {
  readonly kScale: number;
  readonly vScale: number;
} {
  const hasBytes = dtypeOf(problem, "C") === "f8e4m3";
  return hasBytes ? { kScale: 0.375, vScale: 1.5 } : { kScale: 1, vScale: 1 };
}

/** Problems of kernels whose cache has a dtype `C` of its own, here that of activations. */
export function inOwnDType(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => ({
    ...problem,
    dtypes: { ...problem.dtypes, C: dtypeOf(problem, "T") },
  }));
}

/** The same with a cache of f8e4m3. */
export function inBytes(
  activations: readonly DType[],
  problems: readonly Omit<Problem, "dtypes">[],
): readonly Problem[] {
  return forDTypes("T", activations, problems).map((problem) => ({
    ...problem,
    name: `${problem.name}, C=f8e4m3`,
    dtypes: { ...problem.dtypes, C: "f8e4m3" },
  }));
}
