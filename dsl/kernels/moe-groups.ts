/** [dsl/kernels] How the routing kernels choose: the best groups, then the best experts, and NaN; functions that kernels inline. Not a kernel. */
import {
  argmax,
  axis,
  iota,
  max,
  maximum,
  range,
  some,
  sum,
  topK,
  where,
  zeros,
} from "../ops/catalogue.ts";
import type { Dim } from "../typing.ts";

/** NaN, which argmax passes over. */
const TAKEN = 0 * Infinity;

/** Numbers as they are; NaN as -infinity, so that it is chosen last and every expert at most once. */
export function numbersOnly(x: number): number {
  return maximum(x, -Infinity);
}

/**
 * Scores of the experts of the `TG` best groups; -infinity for all others. A group is as good as the sum of its `GB` best experts;
 * of equal groups the first is taken.
 * @param scores f32 `[…, NG, EG]`
 */
export function bestGroupsOnly(
  scores: number,
  NG: Dim<"NG">,
  TG: Dim<"TG">,
  GB: Dim<"GB">,
): number {
  const best = sum(topK(scores, "EG", axis("best", GB)).values, "best");
  const kept = topK(best, "NG", axis("kept", TG)).indices;
  return where(some(kept === iota(NG), "kept"), scores, -Infinity);
}

/**
 * The K experts with the greatest `choice`, descending, the lower id first of equal ones, and what `value` holds for them. Each round takes
 * one and puts NaN in its place, which argmax passes over; -infinity is a choice like any other, so no expert comes twice.
 * @param choice f32 `[BR, E]` without NaN
 * @param value f32 `[BR, E]` without NaN
 */
export function bestExperts(
  choice: number,
  value: number,
  BR: Dim<"BR">,
  E: Dim<"E">,
  K: Dim<"K">,
): { readonly ids: number; readonly values: number } {
  let left = choice;
  let ids = zeros("i32", BR, K);
  let values = zeros("f32", BR, K);
  for (const k of range(0, K)) {
    const best = argmax(left, "E");
    const isBest = best === iota(E);
    const isPlace = iota(K) === k;
    ids = where(isPlace, best, ids);
    values = where(isPlace, max(where(isBest, value, -Infinity), "E"), values);
    left = where(isBest, TAKEN, left);
  }
  return { ids, values };
}
