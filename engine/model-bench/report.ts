/** [engine/model-bench] What a measurement of decode steps gives, as data, as a table and as a trace for Chrome. Measures nothing. */
import type { Ceiling, Spread } from "../../runtime/index.ts";
import type { FloorBytes } from "./floor.ts";
import type { TracedLaunch } from "./traced-device.ts";

/** All launches of one kernel in a step. */
export interface KernelShare {
  readonly kernel: string;
  readonly launches: number;
  /** Microseconds of all of them, each timed alone. */
  readonly us: number;
  /** Bytes that they touch at least. */
  readonly bytes: number;
  /** Of the time that a copy of as many bytes takes. */
  readonly ofRoofline: number;
}

export interface StepMeasurement {
  readonly batch: number;
  /** Positions of each sequence, the new one included. */
  readonly context: number;
  /** Milliseconds of a step on the device, many queued one behind the other. */
  readonly stepMs: Spread;
  /** Milliseconds from step to step where each is queued before the one in front of it was read. */
  readonly loopMs: number;
  /** Milliseconds that the host takes to queue a step. */
  readonly hostMs: number;
  /** What of the loop the device does not hide. */
  readonly exposedMs: number;
  readonly tokensPerSecond: number;
  readonly launches: number;
  /** Undefined where the layers' bytes are not counted. */
  readonly floor: (FloorBytes & { readonly ms: number; readonly reached: number }) | undefined;
  readonly kernels: readonly KernelShare[];
}

export interface ModelReport {
  readonly format: "tilewright-model-bench-1";
  readonly model: string;
  readonly device: string;
  /** False where the host does the work, or nobody. */
  readonly hardware: boolean;
  readonly dtype: string;
  readonly layers: number;
  readonly weightBytes: number;
  /** Whether decodes were captured and replayed. */
  readonly captured: boolean;
  /** How the launches of the breakdown were timed. */
  readonly clock: "events" | "calls";
  readonly copy: Ceiling;
  readonly steps: readonly StepMeasurement[];
}

export function formatModelReport(report: ModelReport): string {
  const { model, device, hardware, dtype, layers, weightBytes, captured, clock, copy, steps } =
    report;
  const head = [
    `${model} in ${dtype} on ${device}: ${layers} layers, ${(weightBytes / 1e9).toFixed(2)} GB of random weights`,
    `decodes ${captured ? "captured and replayed" : "launched one by one"}; copies reach ${(copy.perSecond / 1e12).toFixed(3)} TB/s (${copy.how})`,
    ...(hardware
      ? []
      : [
          "no hardware GPU: times are the host's, and shares of the floor and of copies say nothing",
        ]),
    `kernels are timed alone, ${clock === "events" ? "between events, so that nothing of them overlaps" : "by the host's clock around each call: this device has no events"}`,
  ];
  return `${[...head, ...steps.flatMap(formatStep)].join("\n")}\n`;
}

function formatStep(step: StepMeasurement): readonly string[] {
  const { batch, context, stepMs, loopMs, hostMs, exposedMs, tokensPerSecond, launches } = step;
  const { floor, kernels } = step;
  const bound =
    floor === undefined
      ? "no floor for these layers"
      : `${(100 * floor.reached).toFixed(1)} % of the floor of ${floor.ms.toFixed(3)} ms (${(floor.weights / 1e9).toFixed(2)} GB weights, ${(floor.cache / 1e9).toFixed(2)} GB cache)`;
  return [
    "",
    `batch ${batch}, context ${context}: ${stepMs.median.toFixed(3)} ms a step (${stepMs.p20.toFixed(3)} to ${stepMs.p80.toFixed(3)}), ${tokensPerSecond.toFixed(0)} tokens/s, ${bound}`,
    `  host ${hostMs.toFixed(3)} ms to queue a step, loop ${loopMs.toFixed(3)} ms, not hidden ${exposedMs.toFixed(3)} ms; ${launches} launches`,
    `  ${"kernel".padEnd(24)} launches        µs       MB  of copy`,
    ...kernels.map(
      ({ kernel, launches: count, us, bytes, ofRoofline }) =>
        `  ${kernel.padEnd(24)} ${String(count).padStart(8)} ${us.toFixed(1).padStart(9)} ${(bytes / 1e6).toFixed(1).padStart(8)} ${(100 * ofRoofline).toFixed(1).padStart(6)} %`,
    ),
  ];
}

export interface TracedStep {
  readonly name: string;
  readonly launches: readonly TracedLaunch[];
}

/** Launches as complete events, one thread a step. @source "Trace Event Format", the Chromium project */
export function chromeTrace(model: string, steps: readonly TracedStep[]): string {
  const events = steps.flatMap(({ name, launches }, tid) => [
    { ph: "M", pid: 1, tid, name: "thread_name", args: { name } },
    ...launches.map(({ kernel, args, startMs, ms }) => ({
      ph: "X",
      pid: 1,
      tid,
      name: kernel,
      ts: startMs * 1000,
      dur: ms * 1000,
      args: Object.fromEntries(
        Object.entries(args).map(([key, arg]) => [
          key,
          typeof arg === "number" ? arg : `${arg.dtype}[${arg.shape.join(", ")}]`,
        ]),
      ),
    })),
  ]);
  const named = { ph: "M", pid: 1, name: "process_name", args: { name: model } };
  return `${JSON.stringify({ traceEvents: [named, ...events], displayTimeUnit: "ns" })}\n`;
}
