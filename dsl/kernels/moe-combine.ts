/** [dsl/kernels] Puts the results of a token's experts together: their weighted sum, and what the shared expert adds. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, load, pid, range, sigmoid, store, tile, zeros } from "../ops/catalogue.ts";
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
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y[r] = Σ weights[r, k] · x[r, k] over the K experts of a row, then what NS shared experts add, in this order, in f32 and rounded once.
 * With gates (NG = NS) each shared part is multiplied by the sigmoid of its gate.
 * @param x `[R, K, H]`: results of the chosen experts
 * @param weights f32 `[R, K]`
 * @param shared `[R, NS, H]`; NS is 0 where the model has none
 * @param gates f32 `[R, NG]`: logits; NG is 0 or NS
 * @returns y `[R, H]`
 */
export const moeCombine = kernel(
  {
    name: "moe_combine",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "K", "H"),
      weights: tensor("f32", "R", "K"),
      shared: tensor("T", "R", "NS", "H"),
      gates: tensor("f32", "R", "NG"),
      y: out("T", "R", "H"),
    },
    config: { BR: 1, BH: 1024 },
    tune: { BR: [1, 2, 4], BH: [256, 512, 1024, 2048] },
    specialize: ["K", "NS", "NG"],
    grid: ({ R, H }, { BR, BH }) => [cdiv(R, BR), cdiv(H, BH)],
  },
  ({ x, weights, shared, gates, y, K, NS, NG, T }, { BR, BH }) => {
    const rows = tile(pid(0), BR);
    const columns = tile(pid(1), BH);
    let total = zeros("f32", BR, BH);
    for (const k of range(K)) {
      total = total + load(weights, [rows, k]) * cast(load(x, [rows, k, columns]), "f32");
    }
    for (const s of range(NS)) {
      const added = cast(load(shared, [rows, s, columns]), "f32");
      total = total + (NG > 0 ? sigmoid(load(gates, [rows, s])) * added : added);
    }
    store(y, [rows, columns], cast(total, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, K: 2, NS: 0, NG: 0, H: 16 } },
  { name: "one of one", seed: 2, dims: { R: 1, K: 1, NS: 0, NG: 0, H: 1 } },
  {
    name: "prime sizes, shared",
    seed: 3,
    dims: { R: 5, K: 3, NS: 1, NG: 0, H: 37 },
    config: { BR: 2, BH: 32 },
  },
  {
    name: "two shared with gates, block + 1",
    seed: 4,
    dims: { R: 3, K: 2, NS: 2, NG: 2, H: 65 },
    config: { BR: 4, BH: 64 },
  },
  { name: "default blocks", seed: 5, dims: { R: 3, K: 8, NS: 1, NG: 1, H: 1032 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [r, k, h] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "H")];
  return {
    tensors: {
      x: randomTensor(random, dtype, [r, k, h]),
      weights: randomTensor(random, "f32", [r, k]),
      shared: randomTensor(random, dtype, [r, dimOf(problem, "NS"), h]),
      gates: randomTensor(random, "f32", [r, dimOf(problem, "NG")], 2),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const [x, weights] = [tensorOf(call, "x"), tensorOf(call, "weights")];
  const [shared, gates] = [tensorOf(call, "shared"), tensorOf(call, "gates")];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, k = 0, width = 0] = x.shape;
  const [, numShared = 0] = shared.shape;
  const isGated = (gates.shape[1] ?? 0) > 0;
  let scale = 0;
  for (let r = 0; r < rows; r++) {
    for (let h = 0; h < width; h++) {
      const routed = Array.from(
        { length: k },
        (_, i) => elementAt(weights, r, i) * elementAt(x, r, i, h),
      );
      const added = Array.from(
        { length: numShared },
        (_, s) =>
          elementAt(shared, r, s, h) / (isGated ? 1 + Math.exp(-elementAt(gates, r, s)) : 1),
      );
      const terms = [...routed, ...added];
      scale = Math.max(
        scale,
        terms.reduce((sum, term) => sum + Math.abs(term), 0),
      );
      y.set(
        terms.reduce((sum, term) => sum + term, 0),
        r,
        h,
      );
    }
  }
  const tolerance = { kind: "rounding" as const, length: k + numShared, scale };
  return { y: { data: y.data, tolerance } };
}

export const moeCombineEntry = defineKernelEntry({
  kernel: moeCombine,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const rows = dimOf(problem, "K") + dimOf(problem, "NS") + 1;
    return storageBytes(dtypeOf(problem, "T"), dimOf(problem, "R") * rows * dimOf(problem, "H"));
  },
  flops: (problem) =>
    2 * dimOf(problem, "R") * (dimOf(problem, "K") + dimOf(problem, "NS")) * dimOf(problem, "H"),
});
