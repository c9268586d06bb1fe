/** [dsl/kernels] Attention of new tokens over a paged cache, block by block of a list that the host makes: prefill of ragged batches. */
import { kernel } from "../language.ts";
import {
  defineKernelEntry,
  forDTypes,
  type Problem,
  type Sequence,
} from "./define-kernel-entry.ts";
import { LOWEST } from "./lazy-softmax.ts";
import { blockInputs, blockProblem } from "./paged-blocks.ts";
import { attendBlock, LISTED_CONFIG, LISTED_PARAMS, listedHead } from "./paged-rows.ts";
import { prefillBytes, prefillFlops, prefillReference } from "./prefill-attention.ts";

/**
 * Entry b of `blocks` asks for BM query rows of one sequence: (sequence, first row of q, row past the last, position of the first row,
 * keys of the sequence, first query head); programs (h, b) take head `first + h`. `rowBlocks` makes the list. Rows of longer entries are
 * not computed, rows past an entry's end not written. Each query attends to the positions up to its own, with WINDOW = 1 at most the last
 * `window`. A page has a multiple of BN slots or BN is a multiple of the page. Slots past a sequence's keys are never read, nor pages
 * that lie before the first position any row of a block attends to; a query without any key gives zeros.
 * The running maximum of a row may lag behind the largest score by a factor of 256, as in `attention`.
 * @param q `[N, HQ, D]`, all sequences one after another
 * @param kCache `[NB, PAGE, HKV, D]`, holding past and new keys
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param blocks i32 `[B, 6]`
 * @param scale factor of the scores, above 0; usually 1/√D
 * @param window positions attended to, the query's own included, at least 1; without effect where WINDOW is 0
 * @returns o `[N, HQ, D]`; with a config SOFTCAP above 0 each score s counts as SOFTCAP · tanh(s / SOFTCAP)
 * @source arXiv 2205.14135 (online softmax over blocks of keys), arXiv 2309.06180 (paged keys and values)
 */
export const pagedAttention = kernel(
  {
    name: "paged_attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: LISTED_PARAMS,
    config: LISTED_CONFIG,
    tune: { BM: [64, 128], BN: [64, 128], stages: [2, 3] },
    specialize: ["D", "PAGE"],
    grid: ({ B, HQ }, { heads }) => [heads === 0 ? HQ : heads, B],
  },
  (args, config) => {
    attendBlock(args, config, listedHead(args), LOWEST, 0);
  },
);

const SMALL = { BM: 16, BN: 16 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  blockProblem("one token", 1, { hq: 1, hkv: 1, d: 8, page: 4 }, [seq(1, 1)], SMALL),
  blockProblem(
    "ragged with past, groups of 2",
    2,
    { hq: 4, hkv: 2, d: 16, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(0, 7), seq(16, 16)],
    SMALL,
  ),
  blockProblem(
    "no keys, rows that nobody asks for",
    3,
    { hq: 2, hkv: 1, d: 16, page: 4 },
    [seq(3, 3), seq(2, 0), seq(0, 0)],
    SMALL,
    { spare: 2 },
  ),
  blockProblem(
    "window, a page as large as a block",
    4,
    { hq: 2, hkv: 2, d: 64, page: 16 },
    [seq(20, 37), seq(3, 50)],
    SMALL,
    { window: 7 },
  ),
  blockProblem(
    "window of 1, pages larger than a block",
    5,
    { hq: 1, hkv: 1, d: 16, page: 32 },
    [seq(9, 70)],
    SMALL,
    { window: 1 },
  ),
  blockProblem(
    "two heads a block, soft cap, head dim 80",
    6,
    { hq: 6, hkv: 2, d: 80, page: 16 },
    [seq(15, 31), seq(17, 33)],
    { ...SMALL, heads: 2, SOFTCAP: 1.5 },
  ),
];

export const pagedAttentionEntry = defineKernelEntry({
  kernel: pagedAttention,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs: blockInputs,
  reference: (call) => prefillReference(call),
  bytes: prefillBytes,
  flops: prefillFlops,
});
