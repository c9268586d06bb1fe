/** [dsl/kernels] The K experts of each token by softmax, with their weights. The router by sigmoid is in moe-route-sigmoid.ts. */
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, axis, cdiv, exp, load, max, merge, pid, store, sum, tile } from "../ops/catalogue.ts";
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
import { editable } from "./sample-data.ts";

/**
 * Chooses the K largest logits of each row, descending, and weighs them by their softmax times `scaling`. Experts stand in NG groups of EG;
 * with TG below NG only the TG groups with the largest logits are chosen from. Since softmax keeps the order of logits, these are compared as
 * they came, so that every device chooses alike. Of equal experts (and groups) the one with the lower id comes first.
 * NaN counts as -infinity; a row without any finite logit gives the first experts, with NaN as weights.
 * @param logits f32 `[R, NG, EG]`; NG is 1 for experts without groups
 * @param scaling factor of the weights, unitless; 1 for most models
 * @param renormalize (config) true: the softmax goes over the K chosen logits alone, which is also what a softmax over all of them, divided by
 *   the sum over the chosen, comes to; false: over all of the row
 * @returns ids i32 `[R, K]`: group × EG + place in it; weights f32 `[R, K]`
 * @source arXiv 2401.04088 section 2.1 (softmax over the chosen); arXiv 2405.04434 section 2.1.2 (limit to groups)
 */
export const moeRoute = kernel(
  {
    name: "moe_route",
    params: {
      logits: tensor("f32", "R", "NG", "EG"),
      ids: out("i32", "R", "K"),
      weights: out("f32", "R", "K"),
      scaling: scalar("f32"),
    },
    config: { BR: 4, TG: 1, renormalize: true },
    tune: { BR: [1, 2, 4, 8] },
    specialize: ["NG", "EG", "K"],
    grid: ({ R }, { BR }) => cdiv(R, BR),
  },
  ({ logits, ids, weights, scaling, NG, EG, K }, { BR, TG, renormalize }) => {
    const rows = tile(pid(0), BR);
    const x = numbersOnly(load(logits, [rows, all(NG), all(EG)]));
    const E = axis("E", NG * EG);
    const choice = TG < NG ? bestGroupsOnly(x, NG, TG, axis("GB", 1)) : x;
    const flat = merge(x, E, { axes: ["NG", "EG"] });
    const best = bestExperts(merge(choice, E, { axes: ["NG", "EG"] }), flat, BR, E, K);
    const top = max(flat, "E");
    const terms = exp(best.values - top);
    const total = renormalize ? sum(terms, "K") : sum(exp(flat - top), "E");
    store(ids, [rows, all(K)], best.ids);
    store(weights, [rows, all(K)], (terms / total) * scaling);
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { R: 0, NG: 1, EG: 4, K: 2 }, dtypes: {} },
  { name: "one of one", seed: 2, dims: { R: 1, NG: 1, EG: 1, K: 1 }, dtypes: {} },
  { name: "two of four", seed: 3, dims: { R: 9, NG: 1, EG: 4, K: 2 }, dtypes: {} },
  {
    name: "all of a prime number",
    seed: 4,
    dims: { R: 3, NG: 1, EG: 7, K: 7 },
    dtypes: {},
    config: { BR: 2, renormalize: false },
  },
  {
    name: "ties, softmax over all",
    seed: 5,
    dims: { R: 6, NG: 1, EG: 60, K: 4 },
    dtypes: {},
    config: { renormalize: false },
    options: { ties: 1, scaling: 2.5 },
  },
  {
    name: "NaN and infinities",
    seed: 6,
    dims: { R: 5, NG: 1, EG: 16, K: 4 },
    dtypes: {},
    options: { odd: 1 },
  },
  {
    name: "three of eight groups",
    seed: 7,
    dims: { R: 3, NG: 8, EG: 20, K: 6 },
    dtypes: {},
    config: { TG: 3, renormalize: false },
    options: { scaling: 16 },
  },
  {
    name: "groups with ties",
    seed: 8,
    dims: { R: 6, NG: 4, EG: 4, K: 4 },
    dtypes: {},
    config: { TG: 2, BR: 1 },
    options: { ties: 1 },
  },
  { name: "eight of 128", seed: 9, dims: { R: 2, NG: 1, EG: 128, K: 8 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  return {
    tensors: { logits: routerLogits(problem) },
    scalars: { scaling: problem.options?.["scaling"] ?? 1 },
  };
}

function reference(call: ReferenceCall) {
  const { problem } = call;
  const logits = tensorOf(call, "logits");
  const ids = editable(tensorOf(call, "ids"));
  const weights = editable(tensorOf(call, "weights"));
  const [rows = 0, groups = 1, size = 0] = logits.shape;
  const [experts, k] = [groups * size, dimOf(problem, "K")];
  const kept = Number(problem.config?.["TG"] ?? 1);
  for (let r = 0; r < rows; r++) {
    const row = Array.from(logits.data.subarray(r * experts, (r + 1) * experts), (x) =>
      Number.isNaN(x) ? Number.NEGATIVE_INFINITY : x,
    );
    const chosen = greatest(kept < groups ? keepGroups(row, groups, kept, 1) : row, k);
    const top = Math.max(...row);
    const termOf = (i: number): number => Math.exp((row[i] ?? 0) - top);
    const summed = problem.config?.["renormalize"] === false ? row.map((_, i) => i) : chosen;
    const total = summed.reduce((sum, i) => sum + termOf(i), 0);
    ids.setRow(chosen, r);
    weights.setRow(
      chosen.map((i) => (termOf(i) / total) * scalarOf(call, "scaling")),
      r,
    );
  }
  return {
    ids: { data: ids.data, tolerance: { kind: "exact" as const } },
    weights: { data: weights.data, tolerance: { kind: "rounding" as const, length: experts } },
  };
}

export const moeRouteEntry = defineKernelEntry({
  kernel: moeRoute,
  samples: SHAPES,
  inputs,
  reference,
  bytes: routerBytes,
  flops: (problem) => 4 * dimOf(problem, "R") * dimOf(problem, "NG") * dimOf(problem, "EG"),
});
