/** [dsl/kernels] The K most probable tokens of each row with their log-probabilities. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  exp2,
  full,
  iota,
  load,
  log,
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
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { LOGITS_SCALE, logSumExp, randomLogits } from "./log-probabilities.ts";
import { editable } from "./sample-data.ts";

/** Start of a running maximum: finite, so that -infinity minus it is not NaN. */
const LOWEST = -1e30;
/** Index that no token has. */
const NONE = 2147483647;

/**
 * The K largest logits, descending, ties by lower id, as ln softmax. One row a program; each of the K rounds finds the next one
 * after (value, id) of the last, so that nothing is sorted or stored in between.
 * @param logits f32 `[R, V]`
 * @returns ids i32 `[R, K]` and logprobs f32 `[R, K]`; -1 and -infinity where K exceeds the number of tokens
 */
export const topLogProbabilities = kernel(
  {
    name: "top_log_probabilities",
    params: {
      logits: tensor("f32", "R", "V"),
      ids: out("i32", "R", "K"),
      logprobs: out("f32", "R", "K"),
    },
    config: { BV: 2048 },
    tune: { BV: [512, 1024, 2048, 4096] },
    grid: ({ R }) => R,
  },
  ({ logits, ids, logprobs, V, K }, { BV }) => {
    const r = pid(0);
    let m = full("f32", LOWEST, BV); // each lane has its own running maximum and sum
    let l = zeros("f32", BV);
    for (const v of range(0, V, BV)) {
      const x = load(logits, [r, span(v, BV)], { fill: -Infinity });
      const mNew = maximum(m, x);
      l = l * exp2((m - mNew) * Math.LOG2E) + exp2((x - mNew) * Math.LOG2E);
      m = mNew;
    }
    const top = max(m, "BV");
    const logTotal = top + log(sum(l * exp2((m - top) * Math.LOG2E), "BV"));

    let last = full("f32", Infinity);
    let lastId = full("i32", -1);
    for (const i of range(0, K)) {
      let best = full("f32", -Infinity, BV);
      let bestId = full("i32", NONE, BV);
      for (const v of range(0, V, BV)) {
        const x = load(logits, [r, span(v, BV)], { fill: -Infinity });
        const id = v + iota(BV);
        const isNext = id < V && x <= last && (x < last || id > lastId);
        const better = isNext && (x > best || bestId === NONE);
        best = where(better, x, best);
        bestId = where(better, id, bestId);
      }
      last = max(best, "BV");
      lastId = min(where(best >= last, bestId, NONE), "BV");
      store(ids, [r, i], where(lastId === NONE, -1, lastId));
      store(logprobs, [r, i], last - logTotal);
    }
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { R: 0, V: 5, K: 3 }, dtypes: {} },
  { name: "K of 0", seed: 2, dims: { R: 2, V: 5, K: 0 }, dtypes: {}, config: { BV: 64 } },
  {
    name: "K above the vocabulary",
    seed: 3,
    dims: { R: 2, V: 3, K: 5 },
    dtypes: {},
    config: { BV: 64 },
  },
  {
    name: "prime vocabulary",
    seed: 4,
    dims: { R: 3, V: 61, K: 5 },
    dtypes: {},
    config: { BV: 64 },
  },
  {
    name: "block + 1, masked and tied",
    seed: 5,
    dims: { R: 2, V: 129, K: 20 },
    dtypes: {},
    config: { BV: 64 },
    options: { ties: 1 },
  },
  {
    name: "all of a masked vocabulary",
    seed: 6,
    dims: { R: 1, V: 17, K: 17 },
    dtypes: {},
    config: { BV: 16 },
    options: { ties: 1 },
  },
  { name: "default block", seed: 7, dims: { R: 2, V: 2500, K: 3 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  return { tensors: { logits: randomLogits(problem) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const logits = tensorOf(call, "logits");
  const ids = editable(tensorOf(call, "ids"));
  const logprobs = editable(tensorOf(call, "logprobs"));
  const [rows = 0, vocabulary = 0] = logits.shape;
  for (let r = 0; r < rows; r++) {
    const row = Array.from(logits.data.subarray(r * vocabulary, (r + 1) * vocabulary));
    const order = row.map((_, i) => i);
    order.sort((a, b) => {
      const [x = 0, y = 0] = [row[a], row[b]];
      return x === y ? a - b : y - x;
    });
    for (let i = 0; i < dimOf(call.problem, "K"); i++) {
      const id = order[i] ?? -1;
      ids.set(id, r, i);
      logprobs.set(id < 0 ? Number.NEGATIVE_INFINITY : (row[id] ?? 0) - logSumExp(row), r, i);
    }
  }
  return {
    ids: { data: ids.data, tolerance: { kind: "exact" as const } },
    logprobs: {
      data: logprobs.data,
      tolerance: { kind: "rounding" as const, length: vocabulary, scale: 4 * LOGITS_SCALE },
    },
  };
}

export const topLogProbabilitiesEntry = defineKernelEntry({
  kernel: topLogProbabilities,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes("f32", dimOf(problem, "R") * (dimOf(problem, "V") + 2 * dimOf(problem, "K"))),
  flops: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "V"),
});
