/** [codegen/targets] What a target is: how thread IR becomes its text, and what its machines can do. Types and shared head comment only. */
import { DTYPES, type DType } from "../../dsl/index.ts";
import type { TargetSpec } from "../artifact.ts";
import type { ThreadKernel, ThreadShared } from "../ir/thread.ts";
import type { Pipeline } from "./pipeline.ts";

/** What the head comment tells of a specialisation besides the kernel itself. */
export interface EmitRequest {
  readonly spec: TargetSpec;
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly divisibility: Readonly<Record<string, number>>;
}

export interface EmittedText {
  readonly text: string;
  /** Name of the entry point in the text. */
  readonly entry: string;
}

export interface Target {
  /** As `TargetSpec.target` has it. */
  readonly name: string;
  /** As people call it: "CUDA C++". */
  readonly title: string;
  /** File name ending of its text, without the dot. */
  readonly extension: string;
  /**
   * The facts of a machine known by its architecture alone, for compiling ahead of time.
   * @param arch as the target writes it: `sm_90a`, `gfx942`; wgsl has none
   * @throws UnsupportedError TW2303 for an architecture that the target does not know
   */
  readonly defaultSpec: (arch?: string) => TargetSpec;
  /** Every pass from tile IR to the thread IR that `emit` takes. */
  readonly pipeline: Pipeline;
  /**
   * Of a target that is added to those of the catalogue: changed whenever its texts change, since artifacts on disk are found by it.
   * Without it nothing is kept on disk.
   */
  readonly version?: string;
  /** @throws UnsupportedError TW2301 for an operation that the target cannot spell */
  readonly emit: (kernel: ThreadKernel, request: EmitRequest) => EmittedText;
}

function list(record: Readonly<Record<string, unknown>>, join = "="): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}${join}${String(value)}`)
    .join(" ");
}

function byPlace(a: ThreadShared, b: ThreadShared): number {
  return a.byteOffset - b.byteOffset || (a.name < b.name ? -1 : 1);
}

/** Lines of the head comment: kernel, specialisation, threads, map of shared memory. The same for every target. */
export function headLines(kernel: ThreadKernel, request: EmitRequest): readonly string[] {
  const { spec, dtypes, config, divisibility } = request;
  const warps = kernel.threads / kernel.warpSize;
  const divisors = Object.fromEntries(Object.entries(divisibility).filter(([, by]) => by > 1));
  const facts: readonly (readonly [string, string])[] = [
    ["dtypes", list(dtypes)],
    ["config", list(config)],
    ["dims fixed", list(kernel.fixedDims)],
    ["dims divisible", list(divisors, "%")],
  ];
  const lanes = kernel.warpSize === 1 ? "" : ` in ${warps} warps of ${kernel.warpSize}`;
  return [
    `${kernel.name} for ${spec.target}${spec.arch === undefined ? "" : ` ${spec.arch}`}, made by tilewright`,
    ...facts.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`),
    `${kernel.threads} threads${lanes}, ${kernel.sharedBytes} bytes of shared memory`,
    ...[...kernel.shared].sort(byPlace).map((buffer) => {
      const bytes = Math.ceil((buffer.elements * DTYPES[buffer.dtype].bits) / 8);
      const from = String(buffer.byteOffset).padStart(7);
      return `${from} … ${buffer.byteOffset + bytes}: ${buffer.name} ${buffer.dtype}[${buffer.elements}]`;
    }),
  ];
}

type Emit = Target["emit"];

/** An emitter that is made at its first use, so that importing a target reads no files. */
export function lazyEmitter(create: () => Emit): Emit {
  let made: Emit | undefined;
  return (kernel, request) => {
    made ??= create();
    return made(kernel, request);
  };
}
