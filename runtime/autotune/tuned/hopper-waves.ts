/** [runtime/autotune/tuned] Tile sizes of products for sm_90a by the arithmetic of waves: as many programs as multiprocessors take in turns. The tables are in hopper.ts. */
import type { TunedConfig } from "../store.ts";

/** No bound. */
export const MOST = 2 ** 31 - 1;
/** Multiprocessors of an H100 or H200 SXM, which the sizes below are shared out over; others (PCIe, 114) get tiles that fit less well. */
export const SMS = 132;
export const HALVES = { T: ["f16", "bf16"] } as const;
/** Bytes of shared memory for the ring, next to the panels of the results; rows of 64 elements of 16 bits. */
const RING_BYTES = 190 * 1024;
const ROW_BYTES = 128;
const MOST_STAGES = 12;

function stagesFor(BM: number, BN: number): number {
  return Math.min(MOST_STAGES, Math.floor(RING_BYTES / ((BM + BN) * ROW_BYTES)));
}

/** Elements of a kind that fill rows of 128 bytes, and the widths of tile that its accumulators allow. */
export interface Operands {
  readonly BK: number;
  /** The most that a trip may take of K; twice BK where nothing is said. */
  readonly mostBK?: number;
  readonly widths: readonly number[];
  readonly dtypes?: TunedConfig["dtypes"];
  /** Rows of tiles whose operands are swapped, least first. */
  readonly swapped?: readonly number[];
}

export function entry(
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
export const WIDTHS: readonly number[] = [
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
  return [...dealt, entry(operands, [BM, widest, 1], { M, N: [least, MOST] })];
}

/** Fewer rows than a product has: the weight takes its 64 rows. Half of the multiprocessors read it as fast as all of them. */
function swapped(
  { BK, mostBK = 2 * BK, dtypes }: Operands,
  BM: number,
  M: readonly [number, number],
): readonly TunedConfig[] {
  const of = dtypes === undefined ? {} : { dtypes };
  const narrow = {
    BM,
    BN: 64,
    BK: mostBK,
    stages: Math.min(MOST_STAGES, (16 * BK) / mostBK),
    group: 1,
  };
  const wide = { BM, BN: 128, BK, stages: 9, group: 1 };
  return [
    { ...of, dims: { M, N: [1, SMS * narrow.BN] }, config: narrow },
    { ...of, dims: { M }, config: wide },
  ];
}

/** Not enough rows and columns for a wave of the largest tiles: the largest whose programs all run at once. */
function smallTiles(operands: Operands): readonly TunedConfig[] {
  return [256, 512, 1024, 2048].flatMap((rows) =>
    [
      [64, 64],
      [128, 64],
      [128, 128],
    ].map(([BM = 64, BN = 64]): TunedConfig => {
      const most = Math.floor(SMS / Math.ceil(rows / BM)) * BN;
      return entry(operands, [BM, BN, 8], { M: [rows / 2 + 1, rows], N: [1, most] });
    }),
  );
}

/** Rows of a block, and columns up to which the last wave is a good part of all. */
const BLOCK_ROWS = 128;
const FEW_COLUMNS = 32_768;
const COLUMN_STEP = 256;
/** Rows that are counted block by block, and those counted by eight blocks at a time. */
const FEW_ROWS = 16 * BLOCK_ROWS;
const MANY_ROWS = 72 * BLOCK_ROWS;
/** What a program of a block's rows costs beside its columns, in columns. */
export const BESIDE = 16;

/** Tiles of a kind, and the time of one of their waves in elements of the product. */
export interface Tiles {
  readonly BM: number;
  readonly BN: number;
  readonly config: TunedConfig["config"];
  readonly wave: number;
}

/** Tiles for products that have at least these rows and columns. */
export interface LargeTiles {
  readonly from: readonly [rows: number, columns: number];
  readonly tiles: readonly Tiles[];
  /** Where waves are too many to count. */
  readonly beyond: TunedConfig["config"];
}

/** Ranges of columns for which one kind of tiles is the fastest: the one whose waves take the least time in all. */
function byColumns(
  tiles: readonly Tiles[],
  M: readonly [number, number],
  [from, to]: readonly [number, number],
): readonly TunedConfig[] {
  const cost = ({ BM, BN, wave }: Tiles, N: number): number =>
    Math.ceil((Math.ceil(M[1] / BM) * Math.ceil(N / BN)) / SMS) * wave;
  const ranges: { first: number; last: number; config: TunedConfig["config"] }[] = [];
  for (let N = from + COLUMN_STEP; N <= to; N += COLUMN_STEP) {
    const { config } = tiles.reduce((a, b) => (cost(b, N) <= cost(a, N) ? b : a));
    const before = ranges.at(-1);
    if (before?.config === config) before.last = N;
    else ranges.push({ first: N - COLUMN_STEP + 1, last: N, config });
  }
  return ranges.map(({ first, last, config }) => ({ dims: { M, N: [first, last] }, config }));
}

/**
 * Some blocks of rows. 28,672 columns, for example, are two waves of tiles of 256 or of 224, which fill the second one: 1.032 for 0.988 of
 * the vendor's speed at 256 rows; 6,144 columns at 1,024 rows are two waves of 192.
 * @source test/bench/results/nvidia-h200-products.json
 */
function fullWaves(operands: Operands, large: LargeTiles | undefined): readonly TunedConfig[] {
  const few = operands.widths
    .filter((width) => width >= BLOCK_ROWS && width % 16 === 0)
    .map((BN): Tiles => {
      const { config } = entry(operands, [BLOCK_ROWS, BN, 8]);
      return { BM: BLOCK_ROWS, BN, config, wave: BLOCK_ROWS * (BN + BESIDE) };
    });
  const found: TunedConfig[] = [];
  for (let rows = BLOCK_ROWS; rows < MANY_ROWS; ) {
    const most = rows + (rows < FEW_ROWS ? BLOCK_ROWS : 8 * BLOCK_ROWS);
    const M = [rows + 1, most] as const;
    const border = large !== undefined && rows >= large.from[0] ? large.from[1] : FEW_COLUMNS;
    found.push(...byColumns(few, M, [0, border]));
    found.push(...byColumns(large?.tiles ?? few, M, [border, FEW_COLUMNS]));
    rows = most;
  }
  if (large !== undefined) {
    const [rows, columns] = large.from;
    const dims = { M: [rows + 1, MOST], N: [columns + 1, MOST] } as const;
    found.push({ dims, config: large.beyond });
  }
  const { dtypes } = operands;
  return dtypes === undefined ? found : found.map((one) => ({ dtypes, ...one }));
}

/** Entries for every product of these operands, by the arithmetic of waves. */
export function products(operands: Operands, large?: LargeTiles): readonly TunedConfig[] {
  return [
    ...(operands.swapped ?? []).flatMap((rows, i, all) => {
      return swapped(operands, rows, [(all[i - 1] ?? 0) + 1, rows]);
    }),
    ...wholeWaves(operands, 64, [1, 64]),
    ...wholeWaves(operands, 128, [65, 128]),
    ...smallTiles(operands),
    ...fullWaves(operands, large),
    entry(operands, [128, Math.max(...operands.widths), 8]),
  ];
}
