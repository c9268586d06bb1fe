/** [dsl/kernels] Puts the splits of mla-decode.ts together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  cast,
  exp2,
  full,
  load,
  max,
  maximum,
  pid,
  range,
  span,
  store,
  sum,
  zeros,
} from "../ops/catalogue.ts";
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
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/** Log-sum of a split without keys: finite, and below any real one, so that merging gives it the weight 0. */
export const EMPTY_LOG_SUM = -1e30;

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
    params: {
      partial: tensor("f32", "S", "HKV", "SPLIT", "G", "D"),
      lse: tensor("f32", "S", "HKV", "SPLIT", "G"),
      o: out("T", "S", "HKV", "G", "D"),
    },
    config: { BS: 8 },
    tune: { BS: [4, 8, 16, 32] },
    specialize: ["D"],
    grid: ({ S, HKV, G }) => [G, HKV, S],
  },
  ({ partial, lse, o, SPLIT, D, T }, { BS }) => {
    const g = pid(0);
    const h = pid(1);
    const s = pid(2);
    let m = full("f32", EMPTY_LOG_SUM);
    let l = full("f32", 0);
    let acc = zeros("f32", D);
    for (const j of range(0, SPLIT, BS)) {
      const x = load(lse, [s, h, span(j, BS), g], { fill: EMPTY_LOG_SUM });
      const mNew = maximum(m, max(x, "BS"));
      const w = exp2(x - mNew);
      const alpha = exp2(m - mNew);
      l = l * alpha + sum(w, "BS");
      acc = acc * alpha + sum(w * load(partial, [s, h, span(j, BS), g, all(D)]), "BS");
      m = mNew;
    }
    store(o, [s, h, g, all(D)], cast(acc / l, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
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

function inputs(problem: Problem): KernelInputs {
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

function reference(call: ReferenceCall) {
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
    const largest = Math.max(...sums);
    const weights = sums.map((x) => 2 ** (x - largest));
    const total = weights.reduce((a, b) => a + b, 0);
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
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: mergeBytes,
  flops: mergeFlops,
});

function mergeBytes(problem: Problem): number {
  const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
  return (
    storageBytes("f32", rows * dimOf(problem, "SPLIT") * (dimOf(problem, "D") + 1)) +
    storageBytes(dtypeOf(problem, "T"), rows * dimOf(problem, "D"))
  );
}

function mergeFlops(problem: Problem): number {
  const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
  return 2 * rows * dimOf(problem, "SPLIT") * dimOf(problem, "D");
}
