/** [dsl/kernels] Log-probability and rank of one given token a row. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  exp2,
  full,
  load,
  log,
  max,
  maximum,
  pid,
  range,
  span,
  store,
  sum,
  where,
  zeros,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, elementAt, hostTensor, intTensor, randomSource } from "./sample-data.ts";

/** Start of a running maximum: finite, so that -infinity minus it is not NaN. */
const LOWEST = -1e30;

/**
 * ln softmax(logits)[target] and the target's rank: 1 + the number of larger logits. One row a program, one pass over it.
 * @param logits f32 `[R, V]`; -infinity excludes a token
 * @param target i32 `[R]`; -1 marks a padding row
 * @returns logprob f32 `[R]`, 0 in padding rows; rank i32 `[R]`, 0 in padding rows
 */
export const logProbabilities = kernel(
  {
    name: "log_probabilities",
    params: {
      logits: tensor("f32", "R", "V"),
      target: tensor("i32", "R"),
      logprob: out("f32", "R"),
      rank: out("i32", "R"),
    },
    config: { BV: 2048 },
    tune: { BV: [512, 1024, 2048, 4096] },
    grid: ({ R }) => R,
  },
  ({ logits, target, logprob, rank, V }, { BV }) => {
    const r = pid(0);
    const chosen = load(target, [r]);
    if (chosen < 0) {
      store(logprob, [r], full("f32", 0));
      store(rank, [r], full("i32", 0));
    } else {
      const own = load(logits, [r, chosen]);
      let m = full("f32", LOWEST, BV); // each lane has its own running maximum and sum
      let l = zeros("f32", BV);
      let above = zeros("i32", BV);
      for (const v of range(0, V, BV)) {
        const x = load(logits, [r, span(v, BV)], { fill: -Infinity });
        const mNew = maximum(m, x);
        l = l * exp2((m - mNew) * Math.LOG2E) + exp2((x - mNew) * Math.LOG2E);
        m = mNew;
        above = above + where(x > own, 1, 0);
      }
      const top = max(m, "BV");
      const total = sum(l * exp2((m - top) * Math.LOG2E), "BV");
      store(logprob, [r], own - top - log(total));
      store(rank, [r], sum(above, "BV") + 1);
    }
  },
);

export const LOGITS_SCALE = 4;

const SHAPES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { R: 0, V: 5 }, dtypes: {} },
  { name: "vocabulary of 1", seed: 2, dims: { R: 2, V: 1 }, dtypes: {}, config: { BV: 64 } },
  { name: "prime vocabulary", seed: 3, dims: { R: 5, V: 61 }, dtypes: {}, config: { BV: 64 } },
  { name: "block - 1", seed: 4, dims: { R: 3, V: 127 }, dtypes: {}, config: { BV: 128 } },
  {
    name: "block + 1, masked and tied",
    seed: 5,
    dims: { R: 5, V: 129 },
    dtypes: {},
    config: { BV: 128 },
    options: { ties: 1 },
  },
  { name: "default block", seed: 6, dims: { R: 3, V: 5003 }, dtypes: {} },
];

/** Rows of logits; with `options.ties` rounded to halves, every seventh masked. Also for top-log-probabilities.ts. */
export function randomLogits(problem: Problem) {
  const random = randomSource(problem.seed);
  const tied = (i: number) =>
    i % 7 === 3 ? Number.NEGATIVE_INFINITY : Math.round(2 * LOGITS_SCALE * random.normal()) * 0.5;
  const hasTies = problem.options?.["ties"] === 1;
  return hostTensor("f32", [dimOf(problem, "R"), dimOf(problem, "V")], (i) =>
    hasTies ? tied(i) : LOGITS_SCALE * random.normal(),
  );
}

/** ln Σ exp over one row of numbers. */
export function logSumExp(row: ArrayLike<number>): number {
  const values = Array.from(row);
  const top = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return top + Math.log(values.reduce((total, x) => total + Math.exp(x - top), 0));
}

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed + 100);
  const targets = Array.from({ length: dimOf(problem, "R") }, (_, r) =>
    r % 4 === 1 ? -1 : random.integer(0, dimOf(problem, "V")),
  );
  return { tensors: { logits: randomLogits(problem), target: intTensor(targets) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const logits = tensorOf(call, "logits");
  const logprob = editable(tensorOf(call, "logprob"));
  const rank = editable(tensorOf(call, "rank"));
  const [, vocabulary = 0] = logits.shape;
  for (const [r, target] of tensorOf(call, "target").data.entries()) {
    const row = logits.data.subarray(r * vocabulary, (r + 1) * vocabulary);
    const own = target < 0 ? Number.NaN : elementAt(logits, r, target);
    logprob.set(target < 0 ? 0 : own - logSumExp(row), r);
    rank.set(target < 0 ? 0 : 1 + row.filter((x) => x > own).length, r);
  }
  return {
    logprob: {
      data: logprob.data,
      tolerance: { kind: "rounding" as const, length: vocabulary, scale: 4 * LOGITS_SCALE },
    },
    rank: { data: rank.data, tolerance: { kind: "exact" as const } },
  };
}

export const logProbabilitiesEntry = defineKernelEntry({
  kernel: logProbabilities,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) => storageBytes("f32", dimOf(problem, "R") * (dimOf(problem, "V") + 3)),
  flops: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "V"),
});
