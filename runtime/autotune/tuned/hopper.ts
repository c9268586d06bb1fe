/** [runtime/autotune/tuned] Tile sizes of products for sm_90a: wgmma with as many programs as fill whole waves of multiprocessors. */
import { scheduleConfig } from "../../../dsl/index.ts";
import type { TunedConfig, TunedTable } from "../store.ts";
import { ANY_GPU } from "./any-gpu.ts";
import {
  BESIDE,
  entry,
  HALVES,
  type LargeTiles,
  MOST,
  type Operands,
  products,
  SMS,
  WIDTHS,
} from "./hopper-waves.ts";

/** Two blocks copy for each other, 0.3 to 4 % faster from these rows and columns on and slower for less. */
const PAIRED = [4096, 2048] as const;
const PAIR = { BM: 128, BN: 256, BK: 64, stages: 4, group: 8, cluster: 2 } as const;
/** As many elements as two warpgroups can sum: a quarter fewer bytes through shared memory, 2 to 3 % faster than a pair of 128 rows each. */
const WIDE = { BM: 256, BN: 208, BK: 64, stages: 3, group: 8, cluster: 2 } as const;
const LARGE: LargeTiles = {
  from: PAIRED,
  tiles: [
    { BM: 128, BN: 256, config: PAIR, wave: 128 * (256 + BESIDE) },
    { BM: 256, BN: 208, config: WIDE, wave: 256 * (208 + 6) },
  ],
  beyond: WIDE,
};
const PAIRED_DIMS = { M: [PAIRED[0] + 1, MOST], N: [PAIRED[1] + 1, MOST] } as const;

/** Few trips a program: its results are stored under the next one's first trips, 6 % faster at 1,024 elements of K and 1 % at 4,096. */
const SHORT: TunedConfig = {
  dtypes: HALVES,
  dims: { ...PAIRED_DIMS, K: [1, 2048] },
  config: { ...PAIR, ...scheduleConfig({ holdStores: true }) },
};

/**
 * A weight of few rows and long columns: 128 rows of x for each tile of 32 columns are more than the cache gives. Two blocks read half as
 * much for tiles of 64, 6 % faster.
 * @source test/bench/results/nvidia-h200-products.json
 */
const SPLIT: readonly TunedConfig[] = [
  {
    dtypes: HALVES,
    dims: { M: [65, 128], N: [2049, (SMS / 2) * 64], K: [8192, MOST] },
    config: { BM: 128, BN: 64, BK: 64, stages: 7, group: 1, ...scheduleConfig({ splitK: 2 }) },
  },
];

/** @source test/bench/results/nvidia-h200-products.json */
const PRODUCTS = [
  ...SPLIT,
  SHORT,
  ...products({ BK: 64, widths: WIDTHS, dtypes: HALVES, swapped: [8, 16, 32] }, LARGE),
];
/** By the same arithmetic. Sums of 8-bit floats are kept twice; integers come in whole 16 columns from 32 on. */
const FLOATS8_OPERANDS: Operands = {
  BK: 128,
  widths: WIDTHS.filter((width) => width <= 192),
  swapped: [8, 16, 32],
};
const FLOATS8 = [
  entry(FLOATS8_OPERANDS, [128, 176, 8], { M: [2049, 4096], N: [2049, 4096] }),
  ...products(FLOATS8_OPERANDS),
];
const INTEGERS8 = products({
  BK: 128,
  widths: WIDTHS.filter((width) => width <= 32 || width % 16 === 0),
  swapped: [16, 32],
});
/** A trip is one group of columns, also where few rows would take two; tiles that lie in one block of columns need one scale of it. */
const BLOCK8_OPERANDS: Operands = {
  BK: 128,
  mostBK: 128,
  widths: [8, 16, 32, 64, 128],
  swapped: [8, 16, 32],
};
/** Rows from which tiles of two and of three warpgroups are taken, and columns from which 128 rows take more than a wave of the widest tiles. */
const MANY_ROWS = 2049;
const MOST_ROWS = 4097;
const MANY_COLUMNS = SMS * 128 + 1;
const LATE = (group: number) => ({
  ...entry(BLOCK8_OPERANDS, [128, 128, group]).config,
  ...scheduleConfig({ lateSums: true }),
});
/**
 * Two warpgroups add each product under their next one, 11 % faster at 4096³; three keep the tensor cores busy without, and read a sixth
 * less: 2.4 % faster at 8192³, 6 % slower at 4096³.
 * @source test/bench/results/nvidia-h200-products.json
 */
const BLOCKS8: readonly TunedConfig[] = [
  {
    dims: { M: [MOST_ROWS, MOST], N: [MOST_ROWS, MOST] },
    config: { BM: 192, BN: 128, BK: 128, stages: 4, group: 8 },
  },
  { dims: { M: [MANY_ROWS, MOST], K: [512, MOST] }, config: LATE(8) },
  { dims: { M: [65, 128], N: [MANY_COLUMNS, MOST], K: [512, MOST] }, config: LATE(1) },
  ...products(BLOCK8_OPERANDS),
];

/**
 * Rows of experts go by mma.sync: few of them stream the weight in long stages, more of them need two blocks of eight warps on a
 * multiprocessor to hide what each waits for. Not measured.
 */
const EXPERTS: readonly TunedConfig[] = [
  { dtypes: HALVES, dims: { BM: [1, 32] }, config: { BN: 64, BK: 64, stages: 4 } },
  { dtypes: HALVES, config: { BN: 128, BK: 32, stages: 4, warps: 8 } },
];

