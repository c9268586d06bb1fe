/** [engine/model-bench] Bytes that a decode step cannot do without, and those that each of its launches touches. Pure. */

import type { DType } from "../../dsl/index.ts";
import { storageBytes } from "../../dsl/index.ts";
import { elementsOf, type KernelArgument, type Tensor, tensorBytes } from "../../runtime/index.ts";
import type { BlockConfig, FeedForwardConfig } from "../layers/blocks.ts";
import type { DecoderConfig } from "../layers/decoder.ts";

/** Sequences of a step, all alike: positions in the cache when it is over. */
export interface Load {
  readonly batch: number;
  readonly context: number;
}

export interface FloorBytes {
  readonly weights: number;
  readonly cache: number;
}

/**
 * Every weight once, of experts as many as uniform choices take on average; the keys and values of all positions that are attended to.
 * @returns undefined for models with layers whose share is not counted here (latent attention, state spaces)
 */
export function stepFloor(
  config: DecoderConfig,
  dtype: DType,
  load: Load,
  kvDtype = dtype,
): FloorBytes | undefined {
  const { hiddenSize: hidden, vocabSize, blocks } = config;
  let [weights, cache] = [vocabSize * hidden, 0];
  for (const block of blocks) {
    const counted = blockFloor(block, hidden, load);
    if (counted === undefined) return undefined;
    weights += counted.weights;
    cache += counted.cache;
  }
  return { weights: storageBytes(dtype, Math.round(weights)), cache: storageBytes(kvDtype, cache) };
}

/** In elements. */
function blockFloor(
  { mixer: { layer }, feedForward }: BlockConfig,
  hidden: number,
  { batch, context }: Load,
): FloorBytes | undefined {
  if (layer.kind !== "attention") return undefined;
  const { numHeads, numKvHeads, headDim, window } = layer;
  const seen = window > 0 ? Math.min(window, context) : context;
  const attention = hidden * headDim * (2 * numHeads + 2 * numKvHeads);
  const mlp = feedForward === undefined ? 0 : feedForwardFloor(feedForward.layer, hidden, batch);
  return { weights: attention + mlp, cache: 2 * numKvHeads * headDim * seen * batch };
}

function feedForwardFloor(layer: FeedForwardConfig, hidden: number, batch: number): number {
  switch (layer.kind) {
    case "gated":
      return 3 * hidden * layer.intermediateSize;
    case "plain":
      return 2 * hidden * layer.intermediateSize;
    case "moe": {
      const { router, experts, shared } = layer;
      const used = usedExperts(router.numExperts, router.topK, batch);
      const each = 3 * hidden * experts.intermediateSize;
      const always = shared === undefined ? 0 : 3 * hidden * shared.mlp.intermediateSize;
      return hidden * router.numExperts + used * each + always;
    }
    default:
      return layer satisfies never;
  }
}

/** Experts that at least one of `rows` rows takes, on average, where all are alike likely. */
export function usedExperts(experts: number, topK: number, rows: number): number {
  return experts * (1 - (1 - topK / experts) ** rows);
}

type Arguments = Readonly<Record<string, KernelArgument>>;

/** Tensors of which a launch touches as much as its rows ask for. */
const ROWS_OF: Readonly<Record<string, readonly string[]>> = {
  embedding: ["table"],
  rope_kv_write: ["cosSin", "kCache", "vCache"],
  qk_norm_rope_kv_write: ["cosSin", "kCache", "vCache"],
};

/**
 * Bytes of a launch's tensors, each counted once: caches and page tables by the positions that the load has, tables by the rows that are
 * taken, experts by those that are used.
 */
export function launchBytes(kernel: string, args: Arguments, load: Load): number {
  const tensors = Object.entries(args).flatMap(([name, arg]) =>
    typeof arg === "object" ? [[name, arg] as const] : [],
  );
  const touched = tensors.map(([name, tensor]) => {
    const share = shareOf(kernel, name, tensor, args, load);
    return tensorBytes(tensor) * Math.min(1, share);
  });
  return touched.reduce((sum, bytes) => sum + bytes, 0);
}

function shareOf(
  kernel: string,
  name: string,
  tensor: Tensor,
  args: Arguments,
  load: Load,
): number {
  const [first = 1, second = 1] = tensor.shape;
  if (ROWS_OF[kernel]?.includes(name)) {
    const positions = name.endsWith("Cache") ? first * second : first;
    return load.batch / positions;
  }
  if (name.endsWith("Cache")) {
    const { window } = args;
    const seen =
      typeof window === "number" && window > 0 ? Math.min(window, load.context) : load.context;
    return (load.batch * seen) / (first * second);
  }
  if (name === "table") return Math.ceil(load.context / pageSizeOf(args)) / second;
  if (kernel.startsWith("moe_gemm") && name === "w") return expertShare(first, args);
  return 1;
}

function pageSizeOf({ kCache }: Arguments): number {
  return typeof kCache === "object" ? (kCache.shape[1] ?? 1) : 1;
}

/** By slots: each takes one expert. */
function expertShare(experts: number, { y }: Arguments): number {
  const slots = typeof y === "object" ? elementsOf(y.shape.slice(0, 1)) : 1;
  return usedExperts(experts, 1, slots) / experts;
}
