/** [test/support] Compiles tile IR down to thread IR and runs that on the executor: everything of codegen but the text. */
import type { TargetSpec } from "../../codegen/artifact.ts";
import type { ThreadKernel } from "../../codegen/ir/thread.ts";
import { createContext } from "../../codegen/passes/pass.ts";
import { runPasses } from "../../codegen/run-passes.ts";
import { targetNamed } from "../../codegen/targets/registry.ts";
import type { TileKernel } from "../../dsl/index.ts";
import { parseKernel } from "../../dsl/ir/parse.ts";
import type { RunInput } from "./run-tile-ir.ts";
import { executeThreads } from "./thread-executor.ts";

/** One target for each warp size that the lowering must know. */
export const THREAD_TARGETS = {
  "cuda, warps of 32": {
    target: "cuda",
    arch: "sm_80",
    warpSize: 32,
    maxThreads: 1024,
    maxSharedBytes: 99 * 1024,
    features: ["cp.async", "mma.sync"],
  },
  "hip, warps of 64": {
    target: "hip",
    arch: "gfx90a",
    warpSize: 64,
    maxThreads: 1024,
    maxSharedBytes: 64 * 1024,
    features: [],
  },
  "wgsl, no subgroups": {
    target: "wgsl",
    warpSize: 1,
    maxThreads: 256,
    maxSharedBytes: 32 * 1024,
    features: [],
  },
  "wgsl, subgroups of 4": {
    target: "wgsl",
    warpSize: 4,
    maxThreads: 256,
    maxSharedBytes: 32 * 1024,
    features: ["subgroups"],
  },
} as const satisfies Readonly<Record<string, TargetSpec>>;

export type ThreadTargetName = keyof typeof THREAD_TARGETS;

export const THREAD_TARGET_NAMES = Object.keys(THREAD_TARGETS) as readonly ThreadTargetName[];

/** Largest power of two up to 16 that divides a size. */
export function divisorOf(size: number): number {
  let divisor = 1;
  while (divisor < 16 && size % (2 * divisor) === 0) divisor *= 2;
  return divisor;
}

/** Thread IR of a tile kernel for a target, with what the sizes of a launch tell about alignment; packed tensors lie by rows. */
export function compileToThreads(
  tile: TileKernel,
  name: ThreadTargetName,
  dims: Readonly<Record<string, number>>,
): ThreadKernel {
  const spec: TargetSpec = THREAD_TARGETS[name];
  const divisibility = Object.fromEntries(tile.dims.map((d) => [d, divisorOf(dims[d] ?? 1)]));
  const rows = tile.params.flatMap((param) =>
    param.kind === "tensor" && param.packed === true ? [[param.name, "rows"] as const] : [],
  );
  const context = createContext(spec, divisibility, Object.fromEntries(rows));
  return runPasses(tile, targetNamed(spec.target).pipeline, context).thread;
}

/** Sizes of the dims that tensors name. */
function dimsOf(tile: TileKernel, input: RunInput): Record<string, number> {
  const dims: Record<string, number> = {};
  for (const param of tile.params) {
    if (param.kind !== "tensor") continue;
    param.shape.forEach((dim, i) => {
      if (dim.name !== undefined) dims[dim.name] = input.tensors[param.name]?.shape[i] ?? 0;
    });
  }
  return dims;
}

export interface ThreadRun {
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly problems: readonly string[];
  readonly kernel: ThreadKernel;
}

/** Compiles and runs a kernel given as tile IR text; the counterpart of `runText` on the interpreter. */
export function runTextOnThreads(text: string, input: RunInput, name: ThreadTargetName): ThreadRun {
  const tile = parseKernel(text);
  const dims = dimsOf(tile, input);
  const kernel = compileToThreads(tile, name, dims);
  const tensors = Object.fromEntries(
    Object.entries(input.tensors).map(([tensor, { shape, values }]) => {
      const count = shape.reduce((n, size) => n * size, 1);
      return [tensor, Float64Array.from(values ?? new Array<number>(count).fill(0))];
    }),
  );
  const [x = 1, y = 1, z = 1] = input.grid ?? [1];
  const args = { tensors, dims, scalars: input.scalars ?? {}, grid: [x, y, z] as const };
  const problems = executeThreads(kernel, args);
  const outputs = Object.fromEntries(Object.entries(tensors).map(([t, data]) => [t, [...data]]));
  return { outputs, problems, kernel };
}
