/** [runtime/autotune/tuned] Tile sizes of products for sm_90a: wgmma with as many programs as fill whole waves of multiprocessors. */
import { scheduleConfig } from "../../../dsl/index.ts";
import type { TunedConfig, TunedTable } from "../store.ts";
import { ANY_GPU } from "./any-gpu.ts";

/** Multiprocessors of an H100 or H200 SXM, which the sizes below are shared out over; others (PCIe, 114) get tiles that fit less well. */
const SMS = 132;
const HALVES = { T: ["f16", "bf16"] } as const;
/** Bytes of shared memory for the ring, next to the panels of the results; rows of 64 elements of 16 bits. */
const RING_BYTES = 190 * 1024;
const ROW_BYTES = 128;
const MOST_STAGES = 12;

function stagesFor(BM: number, BN: number): number {
  return Math.min(MOST_STAGES, Math.floor(RING_BYTES / ((BM + BN) * ROW_BYTES)));
}

/** Elements of a kind that fill rows of 128 bytes, and the widths of tile that its accumulators allow. */
interface Operands {
  readonly BK: number;
  readonly widths: readonly number[];
  readonly dtypes?: TunedConfig["dtypes"];
  /** Rows of tiles whose operands are swapped, least first. */
  readonly swapped?: readonly number[];
}

function entry(
  { BK, dtypes }: Operands,
  [BM, BN, group]: readonly [BM: number, BN: number, group: number],
  dims?: TunedConfig["dims"],
): TunedConfig {
  return {
    ...(dtypes === undefined ? {} : { dtypes }),
    ...(dims === undefined ? {} : { dims }),
    config: { BM, BN, BK, stages: stagesFor(BM, BN), group },
  };
}

/** Columns of a tile, in steps that share out the weight evenly. */
const WIDTHS: readonly number[] = [
  ...Array.from({ length: 8 }, (_, i) => 8 * (i + 1)),
  ...Array.from({ length: 12 }, (_, i) => 64 + 16 * (i + 1)),
];

/** Waves of the widest tiles up to which weights are dealt out evenly. */
const MOST_WAVES = 8;

/**
 * Few rows: reading the weight once is all there is to do, so its rows are dealt out in one wave, as evenly as tiles allow; in several
 * where the widest tiles make no less.
 */
function wholeWaves(
  operands: Operands,
  BM: number,
  M: readonly [number, number],
): readonly TunedConfig[] {
  const widest = Math.max(...operands.widths);
  const dealt: TunedConfig[] = [];
  let least = 1;
  for (let waves = 1; waves <= MOST_WAVES; waves++) {
    for (const BN of operands.widths) {
      const most = waves * SMS * BN;
      if (most < least) continue;
      dealt.push(entry(operands, [BM, BN, 1], { M, N: [least, most] }));
      least = most + 1;
    }
  }
  return [...dealt, entry(operands, [BM, widest, 1], { M, N: [least, 2 ** 31 - 1] })];
}

/** Fewer rows than a product has: the weight takes its 64 rows. Half of the multiprocessors read it as fast as all of them. */
function swapped(
  { BK, dtypes }: Operands,
  BM: number,
  M: readonly [number, number],
): readonly TunedConfig[] {
  const of = dtypes === undefined ? {} : { dtypes };
  const narrow = { BM, BN: 64, BK: 2 * BK, stages: 8, group: 1 };
  const wide = { BM, BN: 128, BK, stages: 9, group: 1 };
  return [
    { ...of, dims: { M, N: [1, SMS * narrow.BN] }, config: narrow },
    { ...of, dims: { M }, config: wide },
  ];
}

/** Not enough rows and columns for a wave of the largest tiles: the largest whose programs all run at once. */
function smallTiles(operands: Operands): readonly TunedConfig[] {
  const widest = Math.max(...operands.widths);
  return [256, 512, 1024, 2048].flatMap((rows) =>
    [
      [64, 64],
      [128, 64],
      [128, 128],
      [128, 192],
    ]
      .filter(([, BN = 64]) => BN <= widest)
      .map(([BM = 64, BN = 64]): TunedConfig => {
        const most = Math.floor(SMS / Math.ceil(rows / BM)) * BN;
        return entry(operands, [BM, BN, 8], { M: [rows / 2 + 1, rows], N: [1, most] });
      }),
  );
}

