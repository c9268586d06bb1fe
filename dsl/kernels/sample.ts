/** [dsl/kernels] Picks the next token of each sequence: greedy, or temperature, min-p, top-k, top-p and counter-based noise, without a sort. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  bitcast,
  bounded,
  cast,
  exp2,
  full,
  iota,
  load,
  log2,
  max,
  maximum,
  min,
  pid,
  range,
  span,
  store,
  sum,
  where,
  zeros,
} from "../ops/catalogue.ts";
import { defineKernelEntry, dimOf } from "./define-kernel-entry.ts";
import { exponentialNoise, philoxBits } from "./noise.ts";
import { floatOfBits, LOWEST_BITS, middle, orderedBits } from "./ordered-bits.ts";
import { SAMPLE_PROBLEMS, sampleInputs, sampleReference } from "./sample-reference.ts";

/** Temperatures below are greedy. */
export const GREEDY_BELOW = 1e-5;
/** A bisection over the 2^32 patterns of an f32 halves at most this often. */
const MAX_HALVINGS = 33;
const LARGEST_INDEX = 2147483647;

/**
 * One row a program. With x the logits and z = (x - max x) / temperature, the rules are, in this order:
 * - temperature < 1e-5: the largest x, the first where several are equal; nothing else is looked at.
 * - min-p: keeps tokens whose probability is at least minP times the largest one. 0 is off.
 * - top-k: keeps tokens with x at or above the k-th largest x, so ties with it are all kept. k ≤ 0 or k ≥ V is off.
 * - top-p: of the tokens kept so far, keeps the smallest set of largest ones whose mass is at least topP of theirs, and all
 *   tokens equal to the least of that set. topP ≥ 1 is off; the largest token is always kept.
 * - picks the token with the largest z + g among those kept, g Gumbel noise that depends on (seed, position, token) alone;
 *   that is one draw from the softmax over the kept tokens.
 * NaN logits are never picked; a row without any number, or with every token excluded, gives -1. Thresholds are found by
 * bisection over the ordered bit patterns of floats: every step counts, or weighs, the tokens at or above a pivot.
 * @param logits f32 `[S, V]`, below +infinity; -infinity excludes a token
 * @param temperature f32 `[S]`
 * @param topK i32 `[S]`
 * @param topP f32 `[S]`
 * @param minP f32 `[S]`, in [0, 1]
 * @param seed i32 `[S]`; all 32 bits count
 * @param position i32 `[S]`: position of the new token in its sequence
 * @returns token i32 `[S]`
 * @source Gumbel-max: Maddison et al., arXiv 1411.0030, section 2
 */
