/** [dsl/kernels] Dtypes of cached keys and values, and problems of the kernels that read or write them. No kernel is defined here. */
import type { DType } from "../core/dtype.ts";
import { dtypeOf, forDTypes, type Problem } from "./define-kernel-entry.ts";

/** Dtypes of cached keys and values: those of activations, and bytes, which are half of 16 bits. */
export const CACHE_DTYPES = ["f32", "f16", "bf16", "f8e4m3"] as const;

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