function products(operands: Operands): readonly TunedConfig[] {
  return [
    ...(operands.swapped ?? []).flatMap((rows, i, all) => {
      return swapped(operands, rows, [(all[i - 1] ?? 0) + 1, rows]);
    }),
    ...wholeWaves(operands, 64, [1, 64]),
    ...wholeWaves(operands, 128, [65, 128]),
    ...smallTiles(operands),
    entry(operands, [128, Math.max(...operands.widths), 8]),
  ];
}

const PAIR = { BM: 128, BN: 256, BK: 64, stages: 4, group: 8, cluster: 2 } as const;
/**
 * Large products of which many tiles read the same: two blocks copy for each other, which is 0.3 to 4 % faster there and slower for less.
 * @source test/bench/results/nvidia-h200-products.json
 */
const PAIRS: readonly TunedConfig[] = [
  { dtypes: HALVES, dims: { M: [129, 256], N: [SMS * 128, 2 ** 31 - 1] }, config: PAIR },
  { dtypes: HALVES, dims: { M: [4097, 2 ** 31 - 1], N: [2049, 2 ** 31 - 1] }, config: PAIR },
];

/** Few trips a program: its results are stored under the next one's first trips, 6 % faster at 1,024 elements of K and 1 % at 4,096. */
const SHORT: readonly TunedConfig[] = PAIRS.slice(1).map(({ dims, config, ...rest }) => ({
  ...rest,
  dims: { ...dims, K: [1, 2048] },
  config: { ...config, ...scheduleConfig({ holdStores: true }) },
}));

/**
 * A weight of few rows and long columns: 128 rows of x for each tile of 32 columns are more than the cache gives. Two blocks read half as
 * much for tiles of 64, 6 % faster.
 * @source test/bench/results/nvidia-h200-products.json
 */
const SPLIT: readonly TunedConfig[] = [
  {
    dtypes: HALVES,
    dims: { M: [65, 128], N: [2049, (SMS / 2) * 64], K: [8192, 2 ** 31 - 1] },
    config: { BM: 128, BN: 64, BK: 64, stages: 7, group: 1, ...scheduleConfig({ splitK: 2 }) },
  },
];

/** @source test/bench/results/nvidia-h200-products.json */
const PRODUCTS = [
  ...SPLIT,
  ...SHORT,
  ...PAIRS,
  ...products({ BK: 64, widths: WIDTHS, dtypes: HALVES, swapped: [8, 16, 32] }),
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
const BLOCK8_OPERANDS: Operands = { BK: 128, widths: [8, 16, 32, 64, 128] };
/** Rows from which the largest tiles are taken. */
const MANY_ROWS = 2049;
/**
 * A tile lies in one block of 128 columns. Two warpgroups add each product under their next one, 10 % faster at 4096³.
 * @source test/bench/results/nvidia-h200-products.json
 */
const BLOCKS8: readonly TunedConfig[] = [
  {
    dims: { M: [MANY_ROWS, 2 ** 31 - 1], K: [512, 2 ** 31 - 1] },
    config: {
      ...entry(BLOCK8_OPERANDS, [128, 128, 8]).config,
      ...scheduleConfig({ lateSums: true }),
    },
  },
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
const ROWS = [65, 2 ** 31 - 1] as const;
/**
 * Blocks of 128 queries and keys by two warpgroups, where head dims let roles share the loop out. Two slots were never slower than three.
 * @source test/bench/results/nvidia-h200-attention.jsonl: 16 heads together 0.977 and 0.988 times as fast up to 4,096 keys, 1.001 at 16,384
 */
const ATTENTION: readonly TunedConfig[] = [
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

/** The same blocks in 8 bits, where the sums stay in the tensor cores. */
const ATTENTION8: readonly TunedConfig[] = [
  {
    dims: { D: [32, 128], DV: [16, 128], L: ROWS },
    config: { ...ATTENTION_TILES, heads: 0, ...scheduleConfig({ fastSums: true }) },
  },
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
