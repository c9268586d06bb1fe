/** [runtime/bench] The public way to measure kernels: `benchmark(device, kernel, problems, options)`. */
import type { KernelDefinition } from "../../dsl/index.ts";
import type { Device } from "../device.ts";
import type { BenchProblem, BenchSubject } from "./problem.ts";
import type { BenchReport } from "./report.ts";
import { type BenchOptions, BenchSession } from "./session.ts";

/**
 * Measures a kernel on problems: every output is checked in full before it is timed, and contenders alternate in rounds.
 * @param what a kernel, an entry of the catalogue, or a kernel with its own inputs, reference and costs
 * @param problems sizes by dim; dtypes default to the first that each variable allows
 * @returns times, rates and ratios as data; `formatReport`, `rooflineSvg` and `compareReports` read it
 * @throws LaunchError TW33xx for problems that do not fit the kernel
 */
export async function benchmark(
  device: Device,
  what: KernelDefinition | BenchSubject,
  problems: readonly BenchProblem[],
  options: BenchOptions = {},
): Promise<BenchReport> {
  const session = await BenchSession.open(device, options);
  try {
    for (const problem of problems) await session.run(what, problem);
    return session.report();
  } finally {
    session.close();
  }
}
