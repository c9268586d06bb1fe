/** [runtime/bench] What a benchmark found, as data: the contents of `--json`. Types, and the figures derived from times. */
import type { DType } from "../../dsl/index.ts";
import type { DeviceInfo } from "../device.ts";
import type { Ceiling, CheckResult, ChipState, ContenderRole } from "./contender.ts";
import type { Measured, TimingMode } from "./measure.ts";
import { pairedRatio, type Spread, spreadOf } from "./statistics.ts";

export const REPORT_FORMAT = "tilewright-bench-1";

export interface BenchReport {
  readonly format: typeof REPORT_FORMAT;
  /** ISO time at which the run began. */
  readonly startedAt: string;
  readonly device: Pick<DeviceInfo, "driver" | "name" | "hardware" | "versions">;
  readonly ceilings: Ceilings;
  /** What a reader must know: missing peers, software devices, void runs. */
  readonly notes: readonly string[];
  readonly results: readonly BenchResult[];
}

export interface Ceilings {
  /** Bytes a second, read and written. */
  readonly copy?: Ceiling;
  /** Operations a second of matrix products, by dtype of the operands. */
  readonly products: Readonly<Partial<Record<DType, Ceiling>>>;
}

/** One problem and everything that ran it. */
export interface BenchResult {
  readonly kernel: string;
  readonly problem: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly bytes: number;
  readonly flops: number;
  /** Dtype whose product ceiling applies. */
  readonly operandDType?: DType;
  readonly numSets: number;
  /** By whom expected values were computed. */
  readonly checkedBy: string;
  readonly contenders: readonly ContenderResult[];
}

export interface ContenderResult {
  readonly name: string;
  readonly role: ContenderRole;
  readonly detail: string;
  /** Absent where the check was turned off. */
  readonly check?: CheckResult;
  /** Why it was not timed. */
  readonly failure?: string;
  readonly timings: readonly Timing[];
}

export interface Timing {
  readonly mode: TimingMode;
  /** Microseconds of a launch. */
  readonly us: Spread;
  /** Median microseconds by round, in the order of the rounds. */
  readonly roundsUs: readonly number[];
  readonly teraflops: number;
  readonly gigabytesPerSecond: number;
  /** Time that the measured ceilings allow over the time taken; absent without ceilings. */
  readonly percentOfCeiling?: number;
  /** Times faster than the vendor in the same rounds; 1 for the vendor itself, absent without one. */
  readonly ratioToVendor?: number;
  /** The same against the fastest foreign text. */
  readonly ratioToForeign?: number;
  /** Means over the rounds. */
  readonly chip?: ChipState;
}

/** Cost and ceilings of a problem. */
export interface Limits {
  readonly bytes: number;
  readonly flops: number;
  readonly operandDType?: DType | undefined;
  readonly ceilings: Ceilings;
}

/** Microseconds that the ceilings allow for a problem; undefined where none is known. */
export function floorUs({ bytes, flops, operandDType, ceilings }: Limits): number | undefined {
  const product = operandDType === undefined ? undefined : ceilings.products[operandDType];
  const terms = [
    ...(ceilings.copy === undefined ? [] : [bytes / ceilings.copy.perSecond]),
    ...(product === undefined ? [] : [flops / product.perSecond]),
  ];
  return terms.length === 0 ? undefined : Math.max(...terms) * 1e6;
}

/** What a time is compared with, measured in the same rounds. */
export interface Rivals {
  readonly vendor: Measured | undefined;
  readonly foreign: Measured | undefined;
}

export function timingOf(
  mode: TimingMode,
  measured: Measured,
  limits: Limits,
  { vendor, foreign }: Rivals,
): Timing {
  const us = spreadOf(measured.samples);
  const time = us.median;
  const floor = floorUs(limits);
  const chip = meanChip(measured.chip);
  return {
    mode,
    us,
    roundsUs: measured.rounds,
    teraflops: limits.flops / time / 1e6,
    gigabytesPerSecond: limits.bytes / time / 1e3,
    ...(floor === undefined ? {} : { percentOfCeiling: (100 * floor) / time }),
    ...(vendor === undefined ? {} : { ratioToVendor: pairedRatio(measured.rounds, vendor.rounds) }),
    ...(foreign === undefined
      ? {}
      : { ratioToForeign: pairedRatio(measured.rounds, foreign.rounds) }),
    ...(chip === undefined ? {} : { chip }),
  };
}

function meanChip(states: readonly ChipState[]): ChipState | undefined {
  if (states.length === 0) return undefined;
  const mean = (key: keyof ChipState) =>
    Math.round(states.reduce((sum, state) => sum + state[key], 0) / states.length);
  return {
    smMHz: mean("smMHz"),
    memoryMHz: mean("memoryMHz"),
    watts: mean("watts"),
    celsius: mean("celsius"),
  };
}
