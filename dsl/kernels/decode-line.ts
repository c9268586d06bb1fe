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
  range,
  span,
  sum,
  where,
} from "../ops/catalogue.ts";
import type { Dim, KernelTensor } from "../typing.ts";

// The line: the blocks of keys of all sequences, one sequence behind the other. It is cut into shares that differ by one block
// at most, one a program. What one program has of one sequence is a piece. From a piece to the next along the line the sequence or the
// share goes up, so that sequence + share numbers the pieces, with gaps, from 0 to below S + shares.

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

/** Shares that a line is cut into: as many as there are programs, but of `least` blocks or more. */
export function numShares(length: number, programs: number, least: number): number {
  return maximum(minimum(programs, floordiv(length, least)), 1);
}

/** First block of a share; for share = shares the line's end. */
export function shareStart(share: number, length: number, shares: number): number {
  const each = floordiv(length, shares);
  return share * each + minimum(share, length - each * shares);
}

/** The share that holds a block. */
export function shareOf(block: number, length: number, shares: number): number {
  const each = floordiv(length, shares);
  const longer = length - each * shares; // the first shares have a block more
  const edge = longer * (each + 1);
  return where(
    block < edge,
    floordiv(block, each + 1),
    longer + floordiv(block - edge, maximum(each, 1)),
  );
}
