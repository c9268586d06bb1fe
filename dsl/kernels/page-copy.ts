/** [dsl/kernels] Copies whole pages of the caches, for copy-on-write. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, tensor } from "../language.ts";
import { all, cdiv, load, pid, span, store } from "../ops/catalogue.ts";
import { CACHE_DTYPES } from "./cache-dtypes.ts";
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
import {
  editable,
  elementAt,
  hostTensor,
  intTensor,
  permutation,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/**
 * Copies page src to page dst in both caches, for each pair. One program a pair, slot and block of heads.
 * @param pairs i32 `[P, 2]`: (src, dst); a pair with a negative src is skipped. No page is dst twice, nor both src and dst.
 * @param kCache `[NB, PAGE, HKV, D]`, in place
 * @param vCache `[NB, PAGE, HKV, DV]`, in place
 */
export const pageCopy = kernel(
  {
    name: "page_copy",
    dtypes: { T: CACHE_DTYPES },
    params: {
      pairs: tensor("i32", "P", 2),
      kCache: inout("T", "NB", "PAGE", "HKV", "D"),
      vCache: inout("T", "NB", "PAGE", "HKV", "DV"),
    },
    config: { BH: 8 },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["D", "DV"],
    grid: ({ P, PAGE, HKV }, { BH }) => [P, PAGE, cdiv(HKV, BH)],
  },
  ({ pairs, kCache, vCache, HKV, D, DV }, { BH }) => {
    const from = load(pairs, [pid(0), 0]);
    if (from >= 0) {
      const to = load(pairs, [pid(0), 1]);
      const slot = pid(1);
      const heads = span(pid(2) * BH, BH, HKV);
      store(kCache, [to, slot, heads, all(D)], load(kCache, [from, slot, heads, all(D)]));
      store(vCache, [to, slot, heads, all(DV)], load(vCache, [from, slot, heads, all(DV)]));
    }
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no pairs", seed: 1, dims: { P: 0, NB: 3, PAGE: 4, HKV: 1, D: 8, DV: 8 } },
  { name: "one pair", seed: 2, dims: { P: 1, NB: 2, PAGE: 4, HKV: 1, D: 8, DV: 8 } },
  {
    name: "skipped pairs",
    seed: 3,
    dims: { P: 3, NB: 7, PAGE: 4, HKV: 2, D: 80, DV: 16 },
    options: { skipped: 1 },
  },
  { name: "heads past a block", seed: 4, dims: { P: 2, NB: 5, PAGE: 16, HKV: 9, D: 64, DV: 64 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const shape = (width: string) => ["NB", "PAGE", "HKV", width].map((dim) => dimOf(problem, dim));
  const order = permutation(random, dimOf(problem, "NB"));
  const isSkipped = (p: number) => p < (problem.options?.["skipped"] ?? 0);
  const pairs = Array.from({ length: dimOf(problem, "P") }, (_, p) =>
    isSkipped(p) ? [-1, -1] : [order[2 * p] ?? 0, order[2 * p + 1] ?? 0],
  );
  return {
    tensors: {
      pairs: { ...intTensor(pairs.flat()), shape: [pairs.length, 2] },
      kCache: randomTensor(random, dtype, shape("D")),
      // A page may hold anything in slots not yet written.
      vCache: hostTensor(dtype, shape("DV"), (i) => (i % 5 === 0 ? Number.NaN : random.normal())),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const pairs = tensorOf(call, "pairs");
  const result: Record<string, { data: Float64Array; tolerance: { kind: "exact" } }> = {};
  for (const name of ["kCache", "vCache"]) {
    const before = tensorOf(call, name);
    const after = editable(before);
    const [, page = 0, heads = 0, d = 0] = before.shape;
    const size = page * heads * d;
    for (let p = 0; p < dimOf(call.problem, "P"); p++) {
      const [from, to] = [elementAt(pairs, p, 0), elementAt(pairs, p, 1)];
      if (from < 0) continue;
      after.data.set(before.data.subarray(from * size, (from + 1) * size), to * size);
    }
    result[name] = { data: after.data, tolerance: { kind: "exact" } };
  }
  return result;
}

export const pageCopyEntry = defineKernelEntry({
  kernel: pageCopy,
  samples: [
    ...forDTypes("T", ["f8e4m3"], SHAPES.slice(-1)),
    ...forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  ],
  inputs,
  reference,
  bytes: (problem) =>
    2 *
    storageBytes(
      dtypeOf(problem, "T"),
      dimOf(problem, "P") *
        dimOf(problem, "PAGE") *
        dimOf(problem, "HKV") *
        (dimOf(problem, "D") + dimOf(problem, "DV")),
    ),
  flops: () => 0,
});
