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

/** Rows and keys of a block of `prefillAttention`. */
export interface PrefillConfig extends Readonly<Record<string, number>> {
  readonly BM: number;
  readonly BN: number;
}
/** Rows and keys of a block of a decode. */
export interface DecodeConfig extends Readonly<Record<string, number>> {
  readonly GP: number;
  readonly BN: number;
}
/** Config of `pagedDecode` that the merge behind it and the number of programs go by. */
export interface PagedDecodeConfig extends DecodeConfig {
  readonly BS: number;
  readonly LEAST: number;
  readonly stages: number;
}

const SMALLEST_PREFILL: PrefillConfig = Object.freeze({ BM: 4, BN: 8 });
const MIDDLE_PREFILL: PrefillConfig = Object.freeze({ BM: 16, BN: 16 });
/** What `prefillConfig` may give, largest first. */
export const PREFILL_CONFIGS: readonly PrefillConfig[] = [
  Object.freeze({ BM: 64, BN: 64 }),
  Object.freeze({ BM: 32, BN: 32 }),
  MIDDLE_PREFILL,
  Object.freeze({ BM: 16, BN: 8 }),
  Object.freeze({ BM: 8, BN: 8 }),
  SMALLEST_PREFILL,
];
/** What `decodeConfig` may give: for each number of rows, most keys first. */
export const DECODE_CONFIGS: readonly DecodeConfig[] = [1, 2, 4, 8, 16].flatMap((GP) =>
  [64, 32, 16, 8].map((BN) => Object.freeze({ GP, BN })),
);
/** Sequences that a program of `pagedDecode` looks at in one step. */
const LINE_STEP = 256;
/**
 * Blocks of keys of a piece at least: more pieces of short sequences cost the merge more than they save.
 * @source test/bench/results/nvidia-h200-llama-3.1-8b-b1.json: 512 keys, a step of 4.594 ms for 4.620 (1 block) and 4.607 (4)
 */
const LEAST_BLOCKS = 2;
/** What `pagedDecodeConfig` may give. */
export const PAGED_DECODE_CONFIGS: readonly PagedDecodeConfig[] = DECODE_CONFIGS.map((block) =>
  Object.freeze({ ...block, BS: LINE_STEP, LEAST: LEAST_BLOCKS, stages: 2 }),
);
/** Rows of a tensor-core tile. */
const MMA_ROWS = 16;
/** Scratch of the reductions, and padding against bank conflicts. */
const SCRATCH_BYTES = 3072;
/** Keys of a block where memory sets no limit. */
const UNLIMITED_KEYS = 16;

/** Config of `prefillAttention`, one of `PREFILL_CONFIGS`; the smallest where none fits, so that the compiler says what is missing. */
export function prefillConfig(shape: AttentionShape): PrefillConfig {
  if (shape.sharedBytes === 0) return MIDDLE_PREFILL;
  return (
    PREFILL_CONFIGS.find(({ BM, BN }) => footprint(BM, BN, shape) <= shape.sharedBytes) ??
    SMALLEST_PREFILL
  );
}

/** Config of `pagedDecode`, one of `PAGED_DECODE_CONFIGS`. */
export function pagedDecodeConfig(shape: AttentionShape): PagedDecodeConfig {
  const block = decodeConfig(shape);
  const config = PAGED_DECODE_CONFIGS[DECODE_CONFIGS.indexOf(block)];
  return config ?? { ...block, BS: LINE_STEP, LEAST: LEAST_BLOCKS, stages: 2 };
}

/** Rows and keys of decodes, one of `DECODE_CONFIGS`. */
export function decodeConfig(shape: AttentionShape): DecodeConfig {
  const rows = Math.min(MMA_ROWS, 2 ** Math.ceil(Math.log2(Math.max(1, shape.group))));
  const padded = shape.stagedBytes === 2 ? MMA_ROWS : rows;
  const candidates = DECODE_CONFIGS.filter(({ GP }) => GP === padded);
  const fits = ({ GP, BN }: DecodeConfig) =>
    shape.sharedBytes === 0 ? BN === UNLIMITED_KEYS : footprint(GP, BN, shape) <= shape.sharedBytes;
  return candidates.find(fits) ?? candidates.at(-1) ?? { GP: padded, BN: 8 };
}

