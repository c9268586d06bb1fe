/** [runtime/conformance] Every kernel of the catalogue with every sample of its record, against the record's own reference. */
import {
  KERNEL_ENTRIES,
  type KernelEntry,
  makeSample,
  type Problem,
} from "../../dsl/kernels/catalogue.ts";
import type { ConformanceCase } from "./case.ts";

function caseOf(entry: KernelEntry, problem: Problem): ConformanceCase {
  const { config, functions, dtypes } = problem;
  return {
    group: "kernels",
    name: `${entry.kernel.name}: ${problem.name}`,
    kernel: entry.kernel,
    specialization: {
      dtypes,
      ...(config === undefined ? {} : { config }),
      ...(functions === undefined ? {} : { functions }),
    },
    data: () => makeSample(entry, problem),
  };
}

export const kernelCases: readonly ConformanceCase[] = KERNEL_ENTRIES.flatMap((entry) =>
  entry.samples.map((problem) => caseOf(entry, problem)),
);
