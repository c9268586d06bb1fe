/** [dsl/kernels] What requests say about tokens, applied to logits before they are sampled: bitmasks, biases, penalties. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  cast,
  cdiv,
  gather,
  iota,
  load,
  pid,
  range,
  store,
  tile,
  where,
} from "../ops/catalogue.ts";
import { ADJUST_PROBLEMS, adjustInputs, adjustReference } from "./adjust-logits-reference.ts";
import { defineKernelEntry, dimOf } from "./define-kernel-entry.ts";

/** What a count holds besides the times that the output has a token: the prompt has it. */
export const IN_PROMPT = 1 << 30;
const TIMES = IN_PROMPT - 1;

/**
 * One row and one block of the vocabulary a program; in this order:
 * - mask: tokens whose bit is 0 get -infinity. Token t is bit t mod 32 of word t / 32; rows of `maskRow` -1 have none.
 * - bias: added by token; -infinity excludes it.
 * - repetition: logits of tokens in prompt or output are divided by it where above 0, else multiplied.
 * - frequency times the number of times that the output has the token, and presence once if it has, are taken off.
 * Rows of `countRow` -1 have no penalties. Shapes are upper bounds, so a captured launch serves any requests.
 * @param logits f32 `[S, V]`
 * @param maskRow i32 `[S]`
 * @param mask i32 `[M, W]`, W ≥ V / 32
 * @param biasStart i32 `[P]`, P ≥ S + 1: entries of row s are biasStart[s] to biasStart[s + 1] - 1
 * @param biasToken i32 `[E]`
 * @param biasValue f32 `[E]`
 * @param countRow i32 `[S]`
 * @param counts i32 `[N, V]`, as `count_tokens` leaves them
 * @param repetition f32 `[S]`, > 0
 * @param frequency f32 `[S]`
 * @param presence f32 `[S]`
 * @returns adjusted f32 `[S, V]`
 * @source the order is that of vLLM's sampler; repetition penalty: N. S. Keskar et al., arXiv 1909.05858, section 4.1
 */
export const adjustLogits = kernel(
  {
    name: "adjust_logits",
    params: {
      logits: tensor("f32", "S", "V"),
      maskRow: tensor("i32", "S"),
      mask: tensor("i32", "M", "W"),
      biasStart: tensor("i32", "P"),
      biasToken: tensor("i32", "E"),
      biasValue: tensor("f32", "E"),
      countRow: tensor("i32", "S"),
      counts: tensor("i32", "N", "V"),
      repetition: tensor("f32", "S"),
      frequency: tensor("f32", "S"),
      presence: tensor("f32", "S"),
      adjusted: out("f32", "S", "V"),
    },
    config: { BV: 1024 },
    tune: { BV: [256, 512, 1024, 2048] },
    grid: ({ S, V }, { BV }) => [S, cdiv(V, BV)],
  },
  (
    {
      logits,
      maskRow,
      mask,
      biasStart,
      biasToken,
      biasValue,
      countRow,
      counts,
      repetition,
      frequency,
      presence,
      adjusted,
      V,
    },
    { BV },
  ) => {
    const s = pid(0);
    const columns = tile(pid(1), BV);
    const token = pid(1) * BV + iota(BV);
    let x = load(logits, [s, columns]);

    const m = load(maskRow, [s]);
    if (m >= 0) {
      const words = load(mask, [m, gather(where(token < V, token >> 5, -1))]);
      x = where(((words >> (token & 31)) & 1) === 1, x, -Infinity);
    }

    for (const e of range(load(biasStart, [s]), load(biasStart, [s + 1])))
      x = where(token === load(biasToken, [e]), x + load(biasValue, [e]), x);

    const row = load(countRow, [s]);
    if (row >= 0) {
      const count = load(counts, [row, columns]);
      const factor = load(repetition, [s]);
      x = where(count > 0, where(x > 0, x / factor, x * factor), x);
      const times = count & TIMES;
      const isInOutput = times > 0;
      x = x - load(frequency, [s]) * cast(times, "f32");
      x = where(isInOutput, x - load(presence, [s]), x);
    }
    store(adjusted, [s, columns], x);
  },
);

export const adjustLogitsEntry = defineKernelEntry({
  kernel: adjustLogits,
  samples: ADJUST_PROBLEMS,
  inputs: adjustInputs,
  reference: adjustReference,
  bytes: (problem) => 3 * storageBytes("f32", dimOf(problem, "S") * dimOf(problem, "V")),
  flops: (problem) => 6 * dimOf(problem, "S") * dimOf(problem, "V"),
});
