/** [dsl/kernels] The lists of row blocks that `pagedAttention` and `raggedAttention` work through, made on the host. No kernel is defined here. */

/** New tokens of a sequence, at the end of `length` tokens of context. */
export interface BlockSequence {
  readonly queries: number;
  readonly length: number;
}

export interface RowBlockOptions {
  /** Rows of a block: config BM of the kernel. */
  readonly BM: number;
  /** Query heads. */
  readonly HQ: number;
  /** Query heads of an entry: config `heads`, 0 for all. Heads of one entry run side by side, so their keys and values are in the cache together. */
  readonly heads: number;
}

/** Columns of an entry: sequence, first row, row past the last, position of the first row, keys, first query head. */
export const BLOCK_COLUMNS = 6;

/**
 * Blocks of the rows of all sequences, which follow one another in q; within a section of heads those with the most keys come first, so
 * that none of them is left for the end.
 * @returns i32 `[B, 6]`, row-major
 */
export function rowBlocks(
  sequences: readonly BlockSequence[],
  { BM, HQ, heads }: RowBlockOptions,
): Int32Array<ArrayBuffer> {
  const blocks: (readonly number[])[] = [];
  let row = 0;
  sequences.forEach(({ queries, length }, s) => {
    const end = row + queries;
    for (let first = row; first < end; first += BM)
      blocks.push([s, first, Math.min(first + BM, end), length - queries + first - row, length]);
    row = end;
  });
  blocks.sort((a, b) => (b[3] ?? 0) - (a[3] ?? 0));
  const sections = heads === 0 ? 1 : Math.ceil(HQ / heads);
  const list = new Int32Array(blocks.length * sections * BLOCK_COLUMNS);
  for (let section = 0; section < sections; section++)
    blocks.forEach((block, i) => {
      list.set([...block, section * heads], (section * blocks.length + i) * BLOCK_COLUMNS);
    });
  return list;
}

/** A sequence whose keys lie one after another. */
export interface KeyedSequence extends BlockSequence {
  /** Row of its first key. */
  readonly firstKey: number;
}

/**
 * The same for `raggedAttention`: a block's first column is the row of its sequence's first key.
 * @param firstRow row of q at which the first sequence begins
 */
export function keyedBlocks(
  sequences: readonly KeyedSequence[],
  options: RowBlockOptions,
  firstRow: number,
): Int32Array<ArrayBuffer> {
  const list = rowBlocks(sequences, options);
  for (let at = 0; at < list.length; at += BLOCK_COLUMNS) {
    const [sequence = 0, first = 0, end = 0] = list.subarray(at, at + 3);
    list.set([sequences[sequence]?.firstKey ?? 0, firstRow + first, firstRow + end], at);
  }
  return list;
}

/** Columns of an entry of `keyCopies`: sequence, first position, keys of the sequence, row where the first position goes. */
export const COPY_COLUMNS = 4;

/**
 * Blocks of BM positions of all sequences for `mlaGather`, whose keys follow one another.
 * @param lengths keys of each sequence
 * @param firstSequence number of the first of them
 * @returns i32 `[B, 4]`, row-major
 */
export function keyCopies(
  lengths: readonly number[],
  BM: number,
  firstSequence = 0,
): Int32Array<ArrayBuffer> {
  const entries: number[] = [];
  let row = 0;
  lengths.forEach((length, i) => {
    const s = firstSequence + i;
    for (let first = 0; first < length; first += BM) entries.push(s, first, length, row + first);
    row += length;
  });
  return Int32Array.from(entries);
}
