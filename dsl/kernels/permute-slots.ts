/** [dsl/kernels] Rows of activations once for each expert that takes them, columns in that expert's order: what experts need whose columns were sorted by group. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cdiv, floordiv, gather, load, pid, store, tile } from "../ops/catalogue.ts";
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
import { intsOf, randomRouting } from "./moe-samples.ts";
import { editable, elementAt, permutation, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y[s, i] = x[floor(s / (S / R)), order[ids[s], i]].
 * @param x `[R, K]`; S is a multiple of R
 * @param ids `[S]`: the expert of each slot
 * @param order `[E, K]`, each column once an expert
 * @returns y `[S, K]`; rows of slots whose expert is none of the E keep what they held
 */
export const permuteSlots = kernel(
  {
    name: "permute_slots",
    dtypes: { T: ["bf16", "f16", "f32"] },
    params: {
      x: tensor("T", "R", "K"),
      ids: tensor("i32", "S"),
      order: tensor("i32", "E", "K"),
      y: out("T", "S", "K"),
    },
    config: { BK: 256 },
    tune: { BK: [128, 256, 512, 1024] },
    grid: ({ S, K }, { BK }) => [S, cdiv(K, BK)],
  },
  ({ x, ids, order, y, R, S, E }, { BK }) => {
    const slot = pid(0);
    const e = load(ids, [slot]);
    if (e < 0) return;
    if (e >= E) return;
    const columns = tile(pid(1), BK);
    const from = load(order, [e, columns], { fill: -1 });
    store(y, [slot, columns], load(x, [floordiv(slot, floordiv(S, R)), gather(from)]));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, S: 0, E: 2, K: 8 } },
  { name: "prime sizes", seed: 2, dims: { R: 5, S: 15, E: 7, K: 37 }, config: { BK: 32 } },
  { name: "default blocks", seed: 3, dims: { R: 6, S: 12, E: 3, K: 320 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dim = (name: string): number => dimOf(problem, name);
  const [rows, slots, experts, columns] = [dim("R"), dim("S"), dim("E"), dim("K")];
  const orders = Array.from({ length: experts }, () => permutation(random, columns));
  const chosen = rows === 0 ? [] : randomRouting(random, rows, experts, slots / rows);
  // One that no expert has.
  const ids = chosen.map((id, slot) => (slot === 4 ? experts : id));
  return {
    tensors: {
      x: randomTensor(random, dtypeOf(problem, "T"), [rows, columns]),
      ids: intsOf([slots], ids),
      order: intsOf([experts, columns], orders.flat()),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const [x, ids, order] = [tensorOf(call, "x"), tensorOf(call, "ids"), tensorOf(call, "order")];
  const y = editable(tensorOf(call, "y"));
  const [experts = 0, width = 0] = order.shape;
  const share = ids.data.length / (x.shape[0] ?? 1);
  ids.data.forEach((e, slot) => {
    if (e < 0 || e >= experts) return;
    for (let i = 0; i < width; i++)
      y.set(elementAt(x, Math.floor(slot / share), elementAt(order, e, i)), slot, i);
  });
  return { y: { data: y.data, tolerance: { kind: "exact" as const } } };
}

export const permuteSlotsEntry = defineKernelEntry({
  kernel: permuteSlots,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const [slots, columns] = [dimOf(problem, "S"), dimOf(problem, "K")];
    return storageBytes(dtypeOf(problem, "T"), 2 * slots * columns) + 4 * slots * columns;
  },
  flops: () => 0,
});
