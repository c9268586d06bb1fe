/** [runtime/conformance] The door of the suite: every group of cases, one line each, and `runConformance` for any driver. */
import type { Device } from "../device.ts";
import { arrivalCases } from "./arrivals.ts";
import type { ConformanceCase } from "./case.ts";
import { castCases } from "./casts.ts";
import { constantCases } from "./constants.ts";
import { controlFlowCases } from "./control-flow.ts";
import { dotCases } from "./dot.ts";
import { gatherCases } from "./gather.ts";
import { integerCases } from "./integers.ts";
import { kernelCases } from "./kernels.ts";
import { memoryCases } from "./memory.ts";
import { numericsCases } from "./numerics.ts";
import { oddShapeCases } from "./odd-shapes.ts";
import { packedCases } from "./packed.ts";
import { pipelinedCases } from "./pipelined.ts";
import { quantizedCases } from "./quantized.ts";
import { reductionCases } from "./reductions.ts";
import { rolesCases } from "./roles.ts";
import { type CaseResult, type RunOptions, runCases } from "./run.ts";

export type { CaseData, CaseOrders, CaseSpec, ConformanceCase } from "./case.ts";
export { defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";
export { type CaseResult, type RunOptions, runCases } from "./run.ts";

export const CONFORMANCE_GROUPS = {
  memory: memoryCases,
  "control-flow": controlFlowCases,
  numerics: numericsCases,
  integers: integerCases,
  casts: castCases,
  constants: constantCases,
  reductions: reductionCases,
  dot: dotCases,
  pipelined: pipelinedCases,
  roles: rolesCases,
  gather: gatherCases,
  arrivals: arrivalCases,
  "odd-shapes": oddShapeCases,
  quantized: quantizedCases,
  packed: packedCases,
  kernels: kernelCases,
} as const satisfies Readonly<Record<string, readonly ConformanceCase[]>>;

export type ConformanceGroup = keyof typeof CONFORMANCE_GROUPS;

export interface ConformanceOptions extends RunOptions {
  /** Groups to run; all where absent. */
  readonly groups?: readonly ConformanceGroup[];
  /** Cases to keep. */
  readonly filter?: (test: ConformanceCase) => boolean;
}

/** Every case of the groups, in the order of the catalogue. */
export function conformanceCases(options: ConformanceOptions = {}): readonly ConformanceCase[] {
  const groups = options.groups ?? (Object.keys(CONFORMANCE_GROUPS) as readonly ConformanceGroup[]);
  const all: readonly ConformanceCase[] = groups.flatMap((group) => [...CONFORMANCE_GROUPS[group]]);
  return options.filter === undefined ? all : all.filter(options.filter);
}

/**
 * Runs the suite on a device: a new driver is done when every result is `passed`, or `unsupported` for a reason that its authors accept.
 * @example for await (const result of runConformance(device)) if (result.status === "failed") console.log(result.message);
 */
export function runConformance(
  device: Device,
  options: ConformanceOptions = {},
): AsyncGenerator<CaseResult> {
  return runCases(device, conformanceCases(options), options);
}
