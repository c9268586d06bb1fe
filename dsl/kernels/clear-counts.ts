/** [dsl/kernels] Empties rows of token counts, for requests that take them over. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, tensor } from "../language.ts";
import { cdiv, load, pid, store, tile, zeros } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, hostTensor, intTensor, permutation, randomSource } from "./sample-data.ts";

/**
 * counts[row[r], :] = 0, for each r.
 * @param counts i32 `[N, V]`, in place
 * @param row i32 `[R]`, each once; -1 skips
 */
export const clearCounts = kernel(
  {
    name: "clear_counts",
    params: { counts: inout("i32", "N", "V"), row: tensor("i32", "R") },
    config: { BV: 1024 },
    tune: { BV: [256, 512, 1024, 2048] },
    grid: ({ R, V }, { BV }) => [R, cdiv(V, BV)],
  },
  ({ counts, row }, { BV }) => {
    const r = load(row, [pid(0)]);
    if (r >= 0) store(counts, [r, tile(pid(1), BV)], zeros("i32", BV));
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { N: 2, V: 5, R: 0 }, dtypes: {} },
  {
    name: "prime vocabulary",
    seed: 2,
    dims: { N: 5, V: 61, R: 3 },
    dtypes: {},
    config: { BV: 32 },
  },
  { name: "default block", seed: 3, dims: { N: 4, V: 1030, R: 4 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [N, V, R] = ["N", "V", "R"].map((dim) => dimOf(problem, dim));
  const order = permutation(random, N ?? 0);
  return {
    tensors: {
      counts: hostTensor("i32", [N ?? 0, V ?? 0], () => random.integer(1, 2 ** 30)),
      row: intTensor(Array.from({ length: R ?? 0 }, (_, r) => (r === 1 ? -1 : (order[r] ?? -1)))),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const counts = editable(tensorOf(call, "counts"));
  const [, vocabulary = 0] = tensorOf(call, "counts").shape;
  for (const row of tensorOf(call, "row").data)
    if (row >= 0) counts.data.fill(0, row * vocabulary, (row + 1) * vocabulary);
  return { counts: { data: counts.data, tolerance: { kind: "exact" as const } } };
}

export const clearCountsEntry = defineKernelEntry({
  kernel: clearCounts,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) => storageBytes("i32", dimOf(problem, "R") * dimOf(problem, "V")),
  flops: () => 0,
});