/** Blocks of keys of `sharedPrefixDecode`, and of rows: as many as registers hold beside the sums. */
const TILE_BLOCKS = [64, 32, 16, 8, 4, 2, 1].flatMap((GP) =>
  [64, 32, 16, 8].map((BN) => ({ GP, BN })),
);
const sharedConfigs = new Map<string, PagedDecodeConfig>();

/**
 * Config of `sharedPrefixDecode`: as many rows of a tile in one block as fit, then as many keys. The same object for the same config.
 * @param shape with all rows of a tile as its group
 * @param line config of the decode behind it, which shares out its line in the same steps
 */
export function sharedPrefixConfig(
  shape: AttentionShape,
  { BS, LEAST, stages }: PagedDecodeConfig,
): PagedDecodeConfig {
  const { stagedBytes, sharedBytes } = shape;
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, shape.group)));
  const rows = stagedBytes === 2 ? Math.max(MMA_ROWS, wanted) : wanted;
  const candidates = TILE_BLOCKS.filter(
    ({ GP }) => GP <= rows && (stagedBytes !== 2 || GP >= MMA_ROWS),
  );
  const fits = ({ GP, BN }: DecodeConfig) =>
    sharedBytes === 0 ? BN === UNLIMITED_KEYS : footprint(GP, BN, shape) <= sharedBytes;
  const { GP, BN } = candidates.find(fits) ?? candidates.at(-1) ?? { GP: MMA_ROWS, BN: 8 };
  const key = [GP, BN, BS, LEAST, stages].join(" ");
  const known = sharedConfigs.get(key) ?? Object.freeze({ GP, BN, BS, LEAST, stages });
  sharedConfigs.set(key, known);
  return known;
}

/** Latents of a block in flight, and whether others are fetched meanwhile. */
const LATENT_BLOCKS = [
  { BN: 32, stages: 2 },
  { BN: 32, stages: 1 },
  { BN: 16, stages: 1 },
  { BN: 8, stages: 1 },
] as const;
/** For tensor cores and many heads, of which each reading of a latent should serve as many as registers hold. @source test/bench/results/nvidia-h200-latent.jsonl */
const MANY_HEADS = [64, 32].map((GP) =>
  Object.freeze({ GP, BN: 32, stages: 2, BS: LINE_STEP, LEAST: 1, warps: 8 }),
);
/** What `latentDecodeConfig` may give, largest first. */
export const LATENT_DECODE_CONFIGS: readonly PagedDecodeConfig[] = [
  ...MANY_HEADS,
  ...[16, 8, 4, 2, 1].flatMap((GP) =>
    LATENT_BLOCKS.map((block) => Object.freeze({ GP, ...block, BS: LINE_STEP, LEAST: 1 })),
  ),
];

/**
 * Config of `mlaDecode`, one of `LATENT_DECODE_CONFIGS`: as many heads as read a block of latents at once, then as many latents as fit.
 * @param shape with all numbers that the cache holds for a position as its head dim, and all query heads as its group
 */
export function latentDecodeConfig(shape: AttentionShape): PagedDecodeConfig {
  const [least, most] = shape.stagedBytes === 2 ? [MMA_ROWS, 64] : [1, MMA_ROWS];
  const wanted = Math.min(most, 2 ** Math.ceil(Math.log2(shape.group)));
  const rows = Math.max(least, wanted > shape.group && wanted > MMA_ROWS ? wanted / 2 : wanted);
  const candidates = LATENT_DECODE_CONFIGS.filter(({ GP }) => GP <= rows && GP >= least);
  const fits = ({ GP, BN, stages }: PagedDecodeConfig) =>
    latentFootprint({ GP, BN, stages }, shape) <= shape.sharedBytes;
  const found = candidates.find(fits) ?? candidates.at(-1);
  return found ?? { GP: rows, BN: 8, BS: LINE_STEP, LEAST: 1, stages: 1 };
}

/** Bytes of shared memory that a program of `mlaDecode` takes: queries, latents of each stage, probabilities. */
export function latentFootprint(
  { GP, BN, stages }: Pick<PagedDecodeConfig, "GP" | "BN" | "stages">,
  { headDim, stagedBytes }: AttentionShape,
): number {
  return ((GP + stages * BN) * headDim + GP * BN) * stagedBytes + SCRATCH_BYTES;
}

/** Queries, one block of keys or values, probabilities. More pipeline stages are the compiler's to drop. */
function footprint(rows: number, keys: number, { headDim, stagedBytes }: AttentionShape): number {
  return ((rows + keys) * headDim + rows * keys) * stagedBytes + SCRATCH_BYTES;
}
