/** [dsl/kernels] The K experts of each token by sigmoid scores with a bias on the choice alone. The router by softmax is in moe-route.ts. */
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, axis, cdiv, load, merge, pid, sigmoid, store, sum, tile } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { bestExperts, bestGroupsOnly, numbersOnly } from "./moe-groups.ts";
import { greatest, keepGroups, routerBytes, routerLogits } from "./moe-route-samples.ts";
import { editable, hostTensor, randomSource } from "./sample-data.ts";

/** Keeps weights finite where all chosen scores are 0. @source the reference code of DeepSeek-V3 */
const LEAST_TOTAL = 1e-20;

/**
 * Scores are sigmoid(logits). Chosen are, descending, the K experts with the largest score + bias; weights are the scores without the bias,
 * times `scaling`. Experts stand in NG groups of EG; with TG below NG only the TG groups with the largest sums of their GB best experts are
 * chosen from. Of equal experts and groups the one with the lower id comes first. NaN counts as -infinity in the choice and as a score of 0.
 * @param logits f32 `[R, NG, EG]`; NG is 1 for experts without groups
 * @param bias f32 `[NG, EG]`: of the choice alone, zeros for models without
 * @param scaling factor of the weights, unitless
 * @param renormalize (config) true: the K weights of a row sum to `scaling`
 * @returns ids i32 `[R, K]`: group × EG + place in it; weights f32 `[R, K]`
 * @source arXiv 2412.19437 section 2.1.2
 */
export const moeRouteSigmoid = kernel(
  {
    name: "moe_route_sigmoid",
    params: {
      logits: tensor("f32", "R", "NG", "EG"),
      bias: tensor("f32", "NG", "EG"),
      ids: out("i32", "R", "K"),
      weights: out("f32", "R", "K"),
      scaling: scalar("f32"),
    },
    config: { BR: 4, TG: 1, GB: 2, renormalize: true },
    tune: { BR: [1, 2, 4, 8] },
    specialize: ["NG", "EG", "K"],
    grid: ({ R }, { BR }) => cdiv(R, BR),
  },
  ({ logits, bias, ids, weights, scaling, NG, EG, K }, { BR, TG, GB, renormalize }) => {
    const rows = tile(pid(0), BR);
    const E = axis("E", NG * EG);
    const scores = sigmoid(numbersOnly(load(logits, [rows, all(NG), all(EG)])));
    const biased = numbersOnly(scores + load(bias, [all(NG), all(EG)]));
    const choice = TG < NG ? bestGroupsOnly(biased, NG, TG, GB) : biased;
    const flat = merge(scores, E, { axes: ["NG", "EG"] });
    const best = bestExperts(merge(choice, E, { axes: ["NG", "EG"] }), flat, BR, E, K);
    const total = renormalize ? sum(best.values, "K") + LEAST_TOTAL : 1;
    store(ids, [rows, all(K)], best.ids);
    store(weights, [rows, all(K)], (best.values / total) * scaling);
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { R: 0, NG: 1, EG: 4, K: 2 }, dtypes: {} },
  { name: "one of one", seed: 2, dims: { R: 1, NG: 1, EG: 1, K: 1 }, dtypes: {} },
  {
    name: "without groups",
    seed: 3,
    dims: { R: 5, NG: 1, EG: 37, K: 5 },
    dtypes: {},
    config: { renormalize: false },
    options: { scaling: 0.5 },
  },
  {
    name: "ties, one of two groups",
    seed: 4,
    dims: { R: 7, NG: 2, EG: 4, K: 2 },
    dtypes: {},
    config: { BR: 2 },
    options: { ties: 1 },
  },
  {
    name: "NaN and infinities",
    seed: 5,
    dims: { R: 5, NG: 4, EG: 4, K: 4 },
    dtypes: {},
    config: { TG: 2 },
    options: { odd: 1 },
  },
  {
    name: "groups by their best one",
    seed: 6,
    dims: { R: 6, NG: 8, EG: 8, K: 3 },
    dtypes: {},
    config: { TG: 3, GB: 1 },
  },
  {
    name: "four of eight groups",
    seed: 7,
    dims: { R: 3, NG: 8, EG: 32, K: 8 },
    dtypes: {},
    config: { TG: 4 },
    options: { scaling: 2.5 },
  },
  { name: "one of four groups", seed: 8, dims: { R: 6, NG: 4, EG: 16, K: 4 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed + 100);
  const shape = [dimOf(problem, "NG"), dimOf(problem, "EG")];
  const isTied = problem.options?.["ties"] === 1;
  return {
    tensors: {
      logits: routerLogits(problem),
      bias: hostTensor("f32", shape, () => (isTied ? 0.25 : random.normal() / 8)),
    },
    scalars: { scaling: problem.options?.["scaling"] ?? 1 },
  };
}

/** As a device would: f32 after each step, so that ties are the same. */
function scoreOf(logit: number): number {
  return Number.isNaN(logit) ? 0 : Math.fround(1 / (1 + Math.exp(-logit)));
}

function reference(call: ReferenceCall) {
  const { problem } = call;
  const [logits, bias] = [tensorOf(call, "logits"), tensorOf(call, "bias")];
  const ids = editable(tensorOf(call, "ids"));
  const weights = editable(tensorOf(call, "weights"));
  const [rows = 0, groups = 1, size = 0] = logits.shape;
  const [experts, k] = [groups * size, dimOf(problem, "K")];
  const { TG = 1, GB = 2, renormalize = true } = problem.config ?? {};
  for (let r = 0; r < rows; r++) {
    const scores = Array.from(logits.data.subarray(r * experts, (r + 1) * experts), scoreOf);
    const biased = scores.map((score, i) => Math.fround(score + (bias.data[i] ?? 0)));
    const limited =
      Number(TG) < groups ? keepGroups(biased, groups, Number(TG), Number(GB)) : biased;
    const chosen = greatest(limited, k);
    const total = chosen.reduce((sum, i) => sum + (scores[i] ?? 0), LEAST_TOTAL);
    const factor = scalarOf(call, "scaling") / (renormalize === true ? total : 1);
    ids.setRow(chosen, r);
    weights.setRow(
      chosen.map((i) => (scores[i] ?? 0) * factor),
      r,
    );
  }
  return {
    ids: { data: ids.data, tolerance: { kind: "exact" as const } },
    weights: { data: weights.data, tolerance: { kind: "rounding" as const, length: k } },
  };
}

export const moeRouteSigmoidEntry = defineKernelEntry({
  kernel: moeRouteSigmoid,
  samples: SHAPES,
  inputs,
  reference,
  bytes: routerBytes,
  flops: (problem) => 6 * dimOf(problem, "R") * dimOf(problem, "NG") * dimOf(problem, "EG"),
});