export const sample = kernel(
  {
    name: "sample",
    params: {
      logits: tensor("f32", "S", "V"),
      temperature: tensor("f32", "S"),
      topK: tensor("i32", "S"),
      topP: tensor("f32", "S"),
      minP: tensor("f32", "S"),
      seed: tensor("i32", "S"),
      position: tensor("i32", "S"),
      token: out("i32", "S"),
    },
    config: { BV: 2048 },
    tune: { BV: [512, 1024, 2048, 4096] },
    grid: ({ S }) => S,
  },
  ({ logits, temperature, topK, topP, minP, seed, position, token, V }, { BV }) => {
    const s = pid(0);
    const t = load(temperature, [s]);

    let best = full("f32", -Infinity, BV); // each lane keeps its own best, so that lanes meet once, at the end
    let bestAt = iota(BV);
    for (const v of range(0, V, BV)) {
      const x = load(logits, [s, span(v, BV)], { fill: -Infinity });
      const better = x > best;
      best = where(better, x, best);
      bestAt = where(better, v + iota(BV), bestAt);
    }
    const top = max(best, "BV");
    const largest = min(where(best >= top, bestAt, LARGEST_INDEX), "BV");

    if (top === -Infinity) {
      store(token, [s], full("i32", -1));
    } else if (t < GREEDY_BELOW) {
      store(token, [s], largest);
    } else {
      const c = Math.LOG2E / t; // (x - top) * c is z in units of log 2
      const pMin = load(minP, [s]);
      const lowest = where(pMin > 0, log2(pMin), -Infinity);
      const k = load(topK, [s]);
      const p = load(topP, [s]);
      let cut = full("f32", -Infinity); // tokens with x below are out

      if (k > 0 && k < V) {
        let lo = full("i32", LOWEST_BITS); // at least k tokens are at or above lo, fewer at or above hi
        let hi = orderedBits(top) + 1;
        while (bounded(lo + 1 < hi, MAX_HALVINGS)) {
          const mid = middle(lo, hi);
          const pivot = floatOfBits(mid);
          let above = zeros("i32", BV);
          for (const v of range(0, V, BV)) {
            const x = load(logits, [s, span(v, BV)], { fill: -Infinity });
            above = above + where(x >= pivot, 1, 0);
          }
          const count = sum(above, "BV");
          hi = where(count <= k, mid, hi); // exactly k: both end here
          lo = where(count >= k, mid, lo);
        }
        cut = floatOfBits(lo);
      }

      if (p < 1) {
        let mass = zeros("f32", BV);
        let kept = zeros("i32", BV);
        for (const v of range(0, V, BV)) {
          const x = load(logits, [s, span(v, BV)], { fill: -Infinity });
          const z = (x - top) * c;
          const keep = x >= cut && z >= lowest && x > -Infinity;
          mass = mass + where(keep, exp2(z), 0);
          kept = kept + where(keep, 1, 0);
        }
        const target = p * sum(mass, "BV");
        let lo = orderedBits(cut); // the mass at or above lo reaches the target, that at or above hi does not
        let hi = orderedBits(top) + 1;
        let countLo = sum(kept, "BV");
        let countHi = zeros("i32");
        while (bounded(lo + 1 < hi && countLo > countHi + 1, MAX_HALVINGS)) {
          const mid = middle(lo, hi);
          const pivot = floatOfBits(mid);
          let massAbove = zeros("f32", BV);
          let above = zeros("i32", BV);
          for (const v of range(0, V, BV)) {
            const x = load(logits, [s, span(v, BV)], { fill: -Infinity });
            const isAbove = x >= pivot; // a pivot below what is kept has all the mass above it
            massAbove = massAbove + where(isAbove, exp2((x - top) * c), 0);
            above = above + where(isAbove, 1, 0);
          }
          const count = sum(above, "BV");
          const reaches = sum(massAbove, "BV") >= target;
          lo = where(reaches, mid, lo);
          countLo = where(reaches, count, countLo);
          hi = where(reaches, hi, mid);
          countHi = where(reaches, countHi, count);
        }
        cut = maximum(cut, floatOfBits(lo));
      }

      const place = bitcast(load(position, [s]), "u32");
      const key = bitcast(load(seed, [s]), "u32");
      let bestScore = full("f32", -Infinity, BV);
      let scoreAt = iota(BV);
      for (const v of range(0, V, BV)) {
        const x = load(logits, [s, span(v, BV)], { fill: -Infinity });
        const z = (x - top) * c;
        const index = v + iota(BV);
        const score = z - log2(exponentialNoise(philoxBits(cast(index, "u32"), place, key)));
        const better = x >= cut && z >= lowest && score > bestScore;
        bestScore = where(better, score, bestScore);
        scoreAt = where(better, index, scoreAt);
      }
      const winner = max(bestScore, "BV");
      store(token, [s], min(where(bestScore >= winner, scoreAt, LARGEST_INDEX), "BV"));
    }
  },
);

export const sampleEntry = defineKernelEntry({
  kernel: sample,
  samples: SAMPLE_PROBLEMS,
  inputs: sampleInputs,
  reference: sampleReference,
  bytes: (problem) => storageBytes("f32", dimOf(problem, "S") * (dimOf(problem, "V") + 7)),
  flops: (problem) => 30 * dimOf(problem, "S") * dimOf(problem, "V"),
});
