/** [dsl/kernels] Row gather from a table: token embeddings, and picking rows of activations. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, gather, load, pid, store, tile } from "../ops/catalogue.ts";
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
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y[n] = table[ids[n]] · SCALE, rounded to T; an id of -1 gives a row of zeros.
 * @param ids i32 `[N]`, each in [-1, V)
 * @param table `[V, H]`
 * @returns y `[N, H]`
 */
export const embedding = kernel(
  {
    name: "embedding",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      ids: tensor("i32", "N"),
      table: tensor("T", "V", "H"),
      y: out("T", "N", "H"),
    },
    config: { BN: 1, BH: 1024, SCALE: 1 },
    tune: { BN: [1, 4, 8], BH: [256, 512, 1024, 2048] },
    grid: ({ N, H }, { BN, BH }) => [cdiv(N, BN), cdiv(H, BH)],
  },
  ({ ids, table, y, T }, { BN, BH, SCALE }) => {
    const rows = tile(pid(0), BN);
    const columns = tile(pid(1), BH);
    const id = load(ids, [rows], { fill: -1 });
    const row = load(table, [gather(id), columns]);
    store(y, [rows, columns], SCALE === 1 ? row : cast(cast(row, "f32") * SCALE, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { N: 0, V: 5, H: 16 } },
  { name: "one row of one", seed: 2, dims: { N: 1, V: 1, H: 1 } },
  { name: "prime sizes", seed: 3, dims: { N: 7, V: 13, H: 61 }, config: { BN: 4, BH: 32 } },
  { name: "block - 1", seed: 4, dims: { N: 3, V: 9, H: 63 }, config: { BN: 4, BH: 64 } },
  { name: "block + 1", seed: 5, dims: { N: 5, V: 9, H: 65 }, config: { BN: 4, BH: 64 } },
  { name: "scaled", seed: 7, dims: { N: 3, V: 5, H: 40 }, config: { BH: 64, SCALE: 11.3125 } },
  { name: "default blocks", seed: 6, dims: { N: 4, V: 17, H: 1032 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [n, v, h] = [dimOf(problem, "N"), dimOf(problem, "V"), dimOf(problem, "H")];
  const ids = Array.from({ length: n }, (_, i) => (i % 3 === 2 ? -1 : random.integer(0, v)));
  return {
    tensors: {
      ids: intTensor(ids),
      table: randomTensor(random, dtypeOf(problem, "T"), [v, h]),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const ids = tensorOf(call, "ids");
  const table = tensorOf(call, "table");
  const y = editable(tensorOf(call, "y"));
  const width = table.shape[1] ?? 0;
  const scale = Number(call.problem.config?.["SCALE"] ?? 1);
  ids.data.forEach((id, n) => {
    for (let h = 0; h < width; h++) {
      y.set(id < 0 ? 0 : Math.fround(elementAt(table, id, h) * scale), n, h);
    }
  });
  return { y: { data: y.data, tolerance: { kind: "exact" as const } } };
}

export const embeddingEntry = defineKernelEntry({
  kernel: embedding,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes("i32", dimOf(problem, "N")) +
    2 * storageBytes(dtypeOf(problem, "T"), dimOf(problem, "N") * dimOf(problem, "H")),
  flops: () => 0,
});
