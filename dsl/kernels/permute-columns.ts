/** [dsl/kernels] Columns of activations in another order: what products with weights need whose columns were sorted by group. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cdiv, gather, load, pid, store, tile } from "../ops/catalogue.ts";
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
  intTensor,
  permutation,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/**
 * y[:, i] = x[:, order[i]].
 * @param x `[M, K]`
 * @param order `[K]`, each column once
 * @returns y `[M, K]`
 */
export const permuteColumns = kernel(
  {
    name: "permute_columns",
    dtypes: { T: ["bf16", "f16", "f32"] },
    params: { x: tensor("T", "M", "K"), order: tensor("i32", "K"), y: out("T", "M", "K") },
    config: { BM: 4, BK: 256 },
    tune: { BM: [1, 2, 4, 8], BK: [128, 256, 512, 1024] },
    grid: ({ M, K }, { BM, BK }) => [cdiv(K, BK), cdiv(M, BM)],
  },
  ({ x, order, y }, { BM, BK }) => {
    const rows = tile(pid(1), BM);
    const columns = tile(pid(0), BK);
    const from = load(order, [columns], { fill: -1 });
    store(y, [rows, columns], load(x, [rows, gather(from)]));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, K: 8 } },
  { name: "prime sizes", seed: 2, dims: { M: 5, K: 37 }, config: { BM: 2, BK: 32 } },
  { name: "default blocks", seed: 3, dims: { M: 9, K: 320 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [m, k] = [dimOf(problem, "M"), dimOf(problem, "K")];
  const x = randomTensor(random, dtypeOf(problem, "T"), [m, k]);
  return { tensors: { x, order: intTensor(permutation(random, k)) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const [x, order] = [tensorOf(call, "x"), tensorOf(call, "order")];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++)
    for (let i = 0; i < width; i++) y.set(elementAt(x, r, elementAt(order, i)), r, i);
  return { y: { data: y.data, tolerance: { kind: "exact" as const } } };
}

export const permuteColumnsEntry = defineKernelEntry({
  kernel: permuteColumns,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const elements = dimOf(problem, "M") * dimOf(problem, "K");
    return storageBytes(dtypeOf(problem, "T"), 2 * elements) + 4 * dimOf(problem, "K");
  },
  flops: () => 0,
});
