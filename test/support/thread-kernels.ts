/** [test/support] Runs thread kernels written as text: on a software GPU as WGSL, on the CPU emulation as CUDA text. */
import { parseThreadKernel } from "../../codegen/ir/parse-thread.ts";
import type { ThreadKernel } from "../../codegen/ir/thread.ts";
import { cuda } from "../../codegen/targets/cuda/target.ts";
import type { hip } from "../../codegen/targets/hip/target.ts";
import type { EmitRequest } from "../../codegen/targets/target.ts";
import { wgsl } from "../../codegen/targets/wgsl/target.ts";
import { DTYPES, type TensorParam } from "../../dsl/index.ts";
import type { Emulation } from "./emulation.ts";
import type { EmulatedArgument, EmulatedRun } from "./emulation-protocol.ts";
import type { WebGpu } from "./webgpu-run.ts";

export type Data = Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** What a kernel is given: contents of every tensor before the launch, scalars and dims by name. */
export interface ThreadArguments {
  readonly tensors: Readonly<Record<string, Data>>;
  readonly dims?: Readonly<Record<string, number>>;
  readonly scalars?: Readonly<Record<string, number>>;
  readonly grid?: readonly [number, number, number];
}

/** Contents of the written tensors after the launch. */
export type Outputs = Readonly<Record<string, Uint8Array>>;

export function bytesOf(data: Data): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function request(spec: EmitRequest["spec"]): EmitRequest {
  return { spec, dtypes: {}, config: {}, divisibility: {} };
}

export function cudaText(kernel: ThreadKernel, arch?: string): string {
  return cuda.emit(kernel, request(cuda.defaultSpec(arch))).text;
}

export function wgslText(kernel: ThreadKernel, features: readonly string[] = []): string {
  const spec = { ...wgsl.defaultSpec(), warpSize: kernel.warpSize, features };
  return wgsl.emit(kernel, request(spec)).text;
}

function tensorsOf(kernel: ThreadKernel): readonly TensorParam[] {
  return kernel.params.filter((param) => param.kind === "tensor");
}

function dataOf(args: ThreadArguments, name: string): Data {
  const data = args.tensors[name];
  if (data === undefined) throw new Error(`no data for tensor ${name}`);
  return data;
}

/** Dims and scalars as 32-bit words, in ABI order. */
function wordsOf(kernel: ThreadKernel, args: ThreadArguments): Uint32Array {
  const dims = kernel.dims.map((dim) => (args.dims?.[dim] ?? 0) >>> 0);
  const scalars = kernel.params.flatMap((param) => {
    if (param.kind !== "scalar") return [];
    const value = args.scalars?.[param.name] ?? 0;
    const isFloat = DTYPES[param.dtype].kind === "float";
    return [isFloat ? (new Uint32Array(new Float32Array([value]).buffer)[0] ?? 0) : value >>> 0];
  });
  return Uint32Array.from([...dims, ...scalars]);
}

/**
 * Parses the text, emits WGSL for the adapter's subgroup size and runs it.
 * @param dispatch workgroups, where they are folded otherwise than the grid
 */
export async function runOnWebGpu(
  gpu: WebGpu,
  { text, args }: Pick<ThreadCase, "text" | "args">,
  dispatch?: readonly [number, number, number],
): Promise<Outputs> {
  const kernel = parseThreadKernel(text.replaceAll("WARP", String(gpu.subgroupSize)));
  const { text: code, entry } = wgsl.emit(
    kernel,
    request({ ...wgsl.defaultSpec(), warpSize: kernel.warpSize, features: gpu.features }),
  );
  return gpu.run({
    code,
    entry,
    tensors: tensorsOf(kernel).map(({ name, access }) => ({
      name,
      bytes: bytesOf(dataOf(args, name)),
      writable: access !== "in",
    })),
    words: wordsOf(kernel, args),
    grid: args.grid ?? [1, 1, 1],
    ...(dispatch === undefined ? {} : { dispatch }),
  });
}

/** One launch of a kernel text; `id` is unique in its batch. WARP in the text stands for the lanes of a warp. */
export interface ThreadCase {
  readonly id: string;
  readonly text: string;
  readonly args: ThreadArguments;
}

function emulatedArguments(kernel: ThreadKernel, args: ThreadArguments): EmulatedArgument[] {
  const tensors = tensorsOf(kernel).map(({ name, access }) => ({
    kind: "buffer" as const,
    name,
    bytes: bytesOf(dataOf(args, name)),
    writable: access !== "in",
  }));
  const words = [...wordsOf(kernel, args)].map((value) => ({ kind: "u32" as const, value }));
  return [...tensors, ...words];
}

/**
 * Emits text of the C family for all cases, builds them as one unit and runs each once. A finding of the emulation is an error in
 * place of outputs.
 * @param target CUDA with warps of 32 lanes, or HIP with waves of 64
 */
export function runOnEmulation(
  emulation: Emulation,
  cases: readonly ThreadCase[],
  target: typeof cuda | typeof hip = cuda,
): ReadonlyMap<string, Outputs | Error> {
  const spec = target.defaultSpec();
  const warp = spec.warpSize === 64 ? 64 : 32;
  const kernels = cases.map(({ text }) => parseThreadKernel(text.replaceAll("WARP", `${warp}`)));
  const unit = emulation.build(
    kernels.map((kernel, i) => {
      const { text, entry } = target.emit(kernel, request(spec));
      return { id: cases[i]?.id ?? "", entry, text };
    }),
    { warp },
  );
  const runs = unit.launchAll(
    kernels.map((kernel, i) => ({
      kernel: cases[i]?.id ?? "",
      grid: cases[i]?.args.grid ?? [1, 1, 1],
      threads: kernel.threads,
      sharedBytes: kernel.sharedBytes,
      args: emulatedArguments(kernel, cases[i]?.args ?? { tensors: {} }),
      seeds: [1],
    })),
  );
  return new Map(cases.map(({ id }, i) => [id, outputsOf(id, runs[i]?.[0])] as const));
}

function outputsOf(id: string, run: EmulatedRun | undefined): Outputs | Error {
  const findings = run?.reports.map((report) => `${report.kind}: ${report.text}`) ?? ["no run"];
  if (findings.length > 0) return new Error(`${id}: ${findings.join("\n")}`);
  return Object.fromEntries(run?.outputs ?? []);
}
