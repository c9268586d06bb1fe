/** [engine/layers] Which sequences of a step read pages of 8 bits through pages of activations made for the step, and in which parts. Lists only; launches are in attention.ts. */
import { BLOCK_COLUMNS, type BlockSequence, keyedBlocks } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { StepExtent } from "./expanded-prompts.ts";
import type { StepScope } from "./scope.ts";

/** Sizes and block sizes that the lists depend on. */
export interface WideningShape {
  readonly numHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
  /** Slots of a page. */
  readonly page: number;
  readonly elementBytes: number;
  /** Query rows of a block, config BM of `pagedAttention`; heads of a section, as `rowBlocks` has them. */
  readonly BM: number;
  readonly section: number;
}

/** Sequences whose pages are in memory together. */
export interface WidenedPart {
  readonly numPages: number;
  /** i32 `[P, 2]` of `pageWiden`. */
  readonly pages: Tensor;
  /** i32 `[S', MAXB]`: where the pages of each of them are. */
  readonly table: Tensor;
  /** i32 `[B, 6]` of `pagedAttention`. */
  readonly blocks: Tensor;
}

export interface WidenedPrompts {
  /** Sequences and rows before the first of them. */
  readonly numOthers: number;
  readonly numOtherRows: number;
  readonly parts: readonly WidenedPart[];
}

/**
 * New tokens from which pages are worth making, on an average over the positions of their sequences: a position costs ten bytes of memory for
 * each number of a head, and saves each query the slower product over bytes. These come in blocks of 64 rows: eight sequences of 64 behind
 * 4096 take 159 µs for 138, of 128 164 µs for 273.
 * @source test/bench/results/nvidia-h200-fp8-prompts.json
 */
const LEAST_QUERIES = 65;
/** Of keys and values at a time; longer sequences keep to the bytes. */
const MOST_BYTES = 512 * 2 ** 20;
const PAIR = 2;

/** Bytes of keys and values of a page. */
function bytesOf({ numKvHeads, headDim, page, elementBytes }: WideningShape): number {
  return 2 * elementBytes * page * numKvHeads * headDim;
}

/** Most bytes of keys and values at a time. @param extent of steps; shorter prompts come along with a long one */
export function mostWidenedBytes(shape: WideningShape, extent: StepExtent): number {
  const { maxModelLen, maxNumSeqs, maxNumBatchedTokens } = extent;
  const sequences = Math.min(maxNumSeqs, maxNumBatchedTokens);
  const pages = sequences * Math.ceil(maxModelLen / shape.page);
  return Math.min(MOST_BYTES, pages * bytesOf(shape));
}

/** Where the sequences begin that are worth it together; their number where none are. */
function firstLong(sequences: readonly BlockSequence[], least: number): number {
  const found = sequences.findIndex(({ queries }, i) => {
    if (queries < least) return false;
    const rest = sequences.slice(i);
    const positions = rest.reduce((n, { length }) => n + length, 0);
    return rest.reduce((n, one) => n + one.queries * one.length, 0) >= least * positions;
  });
  return found < 0 ? sequences.length : found;
}

/**
 * Lists for the sequences at the end of a step that have prompts long enough.
 * @param sequences in the order of their rows
 * @param least new tokens of a sequence from which on it counts as long; shorter ones behind it come along
 * @returns undefined where there are none, or one whose pages are too many
 */
export function widenPrompts(
  scope: StepScope,
  sequences: readonly BlockSequence[],
  shape: WideningShape,
  least = LEAST_QUERIES,
): WidenedPrompts | undefined {
  const { page } = shape;
  const most = Math.floor(MOST_BYTES / bytesOf(shape));
  const pagesOf = ({ length }: BlockSequence) => Math.ceil(length / page);
  const numOthers = firstLong(sequences, least);
  const long = sequences.slice(numOthers);
  if (long.length === 0 || long.some((one) => pagesOf(one) > most)) return undefined;
  const rowsOf = (some: readonly BlockSequence[]) => some.reduce((n, one) => n + one.queries, 0);
  const numOtherRows = rowsOf(sequences.slice(0, numOthers));
  const parts: WidenedPart[] = [];
  let row = numOtherRows;
  for (let first = 0; first < long.length; ) {
    let pages = 0;
    const end = long.findIndex((one, i) => {
      pages += i < first ? 0 : pagesOf(one);
      return pages > most;
    });
    const together = long.slice(first, end < 0 ? long.length : end);
    parts.push(makePart(scope, together, { first: numOthers + first, row }, shape));
    row += rowsOf(together);
    first += together.length;
  }
  return { numOthers, numOtherRows, parts };
}

function makePart(
  scope: StepScope,
  sequences: readonly BlockSequence[],
  at: { readonly first: number; readonly row: number },
  { page, numHeads, BM, section }: WideningShape,
): WidenedPart {
  const counts = sequences.map(({ length }) => Math.ceil(length / page));
  const width = Math.max(...counts, 1);
  const table = new Int32Array(sequences.length * width).fill(-1);
  const pages: number[] = [];
  counts.forEach((count, s) => {
    for (let i = 0; i < count; i++) {
      table[s * width + i] = pages.length / PAIR;
      pages.push(at.first + s, i);
    }
  });
  const numbered = sequences.map((sequence, s) => ({ ...sequence, firstKey: s }));
  const blocks = keyedBlocks(numbered, { BM, HQ: numHeads, heads: section }, at.row);
  const numPages = pages.length / PAIR;
  return {
    numPages,
    pages: scope.from(Int32Array.from(pages), [numPages, PAIR]),
    table: scope.from(table, [sequences.length, width]),
    blocks: scope.from(blocks, [blocks.length / BLOCK_COLUMNS, BLOCK_COLUMNS]),
  };
}
