/** [dsl/kernels] RMS normalisation over all query heads of a token together, and over all its key heads, in place. One head at a time: qk-norm.ts. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, scalar, tensor } from "../language.ts";
import { all, cast, load, pid, rsqrt, span, store, sum } from "../ops/catalogue.ts";
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
import { normalizeRow } from "./rms-norm.ts";
import { editable, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Columns [0, Q) of each row are normalised with `wq`, columns [Q, Q + K) with `wk`, later columns stay as they are.
 * @param qkv `[N, C]`, in place
 * @param wq `[Q]`
 * @param wk `[K]`
 * @param eps added to the mean square of each part
 * @source arXiv 2501.00656 (OLMo 2: QK-norm over the whole projection)
 */
export const qkRowNorm = kernel(
  {
    name: "qk_row_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      qkv: inout("T", "N", "C"),
      wq: tensor("T", "Q"),
      wk: tensor("T", "K"),
      eps: scalar("f32"),
    },
    specialize: ["Q", "K"],
    grid: ({ N }) => [N, 2],
  },
  ({ qkv, wq, wk, eps, Q, K, T }) => {
    const n = pid(0);
    if (pid(1) === 0) {
      const v = cast(load(qkv, [n, span(0, Q)]), "f32");
      const scale = rsqrt(sum(v * v, "Q") / Q + eps);
      store(qkv, [n, span(0, Q)], cast(v * scale * cast(load(wq, [all(Q)]), "f32"), T));
    } else {
      const v = cast(load(qkv, [n, span(Q, K)]), "f32");
      const scale = rsqrt(sum(v * v, "K") / K + eps);
      store(qkv, [n, span(Q, K)], cast(v * scale * cast(load(wk, [all(K)]), "f32"), T));
    }
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no tokens", seed: 1, dims: { N: 0, C: 24, Q: 8, K: 8 } },
  { name: "one token", seed: 2, dims: { N: 1, C: 24, Q: 8, K: 8 } },
  { name: "not a power of two", seed: 3, dims: { N: 3, C: 236, Q: 172, K: 32 } },
  { name: "groups of 4", seed: 4, dims: { N: 2, C: 1536, Q: 1024, K: 256 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, c, q, k] = [
    dimOf(problem, "N"),
    dimOf(problem, "C"),
    dimOf(problem, "Q"),
    dimOf(problem, "K"),
  ];
  return {
    tensors: {
      // Values are poison: they must be neither read nor written.
      qkv: hostTensor(dtype, [n, c], (i) => (i % c < q + k ? random.normal() : Number.NaN)),
      wq: randomTensor(random, dtype, [q]),
      wk: randomTensor(random, dtype, [k]),
    },
    scalars: { eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const before = tensorOf(call, "qkv");
  const qkv = editable(before);
  const [tokens = 0, width = 0] = before.shape;
  const eps = scalarOf(call, "eps");
  const [wq, wk] = [tensorOf(call, "wq").data, tensorOf(call, "wk").data];
  for (let n = 0; n < tokens; n++) {
    const row = before.data.subarray(n * width, (n + 1) * width);
    const queries = normalizeRow(row.subarray(0, wq.length), wq, eps);
    const keys = normalizeRow(row.subarray(wq.length, wq.length + wk.length), wk, eps);
    qkv.setRow([...queries, ...keys], n);
  }
  const length = dimOf(call.problem, "Q");
  return { qkv: { data: qkv.data, tolerance: { kind: "rounding" as const, length } } };
}

function elements(problem: Problem): number {
  return dimOf(problem, "N") * (dimOf(problem, "Q") + dimOf(problem, "K"));
}

export const qkRowNormEntry = defineKernelEntry({
  kernel: qkRowNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => 2 * storageBytes(dtypeOf(problem, "T"), elements(problem)),
  flops: (problem) => 5 * elements(problem),
});
