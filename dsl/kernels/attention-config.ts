/** [dsl/kernels] Block sizes of the attention kernels that fit a device's shared memory. No kernel is defined here. */

/** What the choice depends on. */
export interface AttentionShape {
  /** Head dim D. */
  readonly headDim: number;
  /** Query heads of a kv head. */
  readonly group: number;
  /** Bytes of one staged element: 2 where narrow floats go to tensor cores, else 4. */
  readonly stagedBytes: 2 | 4;
  /** Shared memory of a block in bytes; 0 where there is none to fill (then small blocks waste least). */
  readonly sharedBytes: number;
}

/** Rows and keys of a block, largest first. */
const PREFILL_BLOCKS: readonly (readonly [number, number])[] = [
  [64, 64],
  [32, 32],
  [16, 16],
  [16, 8],
  [8, 8],
  [4, 8],
];
const DECODE_KEYS: readonly number[] = [64, 32, 16, 8];
/** Rows of a tensor-core tile. */
const MMA_ROWS = 16;
/** Scratch of the reductions, and padding against bank conflicts. */
const SCRATCH_BYTES = 3072;

/** Config of `prefillAttention`; the smallest blocks where nothing fits, so that the compiler can say what is missing. */
export function prefillConfig(shape: AttentionShape): Readonly<Record<"BM" | "BN", number>> {
  if (shape.sharedBytes === 0) return { BM: 16, BN: 16 };
  const fitting = PREFILL_BLOCKS.find(([bm, bn]) => footprint(bm, bn, shape) <= shape.sharedBytes);
  const [BM, BN] = fitting ?? [4, 8];
  return { BM, BN };
}

/** Config of `pagedDecode`. */
export function decodeConfig(shape: AttentionShape): Readonly<Record<"GP" | "BN", number>> {
  const rows = Math.min(MMA_ROWS, 2 ** Math.ceil(Math.log2(shape.group)));
  const GP = shape.stagedBytes === 2 ? MMA_ROWS : rows;
  if (shape.sharedBytes === 0) return { GP, BN: 16 };
  const BN = DECODE_KEYS.find((bn) => footprint(GP, bn, shape) <= shape.sharedBytes) ?? 8;
  return { GP, BN };
}

/** Queries, one block of keys or values, probabilities. More pipeline stages are the compiler's to drop. */
function footprint(rows: number, keys: number, { headDim, stagedBytes }: AttentionShape): number {
  return ((rows + keys) * headDim + rows * keys) * stagedBytes + SCRATCH_BYTES;
}
