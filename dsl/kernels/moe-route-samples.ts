/** [dsl/kernels] What the routing kernels share besides code: sample logits and the routing by sorting. No kernel is defined here. */
import { storageBytes } from "../core/dtype.ts";
import { dimOf, type HostTensor, type Problem } from "./define-kernel-entry.ts";
import { hostTensor, randomSource } from "./sample-data.ts";

/**
 * Logits of experts, in steps so wide that rounding never changes an order. `options.ties` makes many equal; `options.odd` puts NaN and
 * infinities into some rows.
 */
export function routerLogits(problem: Problem): HostTensor {
  const random = randomSource(problem.seed);
  const shape = ["R", "NG", "EG"].map((dim) => dimOf(problem, dim));
  const experts = dimOf(problem, "NG") * dimOf(problem, "EG");
  const isOdd = problem.options?.["odd"] === 1;
  const steps = problem.options?.["ties"] === 1 ? 2 : 256;
  return hostTensor("f32", shape, (i) => {
    const value = Math.round(random.normal() * steps) / steps;
    if (!isOdd) return value;
    const [row, expert] = [Math.floor(i / experts), i % experts];
    if (row === 0) return expert % 3 === 1 ? Number.NaN : value;
    if (row === 1) return expert === experts - 1 ? 0.5 : Number.NEGATIVE_INFINITY;
    return row === 2 ? Number.NaN : value;
  });
}

/** Ids of the `count` greatest scores, descending, the lower id first of equal ones. NaN counts as -infinity. */
export function greatest(scores: readonly number[], count: number): readonly number[] {
  const value = (i: number): number => {
    const score = scores[i] ?? Number.NaN;
    return Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score;
  };
  const order = scores.map((_, i) => i);
  order.sort((a, b) => (value(a) === value(b) ? a - b : value(a) > value(b) ? -1 : 1));
  return order.slice(0, count);
}

/** -infinity for all experts outside the `kept` groups whose `best` greatest scores have the greatest sums. */
export function keepGroups(
  scores: readonly number[],
  groups: number,
  kept: number,
  best: number,
): readonly number[] {
  const size = scores.length / groups;
  const worth = Array.from({ length: groups }, (_, g) => {
    const own = scores.slice(g * size, (g + 1) * size);
    return greatest(own, best).reduce((sum, i) => Math.fround(sum + (own[i] ?? 0)), 0);
  });
  const isKept = new Set(greatest(worth, kept));
  return scores.map((score, i) =>
    isKept.has(Math.floor(i / size)) ? score : Number.NEGATIVE_INFINITY,
  );
}

/** Logits in, ids and weights out. */
export function routerBytes(problem: Problem): number {
  const experts = dimOf(problem, "NG") * dimOf(problem, "EG");
  return storageBytes("f32", dimOf(problem, "R") * (experts + 2 * dimOf(problem, "K")));
}
