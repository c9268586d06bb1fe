/** [dsl/kernels] Token embedding plus learned position embedding. Without positions: embedding.ts. */
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
 * y[n] = table[ids[n]] + learned[positions[n]], in f32 and rounded once; an id of -1 counts as a row of zeros.
 * @param ids i32 `[N]`, each in [-1, V)
 * @param positions i32 `[N]`, each in [0, P)
 * @param table `[V, H]`
 * @param learned `[P, H]`
 * @returns y `[N, H]`
 */
export const embeddingWithPositions = kernel(
  {
    name: "embedding_with_positions",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      ids: tensor("i32", "N"),
      positions: tensor("i32", "N"),
      table: tensor("T", "V", "H"),
      learned: tensor("T", "P", "H"),
      y: out("T", "N", "H"),
    },
    config: { BN: 1, BH: 1024 },
    tune: { BN: [1, 4, 8], BH: [256, 512, 1024, 2048] },
    grid: ({ N, H }, { BN, BH }) => [cdiv(N, BN), cdiv(H, BH)],
  },
  ({ ids, positions, table, learned, y, T }, { BN, BH }) => {
    const rows = tile(pid(0), BN);
    const columns = tile(pid(1), BH);
    const id = load(ids, [rows], { fill: -1 });
    const position = load(positions, [rows], { fill: -1 });
    const token = cast(load(table, [gather(id), columns]), "f32");
    const place = cast(load(learned, [gather(position), columns]), "f32");
    store(y, [rows, columns], cast(token + place, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { N: 0, V: 5, P: 4, H: 16 } },
  { name: "one row of one", seed: 2, dims: { N: 1, V: 1, P: 1, H: 1 } },
  { name: "prime sizes", seed: 3, dims: { N: 7, V: 13, P: 5, H: 61 }, config: { BN: 4, BH: 32 } },
  { name: "default blocks", seed: 4, dims: { N: 4, V: 17, P: 9, H: 1032 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [n, v, p, h] = ["N", "V", "P", "H"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const ids = Array.from({ length: n }, (_, i) => (i % 3 === 2 ? -1 : random.integer(0, v)));
  return {
    tensors: {
      ids: intTensor(ids),
      positions: intTensor(ids.map(() => random.integer(0, p))),
      table: randomTensor(random, dtypeOf(problem, "T"), [v, h]),
      learned: randomTensor(random, dtypeOf(problem, "T"), [p, h]),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const [ids, positions] = [tensorOf(call, "ids"), tensorOf(call, "positions")];
  const [table, learned] = [tensorOf(call, "table"), tensorOf(call, "learned")];
  const y = editable(tensorOf(call, "y"));
  const width = table.shape[1] ?? 0;
  ids.data.forEach((id, n) => {
    const position = elementAt(positions, n);
    for (let h = 0; h < width; h++) {
      const token = id < 0 ? 0 : elementAt(table, id, h);
      y.set(Math.fround(token + elementAt(learned, position, h)), n, h);
    }
  });
  return { y: { data: y.data, tolerance: { kind: "exact" as const } } };
}

export const embeddingWithPositionsEntry = defineKernelEntry({
  kernel: embeddingWithPositions,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes("i32", 2 * dimOf(problem, "N")) +
    3 * storageBytes(dtypeOf(problem, "T"), dimOf(problem, "N") * dimOf(problem, "H")),
  flops: (problem) => dimOf(problem, "N") * dimOf(problem, "H"),
});
