/** [dsl/kernels] Which sequence a block of rows belongs to, as a function that kernels inline. Not a kernel. */
import { floordiv, iota, load, range, span, sum, where } from "../ops/catalogue.ts";
import type { Dim, KernelTensor } from "../typing.ts";

/**
 * Rows of all sequences follow one another; block b of BM rows of sequence s is number floor(queryStart[s] / BM) + s + b, so that a grid
 * of ceil(rows / BM) + S blocks needs no list from the host.
 * @param queryStart i32 `[S + 1]`, rising: first row of each sequence
 * @param block number of a block
 * @param S sequences
 * @param BM rows of a block
 * @param BS sequences looked at in one step
 * @returns i32 scalar: sequences whose first block is at or before this one; the last of them is the block's, 0 where there is none
 */
export function sequencesBegun(
  queryStart: KernelTensor<"i32", readonly ["S1"]>,
  block: number,
  S: Dim<"S">,
  BM: Dim<"BM">,
  BS: Dim<"BS">,
): number {
  let begun = 0;
  for (const i of range(0, S, BS)) {
    const start = load(queryStart, [span(i, BS, S)]);
    const first = floordiv(start, BM) + i + iota(BS);
    begun = begun + sum(where(i + iota(BS) < S && first <= block, 1, 0), "BS");
  }
  return begun;
}
