/** [test/support] Compiles the kernels of the catalogue for tests of their text: which specialisations, and for which machines. */
import type { Artifact, TargetSpec } from "../../codegen/artifact.ts";
import { compile } from "../../codegen/compile.ts";
import { wgsl } from "../../codegen/targets/wgsl/target.ts";
import { KERNEL_ENTRIES, type KernelEntry, type Problem } from "../../dsl/kernels/catalogue.ts";

/** One specialisation of a kernel; `id` names it in test reports. */
export interface CatalogueCase {
  readonly id: string;
  readonly entry: KernelEntry;
  readonly problem: Problem;
}

/** Whether a kernel's programs arrive at counters, which WGSL refuses (TW2310). */
export function ordersPrograms({ entry }: CatalogueCase): boolean {
  return "arrived" in entry.kernel.params;
}

/** Largest power of two up to 16 that divides each dim of the problem: what a launch would tell the compiler. */
function divisibilityOf(problem: Problem): Readonly<Record<string, number>> {
  const divisor = (size: number): number => [16, 8, 4, 2].find((by) => size % by === 0) ?? 1;
  return Object.fromEntries(
    Object.entries(problem.dims).map(([dim, size]) => [dim, divisor(size)] as const),
  );
}

/** A WebGPU device with the given subgroup size, and the shared memory that most have. */
export function wgslSpec(warpSize: number): TargetSpec {
  const features = warpSize > 1 ? ["subgroups"] : [];
  return { ...wgsl.defaultSpec(), warpSize, features, maxSharedBytes: 32768 };
}

export function compileCase({ entry, problem }: CatalogueCase, target: TargetSpec): Artifact {
  const { kernel } = entry;
  const dims = kernel.specialize.map((dim) => [dim, problem.dims[dim] ?? 0] as const);
  const { dtypes, config = {}, functions } = problem;
  return compile(kernel, {
    specialization: {
      dtypes,
      config,
      dims: Object.fromEntries(dims),
      ...(functions === undefined ? {} : { functions }),
    },
    target,
    divisibility: divisibilityOf(problem),
  });
}

function caseOf(entry: KernelEntry, problem: Problem): CatalogueCase {
  return { id: `${entry.kernel.name}, ${problem.name}`, entry, problem };
}

/** Name of a problem without the dtypes that its samples append. */
function plainName(problem: Problem): string {
  return problem.name.replace(/, \w+=.*$/, "");
}

/** The kernels as they are used most: the last problem of each, with the default config, once for every choice of dtypes. */
export function usualCases(): readonly CatalogueCase[] {
  return KERNEL_ENTRIES.flatMap((entry) => {
    const last = entry.samples.at(-1);
    if (last === undefined) return [];
    return entry.samples
      .filter((problem) => plainName(problem) === plainName(last))
      .map((problem) => caseOf(entry, problem));
  });
}

/** One case a kernel: bf16 where it has a choice. */
export function goldenCases(): readonly CatalogueCase[] {
  return KERNEL_ENTRIES.flatMap((entry) => {
    const own = usualCases().filter((one) => one.entry === entry);
    const bf16 = own.find(({ problem }) =>
      Object.values(problem.dtypes).every((dtype) => dtype === "bf16"),
    );
    const chosen = bf16 ?? own.at(-1);
    return chosen === undefined ? [] : [chosen];
  });
}
