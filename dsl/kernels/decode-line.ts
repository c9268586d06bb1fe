/** [dsl/kernels] How the keys of all sequences are shared out evenly among programs, as functions that the decode kernels inline. Not a kernel. */
import {
  cdiv,
  cumsum,
  floordiv,
  iota,
  load,
  max,
  maximum,
  minimum,
  mod,
  range,
  span,
  sum,
  where,
} from "../ops/catalogue.ts";
import type { Dim, KernelTensor } from "../typing.ts";

// The line: the blocks of keys of all sequences, one sequence behind the other. It is cut into shares that differ by one block
// at most, one a program. What one program has of one sequence is a piece. From a piece to the next along the line the sequence or the
// share goes up, so that sequence + share numbers the pieces, with gaps, from 0 to below S + shares.

/** Numbers of each share in the list that `mlaShares` makes. */
export const SHARE_NUMBERS = 5;

type Lens = KernelTensor<"i32", readonly [string]>;

/** First position that the last one of `len` attends to. @param window positions attended to, the own one included; 0 for all */
export function firstSeen(len: number, window: number): number {
  return where(window > 0, maximum(len - window, 0), 0);
}

/** Blocks of BN keys that a sequence of `len` tokens attends to. */
export function blocksSeen(len: number, window: number, BN: number): number {
  return cdiv(len, BN) - floordiv(firstSeen(len, window), BN);
}

/** Blocks on the line. @param BS sequences looked at in one step */
export function lineLength(lens: Lens, window: number, S: Dim, BN: number, BS: Dim<"BS">): number {
  let length = 0;
  for (const i of range(0, S, BS)) {
    const blocks = blocksSeen(load(lens, [span(i, BS)], { when: "early" }), window, BN); // 0 past S
    length = length + sum(blocks, "BS");
  }
  return length;
}

/** The sequence that holds a block of the line. @returns its number, and blocks before it */
export function sequenceAt(
  lens: Lens,
  window: number,
  block: number,
  S: Dim,
  BN: number,
  BS: Dim<"BS">,
): { readonly sequence: number; readonly begin: number } {
  let passed = 0;
  let sequence = 0;
  let begin = 0;
  for (const i of range(0, S, BS)) {
    const blocks = blocksSeen(load(lens, [span(i, BS)], { when: "early" }), window, BN);
    const ends = passed + cumsum(blocks, "BS");
    const isBefore = i + iota(BS) < S && ends <= block;
    sequence = sequence + sum(where(isBefore, 1, 0), "BS");
    begin = maximum(begin, max(where(isBefore, ends, 0), "BS"));
    passed = passed + sum(blocks, "BS");
  }
  return { sequence, begin };
}

/** Blocks on the line before a sequence. */
export function blocksBefore(
  lens: Lens,
  window: number,
  sequence: number,
  BN: number,
  BS: Dim<"BS">,
): number {
  let before = 0;
  for (const i of range(0, sequence, BS)) {
    const blocks = blocksSeen(load(lens, [span(i, BS, sequence)], { when: "early" }), window, BN);
    before = before + sum(blocks, "BS");
  }
  return before;
}

/** A line, and how it is cut. */
export interface Cut {
  readonly length: number;
  readonly shares: number;
  /** Longer shares stand among the others, not before them. */
  readonly isSpread: boolean;
}

/** Programs and blocks up to which their product is an i32. */
const MOST_PROGRAMS = 2 ** 11 - 1;
const MOST_BLOCKS = 2 ** 20;

/**
 * Cuts a line into as many shares as there are programs, but of `least` blocks or more. Where the programs are a multiple of several sequences,
 * longer shares are spread so that sequences of one length begin with a share: nobody then goes from one to the next. Else they stand first:
 * of programs that run side by side all are then as long as each other.
 */
export function cutLine(length: number, programs: number, S: Dim, least: number): Cut {
  const over = where(S > 1, mod(programs, maximum(S, 1)), 1); // no branch
  const isSpread = over === 0 && programs <= MOST_PROGRAMS && length <= MOST_BLOCKS;
  const shares = maximum(minimum(programs, floordiv(length, least)), 1);
  return { length, shares, isSpread };
}

/** First block of a share; for share = shares the line's end. */
export function shareStart(share: number, { length, shares, isSpread }: Cut): number {
  const each = floordiv(length, shares);
  const first = share * each + minimum(share, length - each * shares);
  return where(isSpread, floordiv(share * length, shares), first);
}

/** The share that holds a block. */
export function shareOf(block: number, { length, shares, isSpread }: Cut): number {
  const each = floordiv(length, shares);
  const longer = length - each * shares;
  const edge = longer * (each + 1);
  const first = where(
    block < edge,
    floordiv(block, each + 1),
    longer + floordiv(block - edge, maximum(each, 1)),
  );
  return where(isSpread, floordiv((block + 1) * shares - 1, maximum(length, 1)), first);
}