/** Keys and values of all heads up to this length lie in the cache together; beyond it heads go in groups that share theirs. */
const LONGEST_TOGETHER = 12_288;
const ATTENTION_TILES = { BM: 128, BN: 128, stages: 2 } as const;
const WIDE_QUERIES = { BM: 128, BN: 96, stages: 2, heads: 0 } as const;
const WIDE_HEADS = { BM: 128, BN: 64, stages: 2, heads: 0 } as const;
/** Queries of which blocks of 128 are not mostly padding. */
const ROWS = [65, MOST] as const;
/** Queries of a block that three warpgroups share out, and keys by head dim, for as much as their registers hold. */
const WIDE_BLOCK = 192;
const WIDE_KEYS = [
  { BN: 128, D: [32, 32] },
  { BN: 96, D: [64, 64] },
  { BN: 96, D: [80, 80] },
  { BN: 96, D: [96, 96] },
] as const;
/** Least and greatest number of queries, and of batches: the least of both says how many blocks there are at least. */
const MANY_QUERIES = [
  [2048, 4095],
  [4096, 8191],
  [8192, MOST],
] as const;
const BATCHES = [
  [1, 1],
  [2, 3],
  [4, 7],
  [8, MOST],
] as const;
/** Waves of programs from which the larger ones no longer leave more multiprocessors without work at the end. */
const ENOUGH_WAVES = 8;

/** Batches, queries and heads that make so many blocks of three warpgroups. */
const MANY_BLOCKS = MANY_QUERIES.flatMap((L) =>
  BATCHES.map((B) => {
    const blocks = B[0] * Math.ceil(L[0] / WIDE_BLOCK);
    return { B, L, HQ: [Math.ceil((ENOUGH_WAVES * SMS) / blocks), MOST] as const };
  }),
);

/**
 * Many blocks of narrow heads: 192 queries of three warpgroups, 2 to 12 % faster at head dims of 64 to 96 and 18 to 24 % at 32; at 1,024
 * queries of 32 heads (1.5 waves) slower.
 * @source test/bench/results/nvidia-h200-three-warpgroups.jsonl
 */
const WIDE_BLOCKS: readonly TunedConfig[] = WIDE_KEYS.flatMap(({ BN, D }) =>
  MANY_BLOCKS.flatMap((many): readonly TunedConfig[] => {
    const dims = { ...many, D, DV: D };
    const config = { BM: WIDE_BLOCK, BN, stages: 2 };
    return [
      {
        dtypes: HALVES,
        dims: { ...dims, LK: [0, LONGEST_TOGETHER] },
        config: { ...config, heads: 0 },
      },
      { dtypes: HALVES, dims, config: { ...config, heads: 16 } },
    ];
  }),
);

/**
 * Blocks of 128 queries and keys by two warpgroups, where head dims let roles share the loop out. Two slots were never slower than three.
 * @source test/bench/results/nvidia-h200-attention.jsonl: 16 heads together 0.977 and 0.988 times as fast up to 4,096 keys, 1.001 at 16,384
 */
const ATTENTION: readonly TunedConfig[] = [
  ...WIDE_BLOCKS,
  {
    dtypes: HALVES,
    dims: { D: [16, 128], L: ROWS, LK: [0, LONGEST_TOGETHER] },
    config: { ...ATTENTION_TILES, heads: 0 },
  },
  {
    dtypes: HALVES,
    dims: { D: [16, 128], L: ROWS },
    config: { ...ATTENTION_TILES, heads: 16 },
  },
  // Longer rows leave room for fewer keys. @source test/bench/results/nvidia-h200-head-dims.jsonl
  { dtypes: HALVES, dims: { D: [129, 192], DV: [16, 128], L: ROWS }, config: WIDE_QUERIES },
  { dtypes: HALVES, dims: { D: [129, 256], L: ROWS }, config: WIDE_HEADS },
];

const FAST = { heads: 0, ...scheduleConfig({ fastSums: true }) } as const;
/**
 * In 8 bits, where the sums stay in the tensor cores, three warpgroups suit heads of 128 numbers too, as their products are short: 3 to 7 %
 * faster than blocks of 128 queries and keys, of 128 and 192 still 2 to 4 %.
 * @source test/bench/results/nvidia-h200-head-dims.jsonl
 */
const ATTENTION8: readonly TunedConfig[] = [
  ...MANY_BLOCKS.map((many): TunedConfig => {
    const dims = { ...many, D: [128, 128], DV: [128, 128] } as const;
    return { dims, config: { BM: WIDE_BLOCK, BN: 96, stages: 2, ...FAST } };
  }),
  {
    dims: { D: [128, 128], DV: [128, 128], L: ROWS },
    config: { BM: 128, BN: 192, stages: 2, ...FAST },
  },
  { dims: { D: [32, 128], DV: [16, 128], L: ROWS }, config: { ...ATTENTION_TILES, ...FAST } },
];

/** A row of logits is walked by one program: the more of it is on its way at a time, the fewer waits. By that count, not measured. */
const VOCABULARY: readonly TunedConfig[] = [{ config: { BV: 8192, warps: 16 } }];

export const HOPPER: TunedTable = {
  ...ANY_GPU,
  attention: ATTENTION,
  attention_fp8: ATTENTION8,
  linear: PRODUCTS,
  linear_bias: PRODUCTS,
  linear_fp8: FLOATS8,
  linear_fp8_block: BLOCKS8,
  linear_fp8_tensor: FLOATS8,
  linear_int8: INTEGERS8,
  moe_gemm: EXPERTS,
  sample: VOCABULARY,
};
