/** [runtime/conformance] Runs cases on a device and compares whole outputs. Which cases there are stands in catalogue.ts. */
import {
  compareTensors,
  formatComparison,
  type Mismatch,
  TilewrightError,
  UnsupportedError,
} from "../../dsl/index.ts";
import type { HostTensor } from "../../dsl/kernels/catalogue.ts";
import type { Device, KernelArgument } from "../device.ts";
import { packArguments, packTensor } from "../packing.ts";
import type { CaseData, ConformanceCase } from "./case.ts";
import { expectedOf } from "./expected.ts";
import { type GuardedTensor, placeGuarded, readGuarded } from "./guarded-tensor.ts";

export interface CaseResult {
  readonly case: ConformanceCase;
  /** `unsupported`: the compiler or driver says that this device cannot run it; `message` says why. */
  readonly status: "passed" | "failed" | "unsupported";
  /** Empty where passed. */
  readonly message: string;
  /** Largest error as a part of what the tolerance allows, over all outputs. */
  readonly worst: number;
  /** Compile or cache look-up, with the wait for others of the batch. */
  readonly prepareMs: number;
  /** Launch to comparison, with the wait for what was queued before. */
  readonly runMs: number;
}

export interface RunOptions {
  /** Cases that are prepared, then launched, then read together; drivers that compile many at once gain by it. Default 16. */
  readonly batch?: number;
  readonly onError?: (test: ConformanceCase, error: unknown) => void;
}

interface Running {
  readonly test: ConformanceCase;
  readonly data: CaseData;
  readonly tensors: Readonly<Record<string, GuardedTensor>>;
  /** What is launched: the tensors, those that are packed in their order, and scalars. */
  readonly args: Readonly<Record<string, KernelArgument>>;
  readonly prepareMs: number;
}

/** Runs every case and yields one result for each, in order. Failures do not end the run. */
export async function* runCases(
  device: Device,
  cases: readonly ConformanceCase[],
  options: RunOptions = {},
): AsyncGenerator<CaseResult> {
  const size = Math.max(1, options.batch ?? 16);
  for (let start = 0; start < cases.length; start += size)
    yield* runBatch(device, cases.slice(start, start + size), options);
}

async function* runBatch(
  device: Device,
  cases: readonly ConformanceCase[],
  options: RunOptions,
): AsyncGenerator<CaseResult> {
  // Together, so that drivers that compile on threads of their own keep them busy.
  const started = await Promise.all(cases.map((test) => prepare(device, test, options)));
  const launched = started.map((item): Running | CaseResult => {
    if ("status" in item) return item;
    const { test, args, prepareMs } = item;
    try {
      device.launch(test.kernel, args, test.specialization);
      return item;
    } catch (error) {
      release(device, item);
      options.onError?.(test, error);
      return caught(test, error, prepareMs);
    }
  });
  for (const item of launched) yield "status" in item ? item : await finish(device, item, options);
}

async function prepare(
  device: Device,
  test: ConformanceCase,
  options: RunOptions,
): Promise<Running | CaseResult> {
  const begin = performance.now();
  const data = test.data();
  const tensors: Record<string, GuardedTensor> = {};
  let args: Readonly<Record<string, KernelArgument>> = {};
  try {
    for (const [name, host] of Object.entries(data.tensors))
      tensors[name] = placeGuarded(device, host);
    args = packedArguments(device, test, argumentsOf(tensors, data));
    await device.prepare(test.kernel, args, test.specialization);
    return { test, data, tensors, args, prepareMs: performance.now() - begin };
  } catch (error) {
    release(device, { tensors, args });
    options.onError?.(test, error);
    return caught(test, error, performance.now() - begin);
  }
}

async function finish(device: Device, running: Running, options: RunOptions): Promise<CaseResult> {
  const { test, prepareMs } = running;
  const begin = performance.now();
  try {
    const { failures, worst } = await compare(device, running);
    const status = failures.length === 0 ? "passed" : "failed";
    const runMs = performance.now() - begin;
    return { case: test, status, message: failures.join("\n"), worst, prepareMs, runMs };
  } catch (error) {
    options.onError?.(test, error);
    return caught(test, error, prepareMs);
  } finally {
    release(device, running);
  }
}

async function compare(device: Device, { test, data, tensors }: Running) {
  const expected = expectedOf(test, data);
  const failures: string[] = [];
  let worst = 0;
  for (const [name, guarded] of Object.entries(tensors)) {
    const host = data.tensors[name];
    if (host === undefined) continue;
    const { values, damagedAt, changed } = await readGuarded(device, guarded, host.data.length);
    if (damagedAt !== undefined)
      failures.push(`${name}: memory outside the tensor was written, at byte ${damagedAt}`);
    const want = expected[name];
    if (want === undefined) {
      if (changed) failures.push(`${name}: a tensor that is only read was written`);
      continue;
    }
    const comparison = compareTensors(values, want.data, host.dtype, want.tolerance);
    worst = Math.max(worst, comparison.worst);
    if (comparison.mismatches > 0)
      failures.push(
        formatComparison(name, host.shape, comparison) +
          rowsOf(test.rows?.[name], host, comparison.first),
      );
  }
  return { failures, worst };
}

/** Which rows the mismatches shown lie in. */
function rowsOf(
  rows: readonly string[] | undefined,
  { shape }: HostTensor,
  mismatches: readonly Mismatch[],
): string {
  if (rows === undefined) return "";
  const width = shape.slice(1).reduce((n, size) => n * size, 1);
  const named = new Set(mismatches.map(({ index }) => rows[Math.floor(index / width)] ?? "?"));
  return `\n  rows: ${[...named].join(", ")}`;
}

function argumentsOf(
  tensors: Readonly<Record<string, GuardedTensor>>,
  data: CaseData,
): Readonly<Record<string, KernelArgument>> {
  const args: Record<string, KernelArgument> = { ...data.scalars };
  for (const [name, { tensor }] of Object.entries(tensors)) args[name] = tensor;
  return args;
}

/** The arguments, with packed tensors in the orders that the case asks for. */
function packedArguments(
  device: Device,
  { kernel, specialization, orders }: ConformanceCase,
  args: Readonly<Record<string, KernelArgument>>,
): Readonly<Record<string, KernelArgument>> {
  if (orders === undefined) return args;
  if (orders === "chosen") return packArguments(device, kernel, args, specialization);
  return Object.fromEntries(
    Object.entries(args).map(([name, argument]) => {
      const order = orders[name];
      const isPacked = order !== undefined && typeof argument === "object";
      return [name, isPacked ? packTensor(argument, order) : argument] as const;
    }),
  );
}

function release(device: Device, { tensors, args }: Pick<Running, "tensors" | "args">): void {
  for (const { tensor } of Object.values(tensors)) device.free(tensor.buffer);
  for (const argument of Object.values(args))
    if (typeof argument === "object" && argument.order !== undefined) device.free(argument.buffer);
}

function caught(test: ConformanceCase, error: unknown, prepareMs: number): CaseResult {
  const isKnown = error instanceof TilewrightError;
  const message = isKnown ? error.message : error instanceof Error ? `${error.stack}` : `${error}`;
  const status = error instanceof UnsupportedError ? "unsupported" : "failed";
  return { case: test, status, message, worst: 0, prepareMs, runMs: 0 };
}
