/** [runtime/autotune] The public way to tune: `tune(device, kernel, sizes or arguments, options)`. What happens inside is tune-run.ts. */
import {
  type DType,
  type KernelDefinition,
  LaunchError,
  type Specialization,
} from "../../dsl/index.ts";
import type { MeasureOptions, TimingMode } from "../bench/measure.ts";
import type { Config } from "../bench/own-contender.ts";
import { type BenchProblem, type BenchSubject, subjectOf } from "../bench/problem.ts";
import type { Spread } from "../bench/statistics.ts";
import type { Device } from "../device.ts";
import type { ConfigRecord, TuningStore } from "./records.ts";
import type { TunableDevice } from "./tunable.ts";
import { type TuneArguments, tuneProblem } from "./tune-problem.ts";
import { TuneRun } from "./tune-run.ts";

export interface TuneOptions extends Pick<Specialization, "dtypes" | "functions"> {
  /** Milliseconds for everything; 60 000 on hardware, 20 000 elsewhere. What is begun is finished. */
  readonly budgetMs?: number;
  /** Overrides of the default config; only these are tried, beside the default and what was good elsewhere. The kernel's whole space where absent. */
  readonly configs?: readonly Config[];
  readonly onProgress?: (progress: TuneProgress) => void;
  /** Where results are kept; the device's own store, which launches read, where absent. */
  readonly store?: TuningStore;
  /** Measures configs again that the store has results of. */
  readonly again?: boolean;
  /** How the last few are timed; what suits the problem where absent. */
  readonly mode?: TimingMode;
  /** Milliseconds that one config may take to compile; a third of the budget, at most 30 000. */
  readonly compileMs?: number;
  /** Processes that compile at once; the cores but one, at most 8. */
  readonly processes?: number;
  readonly measure?: Partial<MeasureOptions>;
}

export type TunePhase = "rank" | "compile" | "time" | "finals" | "done";

export interface TuneProgress {
  readonly phase: TunePhase;
  /** Configs that the phase is through with, and how many it has. */
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
  readonly budgetMs: number;
  readonly best?: { readonly config: Config; readonly us: number };
  /** Microseconds that the device's limits allow; absent where nothing is known of them. */
  readonly floorUs?: number;
}

export interface TuneResult {
  readonly kernel: string;
  readonly device: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly dtypes: Readonly<Record<string, DType>>;
  /** Sizes that the result stands for. */
  readonly bucket: string;
  readonly winner: {
    readonly config: Config;
    /** How the time was taken. */
    readonly mode: string;
    readonly us: Spread;
    readonly teraflops: number;
    readonly gigabytesPerSecond: number;
    /** Time that the limits allow over the time taken. */
    readonly percentOfFloor?: number;
    /** Times faster than the default config under equal conditions; absent where that was not timed. */
    readonly speedup?: number;
  };
  /** Who said what outputs are right; absent where nothing had to be run. */
  readonly checkedBy?: string;
  readonly floorUs?: number;
  /** Configs of the space, those measured now, and those whose earlier results were taken. */
  readonly counts: {
    readonly space: number;
    readonly measured: number;
    readonly reused: number;
    readonly failed: number;
    readonly wrong: number;
    /** Not tried for lack of time. */
    readonly left: number;
  };
  /** Everything known of every config of the bucket, the fastest first. */
  readonly results: readonly ConfigRecord[];
  readonly elapsedMs: number;
}

/**
 * Finds the fastest config of a kernel for some sizes: a cost model ranks, processes compile, every output is checked in full before
 * it is timed, and timing alternates in rounds that hopeless configs leave. Results are kept: an interrupted run goes on where it was,
 * a wider space measures only what is new, and launches without a config take the winner from then on.
 * @param what a kernel, or one with its own inputs, reference and costs (the catalogue's entries are such)
 * @param on sizes by dim, or the arguments of a launch: these are copied, and never written
 * @throws LaunchError TW3340 for a device that cannot be tuned, TW3341 inside a capture (at once, so that the capture ends), TW3343 where
 * no config gives a right result, TW33xx for problems that do not fit; DeviceError TW3342 where no process can be started, TW3344 where the device hangs
 */
export function tune(
  device: Device,
  what: KernelDefinition | BenchSubject,
  on: TuneArguments | BenchProblem,
  options: TuneOptions = {},
): Promise<TuneResult> {
  const tunable = tunableOf(device);
  const subject = subjectOf(what);
  if (tunable.isCapturing) {
    throw new LaunchError({
      code: "TW3341",
      message: `${subject.kernel.name}: a kernel cannot be tuned while a graph is captured`,
      seen: "tune() inside capture()",
      expected: "tuning before the capture: it waits for the device, which a capture forbids",
      remedy: "call tune() first; the captured launches then take its winner",
    });
  }
  const { problem, given } = tuneProblem(subject.kernel, on, options);
  return new TuneRun(tunable, subject, { problem, given }, options).run();
}

function tunableOf(device: Device): TunableDevice {
  if ("describeLaunch" in device && device.info.driver !== "null") return device as TunableDevice;
  throw new LaunchError({
    code: "TW3340",
    message: "kernels cannot be tuned on this device",
    seen: device.info.name,
    expected: "a device of openDevice() that computes something",
    remedy: "open cuda, webgpu or the interpreter",
  });
}
