/** [runtime/autotune] What is tuned, seen as a benchmark problem: sizes alone, or the arguments of a launch. Allocates nothing. */
import {
  type DType,
  isDType,
  type KernelDefinition,
  type Specialization,
} from "../../dsl/index.ts";
import type { ArgumentSet } from "../bench/contender.ts";
import { type BenchProblem, type CompleteProblem, completeProblem } from "../bench/problem.ts";
import type { KernelArgument, Tensor } from "../device.ts";
import { isTensor } from "../launch-errors.ts";

export type TuneArguments = Readonly<Record<string, KernelArgument>>;

export interface TuneProblem {
  readonly problem: CompleteProblem;
  /** Tensors of the caller, whose contents the candidates are run on; absent where they are made. */
  readonly given: ArgumentSet | undefined;
}

/** Whether sizes were given, not the arguments of a launch. */
export function isProblem(on: TuneArguments | BenchProblem): on is BenchProblem {
  const dims: unknown = "dims" in on ? on.dims : undefined;
  return typeof dims === "object" && dims !== null && !isTensor(dims);
}

/**
 * @param on sizes, or the arguments of a launch that fit the kernel
 * @throws LaunchError TW3301, TW3302 for sizes and dtypes that the kernel does not have
 */
export function tuneProblem(
  kernel: KernelDefinition,
  on: TuneArguments | BenchProblem,
  { dtypes, functions }: Pick<Specialization, "dtypes" | "functions"> = {},
): TuneProblem {
  const withFunctions = functions === undefined ? {} : { functions };
  if (isProblem(on)) {
    const bound = { ...on.dtypes, ...dtypes };
    return {
      problem: completeProblem(kernel, { ...on, ...withFunctions, dtypes: bound }),
      given: undefined,
    };
  }
  const dims: Record<string, number> = {};
  const bound: Record<string, DType> = { ...dtypes };
  const scalars: Record<string, number> = {};
  const given: Record<string, Tensor> = {};
  for (const [name, spec] of Object.entries(kernel.params)) {
    const value = on[name];
    if (spec.kind === "scalar" && typeof value === "number") scalars[name] = value;
    if (spec.kind !== "tensor" || !isTensor(value)) continue;
    given[name] = value;
    if (!isDType(spec.dtype)) bound[spec.dtype] = value.dtype;
    spec.shape.forEach((dim, i) => {
      if (typeof dim === "string") dims[dim] = value.shape[i] ?? 0;
    });
  }
  const problem = completeProblem(kernel, { dims, dtypes: bound, scalars, ...withFunctions });
  return { problem, given };
}
