/** [engine/layers] Which sequences of a step read their past through keys and values of heads made of latents, and in which parts. Lists only; launches are in latent-attention.ts. */
import {
  BLOCK_COLUMNS,
  type BlockSequence,
  COPY_COLUMNS,
  keyCopies,
  keyedBlocks,
} from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { StepScope } from "./scope.ts";

/** Sizes and block sizes that the lists depend on; one object a layer config, so that layers share lists. */
export interface ExpansionShape {
  readonly numHeads: number;
  /** Numbers of a latent; of a key and a value of one head. */
  readonly latentRank: number;
  readonly keyDim: number;
  readonly valueDim: number;
  readonly elementBytes: number;
  /** Query rows of a block, config BM of `raggedAttention`; heads of a section, as `rowBlocks` has them. */
  readonly BM: number;
  readonly section: number;
  /** Positions of a block, config BM of `mlaGather`. */
  readonly copied: number;
}

/** How large steps get. */
export interface StepExtent {
  readonly maxModelLen: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
}

/** Sequences whose keys and values are in memory together, for some heads at a time. */
export interface ExpandedPart {
  /** Positions of all sequences. */
  readonly numKeys: number;
  /** Heads at a time; they divide the number of heads. */
  readonly heads: number;
  /** Whether blocks are of sections of heads, else of all of them. */
  readonly hasSections: boolean;
  /** i32 `[B, 4]` of `mlaGather`. */
  readonly copies: Tensor;
  /** i32 `[B, 6]` of `raggedAttention`. */
  readonly blocks: Tensor;
}

export interface ExpandedPrompts {
  /** Sequences and rows before the first expanded one. */
  readonly numOthers: number;
  readonly numOtherRows: number;
  readonly parts: readonly ExpandedPart[];
}

/**
 * New tokens of a sequence from which keys and values are worth making, however long its past is: what they cost a position is what the absorbed
 * form costs so many queries more.
 * @source test/bench/results/nvidia-h200-latent-prompts.jsonl: eight sequences of 32 behind 4096 take 354 µs for 437
 */
const LEAST_QUERIES = 32;
/** Of latents, keys and values at a time, unless one head of one sequence takes more. */
const MOST_BYTES = 512 * 2 ** 20;

/**
 * Most bytes of latents, keys and values at a time.
 * @param extent of steps; a sequence that is expanded has some new tokens in the step
 */
export function mostExpandedBytes(shape: ExpansionShape, extent: StepExtent): number {
  const { maxModelLen, maxNumSeqs, maxNumBatchedTokens } = extent;
  const sequences = Math.min(maxNumSeqs, Math.ceil(maxNumBatchedTokens / LEAST_QUERIES));
  const all = bytesOf(sequences * maxModelLen, shape.numHeads, shape);
  return Math.max(Math.min(MOST_BYTES, all), bytesOf(maxModelLen, 1, shape));
}

/**
 * Lists for the sequences at the end of a step that have prompts long enough.
 * @param sequences in the order of their rows
 * @param least new tokens of a sequence from which on it counts as long
 * @returns undefined where there are none
 */
export function expandPrompts(
  scope: StepScope,
  sequences: readonly BlockSequence[],
  shape: ExpansionShape,
  least = LEAST_QUERIES,
): ExpandedPrompts | undefined {
  const numOthers = sequences.findLastIndex(({ queries }) => queries < least) + 1;
  if (numOthers === sequences.length) return undefined;
  const numOtherRows = rowsOf(sequences.slice(0, numOthers));
  const parts: ExpandedPart[] = [];
  let row = numOtherRows;
  for (let first = numOthers; first < sequences.length; ) {
    const together = sequences.slice(first, first + fitting(sequences.slice(first), shape));
    parts.push(makePart(scope, together, { first, row }, shape));
    first += together.length;
    row += rowsOf(together);
  }
  return { numOthers, numOtherRows, parts };
}

function rowsOf(sequences: readonly BlockSequence[]): number {
  return sequences.reduce((sum, { queries }) => sum + queries, 0);
}

function bytesOf(keys: number, heads: number, shape: ExpansionShape): number {
  const { latentRank, keyDim, valueDim, elementBytes } = shape;
  return elementBytes * keys * (latentRank + heads * (keyDim + valueDim));
}

/** How many sequences from the first on fit with all heads; at least one. */
function fitting(sequences: readonly BlockSequence[], shape: ExpansionShape): number {
  let keys = 0;
  const end = sequences.findIndex(({ length }) => {
    keys += length;
    return bytesOf(keys, shape.numHeads, shape) > MOST_BYTES;
  });
  return end < 0 ? sequences.length : Math.max(1, end);
}

/** Most heads that fit and divide their number; at least one. */
function headsAtOnce(keys: number, shape: ExpansionShape): number {
  const { numHeads } = shape;
  for (let parts = 1; parts < numHeads; parts++)
    if (numHeads % parts === 0 && bytesOf(keys, numHeads / parts, shape) <= MOST_BYTES)
      return numHeads / parts;
  return 1;
}

function makePart(
  scope: StepScope,
  sequences: readonly BlockSequence[],
  at: { readonly first: number; readonly row: number },
  shape: ExpansionShape,
): ExpandedPart {
  const lengths = sequences.map(({ length }) => length);
  let numKeys = 0;
  const keyed = sequences.map((sequence) => {
    const firstKey = numKeys;
    numKeys += sequence.length;
    return { ...sequence, firstKey };
  });
  const heads = headsAtOnce(numKeys, shape);
  const { BM, section, copied } = shape;
  const hasSections = heads > section && heads % section === 0;
  const options = { BM, HQ: heads, heads: hasSections ? section : 0 };
  const copies = keyCopies(lengths, copied, at.first);
  const blocks = keyedBlocks(keyed, options, at.row);
  return {
    numKeys,
    heads,
    hasSections,
    copies: scope.from(copies, [copies.length / COPY_COLUMNS, COPY_COLUMNS]),
    blocks: scope.from(blocks, [blocks.length / BLOCK_COLUMNS, BLOCK_COLUMNS]),
  };
}
