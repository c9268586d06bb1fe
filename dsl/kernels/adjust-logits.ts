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
 * - mask: tokens whose bit is 0 get -infinity. Token t is bit t mod 32 of word t / 32.
 * - bias: added by token; -infinity excludes it.
 * - repetition: logits of tokens in prompt or output are divided by it where above 0, else multiplied.
 * - frequency times the number of times that the output has the token, and presence once if it has, are taken off.
 * Sizes are upper bounds, so a captured launch serves any requests. WebGPU binds eight tensors at least: so many there are.
 * @param logits f32 `[S, V]`
 * @param rows i32 `[S, 4]`: row of `mask` (-1 for none), row of `counts` (-1 for no penalties), first bias and the one behind the last
 * @param mask i32 `[M, W]`, W ≥ V / 32
 * @param biasToken i32 `[E]`
 * @param biasValue f32 `[E]`
 * @param counts i32 `[N, V]`, as `count_tokens` leaves them
 * @param penalties f32 `[S, 3]`: repetition (> 0), frequency, presence
 * @returns adjusted f32 `[S, V]`
 * @source the order is that of vLLM's sampler; repetition penalty: N. S. Keskar et al., arXiv 1909.05858, section 4.1
 */
export const adjustLogits = kernel(
  {
    name: "adjust_logits",
    params: {
      logits: tensor("f32", "S", "V"),
      rows: tensor("i32", "S", 4),
      mask: tensor("i32", "M", "W"),
      biasToken: tensor("i32", "E"),
      biasValue: tensor("f32", "E"),
      counts: tensor("i32", "N", "V"),
      penalties: tensor("f32", "S", 3),
      adjusted: out("f32", "S", "V"),
    },
    config: { BV: 1024 },
    tune: { BV: [256, 512, 1024, 2048] },
    grid: ({ S, V }, { BV }) => [S, cdiv(V, BV)],
  },
  ({ logits, rows, mask, biasToken, biasValue, counts, penalties, adjusted, V }, { BV }) => {
    const s = pid(0);
    const columns = tile(pid(1), BV);
    const token = pid(1) * BV + iota(BV);
    let x = load(logits, [s, columns]);

    const m = load(rows, [s, 0]);
    if (m >= 0) {
      const words = load(mask, [m, gather(where(token < V, token >> 5, -1))]);
      x = where(((words >> (token & 31)) & 1) === 1, x, -Infinity);
    }

    for (const e of range(load(rows, [s, 2]), load(rows, [s, 3])))
      x = where(token === load(biasToken, [e]), x + load(biasValue, [e]), x);

    const row = load(rows, [s, 1]);
    if (row >= 0) {
      const count = load(counts, [row, columns]);
      const factor = load(penalties, [s, 0]);
      x = where(count > 0, where(x > 0, x / factor, x * factor), x);
      const times = count & TIMES;
      const isInOutput = times > 0;
      x = x - load(penalties, [s, 1]) * cast(times, "f32");
      x = where(isInOutput, x - load(penalties, [s, 2]), x);
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
