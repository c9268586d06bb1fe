/** [dsl/kernels] RMS normalisation of each query and key head, in place in the output of the QKV projection. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  iota,
  load,
  pid,
  rsqrt,
  span,
  store,
  sum,
  where,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { normalizeRow, weightOffset } from "./rms-norm.ts";
import { editable, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Heads [0, numQ) are normalised with `wq`, heads [numQ, numQ + numK) with `wk`, later heads stay as they are.
 * One program a token and block of heads.
 * @param qkv `[N, HT, D]`, in place
 * @param wq `[D]`
 * @param wk `[D]`; config OFFSET is added to both weights, in f32
 * @param eps added to the mean square of each head
 * @source arXiv 2505.09388 (Qwen3 technical report: QK-Norm)
 */
export const qkNorm = kernel(
  {
    name: "qk_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      qkv: inout("T", "N", "HT", "D"),
      wq: tensor("T", "D"),
      wk: tensor("T", "D"),
      numQ: scalar("i32"),
      numK: scalar("i32"),
      eps: scalar("f32"),
    },
    config: { BH: 8, OFFSET: 0 },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["D"],
    grid: ({ N, HT }, { BH }) => [N, cdiv(HT, BH)],
  },
  ({ qkv, wq, wk, numQ, numK, eps, D, T }, { BH, OFFSET }) => {
    const n = pid(0);
    const first = pid(1) * BH;
    const heads = span(first, BH, numQ + numK);
    const v = cast(load(qkv, [n, heads, all(D)]), "f32");
    const w = where(
      first + iota(BH) < numQ,
      cast(load(wq, [all(D)]), "f32"),
      cast(load(wk, [all(D)]), "f32"),
    );
    const weight = OFFSET === 0 ? w : w + OFFSET;
    store(qkv, [n, heads, all(D)], cast(v * rsqrt(sum(v * v, "D") / D + eps) * weight, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no tokens", seed: 1, dims: { N: 0, HT: 3, D: 16 }, options: { numQ: 1, numK: 1 } },
  { name: "one head each", seed: 2, dims: { N: 1, HT: 3, D: 8 }, options: { numQ: 1, numK: 1 } },
  { name: "groups of 2", seed: 3, dims: { N: 3, HT: 8, D: 64 }, options: { numQ: 4, numK: 2 } },
  { name: "groups of 7", seed: 4, dims: { N: 2, HT: 9, D: 128 }, options: { numQ: 7, numK: 1 } },
  {
    name: "offset",
    seed: 6,
    dims: { N: 2, HT: 4, D: 16 },
    config: { OFFSET: 1 },
    options: { numQ: 2, numK: 1 },
  },
  {
    name: "head dim 80, small blocks",
    seed: 5,
    dims: { N: 2, HT: 13, D: 80 },
    config: { BH: 4 },
    options: { numQ: 7, numK: 3 },
  },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, ht, d] = [dimOf(problem, "N"), dimOf(problem, "HT"), dimOf(problem, "D")];
  const [numQ, numK] = [problem.options?.["numQ"] ?? 0, problem.options?.["numK"] ?? 0];
  // Value heads are poison: they must be neither read nor written.
  const isNormalised = (i: number) => Math.floor(i / d) % ht < numQ + numK;
  return {
    tensors: {
      qkv: hostTensor(dtype, [n, ht, d], (i) => (isNormalised(i) ? random.normal() : Number.NaN)),
      wq: randomTensor(random, dtype, [d]),
      wk: randomTensor(random, dtype, [d]),
    },
    scalars: { numQ, numK, eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const before = tensorOf(call, "qkv");
  const qkv = editable(before);
  const [tokens = 0, heads = 0, d = 0] = before.shape;
  const numQ = scalarOf(call, "numQ");
  for (let n = 0; n < tokens; n++) {
    for (let h = 0; h < numQ + scalarOf(call, "numK"); h++) {
      const start = (n * heads + h) * d;
      const weight = tensorOf(call, h < numQ ? "wq" : "wk").data;
      const row = before.data.subarray(start, start + d);
      const offset = weightOffset(call.problem);
      qkv.setRow(normalizeRow(row, weight, scalarOf(call, "eps"), offset), n, h);
    }
  }
  return { qkv: { data: qkv.data, tolerance: { kind: "rounding" as const, length: d } } };
}

export const qkNormEntry = defineKernelEntry({
  kernel: qkNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => 2 * storageBytes(dtypeOf(problem, "T"), elements(problem)),
  flops: (problem) => 5 * elements(problem),
});

function elements(problem: Problem): number {
  const heads = (problem.options?.["numQ"] ?? 0) + (problem.options?.["numK"] ?? 0);
  return dimOf(problem, "N") * heads * dimOf(problem, "D");
}
