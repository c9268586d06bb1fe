/** [runtime/autotune/tuned] Tile sizes of products for sm_90a: wgmma with as many programs as fill whole waves of multiprocessors. */
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
  return Math.min(MOST_STAGES, Math.floor(RING_BYTES / ((Math.max(64, BM) + BN) * ROW_BYTES)));
}

function tiles(BM: number, BN: number, group: number): TunedConfig["config"] {
  return { BM, BN, BK: 64, stages: stagesFor(BM, BN), group };
}

/** Columns of a tile, in steps that share out the weight evenly. */
const WIDTHS: readonly number[] = [
  ...Array.from({ length: 8 }, (_, i) => 8 * (i + 1)),
  ...Array.from({ length: 12 }, (_, i) => 64 + 16 * (i + 1)),
];

/**
 * Few rows: reading the weight once is all there is to do, so its rows are dealt out in one wave, as evenly as tiles allow. Rows past M
 * are zeros, which cost the copy engine more than rows do: tiles hold no more of them than they must.
 */
function oneWave(BM: number, M: readonly [number, number]): readonly TunedConfig[] {
  return WIDTHS.map((BN, i): TunedConfig => {
    const least = SMS * (WIDTHS[i - 1] ?? 0) + 1;
    const most = i + 1 === WIDTHS.length ? 2 ** 31 - 1 : SMS * BN;
    return { dtypes: HALVES, dims: { M, N: [least, most] }, config: tiles(BM, BN, 1) };
  });
}

/** Not enough rows and columns for a wave of the largest tiles: the largest whose programs all run at once. */
function smallTiles(): readonly TunedConfig[] {
  return [256, 512, 1024, 2048].flatMap((rows) =>
    [
      [64, 64],
      [128, 64],
      [128, 128],
      [128, 192],
    ].map(([BM = 64, BN = 64]): TunedConfig => {
      const most = Math.floor(SMS / Math.ceil(rows / BM)) * BN;
      const dims = { M: [rows / 2 + 1, rows], N: [1, most] } as const;
      return { dtypes: HALVES, dims, config: tiles(BM, BN, 8) };
    }),
  );
}

/** @source test/bench/results/nvidia-h200-products.json */
const PRODUCTS: readonly TunedConfig[] = [
  ...oneWave(16, [1, 16]),
  ...oneWave(32, [17, 32]),
  ...oneWave(64, [33, 64]),
  ...oneWave(128, [65, 128]),
  ...smallTiles(),
  { dtypes: HALVES, config: tiles(128, 256, 8) },
];

export const HOPPER: TunedTable = { ...ANY_GPU, linear: PRODUCTS, linear_bias: PRODUCTS };
