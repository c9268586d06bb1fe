/** [dsl/kernels] Puts the splits of paged-decode.ts together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel } from "../language.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { MERGE_CONFIG, MERGE_PARAMS, mergeSplits } from "./merge-splits.ts";
import { EMPTY_LOG_SUM } from "./paged-decode.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * o = Σ partial · 2^lse / Σ 2^lse over the splits of each head. One program a head; BS splits a step.
 * @param partial f32 `[S, HKV, SPLIT, G, D]`
 * @param lse f32 `[S, HKV, SPLIT, G]`, log2 domain; `EMPTY_LOG_SUM` for a split without keys
 * @returns o `[S, HKV, G, D]`; zeros where all splits are empty
 */
export const decodeMerge = kernel(
  {
    name: "decode_merge",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: MERGE_PARAMS,
    config: MERGE_CONFIG,
    tune: { BS: [4, 8, 16, 32] },
    specialize: ["D"],
    grid: ({ S, HKV, G }) => [G, HKV, S],
  },
  (args, config) => {
    mergeSplits(args, config, EMPTY_LOG_SUM, 0);
  },
);

export const MERGE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no sequences", seed: 1, dims: { S: 0, HKV: 1, SPLIT: 2, G: 1, D: 16 } },
  { name: "one split", seed: 2, dims: { S: 1, HKV: 1, SPLIT: 1, G: 1, D: 8 } },
  { name: "block - 1 splits", seed: 3, dims: { S: 2, HKV: 2, SPLIT: 7, G: 4, D: 64 } },
  { name: "block + 1 splits", seed: 4, dims: { S: 2, HKV: 1, SPLIT: 9, G: 7, D: 80 } },
  {
    name: "empty splits",
    seed: 5,
    dims: { S: 3, HKV: 1, SPLIT: 5, G: 2, D: 128 },
    config: { BS: 4 },
    options: { empty: 2 },
  },
];

/** Splits j ≥ SPLIT - empty hold no keys; the last sequence holds none at all. */
function isEmpty(problem: Problem, s: number, split: number): boolean {
  const empty = problem.options?.["empty"] ?? 0;
  if (empty === 0) return false;
  return split >= dimOf(problem, "SPLIT") - empty || s === dimOf(problem, "S") - 1;
}

export function mergeInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [s, h, splits, g, d] = ["S", "HKV", "SPLIT", "G", "D"].map((dim) =>
    dimOf(problem, dim),
  ) as [number, number, number, number, number];
  const emptyAt = (row: number) =>
    isEmpty(problem, Math.floor(row / (g * splits * h)), Math.floor(row / g) % splits);
  const partial = randomTensor(random, "f32", [s, h, splits, g, d]);
  return {
    tensors: {
      partial: {
        ...partial,
        data: partial.data.map((v, i) => (emptyAt(Math.floor(i / d)) ? 0 : v)),
      },
      lse: hostTensor("f32", [s, h, splits, g], (row) =>
        emptyAt(row) ? EMPTY_LOG_SUM : 5 * random.normal(),
      ),
    },
    scalars: {},
  };
}

/** @param sinkOf sink of a query head of a kv head, in the log2 domain */
export function mergeReference(
  call: ReferenceCall,
  sinkOf: (kvHead: number, index: number) => number = () => Number.NEGATIVE_INFINITY,
) {
  const [partial, lse] = [tensorOf(call, "partial"), tensorOf(call, "lse")];
  const o = editable(tensorOf(call, "o"));
  const [sequences = 0, heads = 0, splits = 0, group = 0, d = 0] = partial.shape;
  for (let row = 0; row < sequences * heads * group; row++) {
    const [s, h, g] = [
      Math.floor(row / (heads * group)),
      Math.floor(row / group) % heads,
      row % group,
    ];
    const sums = Array.from({ length: splits }, (_, j) => elementAt(lse, s, h, j, g));
    const sink = sinkOf(h, g);
    const largest = Math.max(...sums, sink);
    const weights = sums.map((x) => 2 ** (x - largest));
    const total = weights.reduce((a, b) => a + b, 2 ** (sink - largest));
    for (let c = 0; c < d; c++) {
      const value = weights.reduce((t, w, j) => t + w * elementAt(partial, s, h, j, g, c), 0);
      o.set(value / total, s, h, g, c);
    }
  }
  return {
    o: { data: o.data, tolerance: { kind: "rounding" as const, length: splits, scale: 4 } },
  };
}

export const decodeMergeEntry = defineKernelEntry({
  kernel: decodeMerge,
  samples: forDTypes("T", ["f32", "f16", "bf16"], MERGE_SHAPES),
  inputs: mergeInputs,
  reference: (call) => mergeReference(call),
  bytes: mergeBytes,
  flops: mergeFlops,
});

export function mergeBytes(problem: Problem): number {
  const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
  return (
    storageBytes("f32", rows * dimOf(problem, "SPLIT") * (dimOf(problem, "D") + 1)) +
    storageBytes(dtypeOf(problem, "T"), rows * dimOf(problem, "D"))
  );
}

export function mergeFlops(problem: Problem): number {
  const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
  return 2 * rows * dimOf(problem, "SPLIT") * dimOf(problem, "D");
}
