/** [codegen/layout] Layouts that dot instructions want: mma.sync m16n8k16 fragments over warps, and register blocks for fma. */
import type { Axis } from "../../dsl/index.ts";
import { dealThreads, type ThreadShape } from "./blocked-layout.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { canonicalLayout, powerOfTwoPart } from "./register-layout.ts";

/** Warps along the rows and the columns of an accumulator; warps of the block beyond them replicate. */
export interface WarpGrid {
  readonly m: number;
  readonly n: number;
  /** m × n × replicas is the number of warps. */
  readonly replicas: number;
}

/** Rows and columns of one instruction. */
export interface DotTile {
  readonly m: number;
  readonly n: number;
}

export const MMA_TILE: DotTile = { m: 16, n: 8 };

function iter(extent: number, axis: Axis | null, stride: number): Iter {
  return { extent, axis: axis === null ? null : axis.name, stride };
}

/**
 * Accumulator of m16n8k16 repeated over a tile: rows in whole m16 tiles, columns in n8 tiles, each warp a contiguous part.
 * @param m size a multiple of 16 × warps.m
 * @param n size a multiple of 8 × warps.n
 * @source PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", fragment C
 */
export function mmaAccumulator(m: Axis, n: Axis, warps: WarpGrid): RegisterLayout {
  const nTiles = n.size / 8 / warps.n;
  const mTiles = m.size / 16 / warps.m;
  return canonicalLayout({
    kind: "register",
    axes: [m, n],
    reg: [iter(2, n, 1), iter(2, m, 8), iter(nTiles, n, 8), iter(mTiles, m, 16)],
    lane: [iter(4, n, 2), iter(8, m, 1)],
    warp: [
      iter(warps.m, m, 16 * mTiles),
      iter(warps.n, n, 8 * nTiles),
      iter(warps.replicas, null, 0),
    ],
  });
}

/**
 * Accumulator of wgmma: each warpgroup a contiguous part of the rows in products of 64, each of its warps 16 rows of a product.
 * @param m size a multiple of 64 × groups
 * @param n size a multiple of 8
 * @source PTX ISA, "wgmma.mma_async", "Accumulator D": the fragment of m16n8 for each warp
 */
export function wgmmaAccumulator(m: Axis, n: Axis, groups: number): RegisterLayout {
  const products = m.size / 64 / groups;
  return canonicalLayout({
    kind: "register",
    axes: [m, n],
    reg: [iter(2, n, 1), iter(2, m, 8), iter(n.size / 8, n, 8), iter(products, m, 64)],
    lane: [iter(4, n, 2), iter(8, m, 1)],
    warp: [iter(4, m, 16), iter(groups, m, 64 * products)],
  });
}

/**
 * The same where operand b comes as bytes that lie along the columns: a matrix of byte pairs transposed gives a lane two neighbouring columns,
 * which go to two products. Of 16 columns one product has the even ones and one the odd ones.
 * @param n size a multiple of 16 × warps.n
 */
export function mmaAccumulatorByTwos(m: Axis, n: Axis, warps: WarpGrid): RegisterLayout {
  const nTiles = n.size / 8 / warps.n;
  const mTiles = m.size / 16 / warps.m;
  return canonicalLayout({
    kind: "register",
    axes: [m, n],
    reg: [
      iter(2, n, 2),
      iter(2, m, 8),
      iter(2, n, 1),
      iter(nTiles / 2, n, 16),
      iter(mTiles, m, 16),
    ],
    lane: [iter(4, n, 4), iter(8, m, 1)],
    warp: [
      iter(warps.m, m, 16 * mTiles),
      iter(warps.n, n, 8 * nTiles),
      iter(warps.replicas, null, 0),
    ],
  });
}

/** Fragment A (rows m, contraction k): the accumulator of two neighbouring n8 tiles has the same registers. */
export function mmaOperandA(m: Axis, k: Axis, warps: WarpGrid): RegisterLayout {
  const mTiles = m.size / 16 / warps.m;
  return canonicalLayout({
    kind: "register",
    axes: [m, k],
    reg: [
      iter(2, k, 1),
      iter(2, m, 8),
      iter(2, k, 8),
      iter(k.size / 16, k, 16),
      iter(mTiles, m, 16),
    ],
    lane: [iter(4, k, 2), iter(8, m, 1)],
    warp: [iter(warps.m, m, 16 * mTiles), iter(warps.n * warps.replicas, null, 0)],
  });
}

/**
 * Fragment A where operand b comes as bytes along the contraction: a lane gets four neighbours of 16, so it has the same four of a row.
 * The order in which a step adds up its 16 products is free.
 */
export function mmaOperandAByFours(m: Axis, k: Axis, warps: WarpGrid): RegisterLayout {
  const mTiles = m.size / 16 / warps.m;
  return canonicalLayout({
    kind: "register",
    axes: [m, k],
    reg: [iter(4, k, 1), iter(2, m, 8), iter(k.size / 16, k, 16), iter(mTiles, m, 16)],
    lane: [iter(4, k, 4), iter(8, m, 1)],
    warp: [iter(warps.m, m, 16 * mTiles), iter(warps.n * warps.replicas, null, 0)],
  });
}

/**
 * Operand A of wgmma in registers, for the same rows as the accumulator: each warp the fragments of m16n8k16, steps of k behind one another.
 * @param m size a multiple of 64 × groups
 * @param k size a multiple of 16
 * @source PTX ISA, "wgmma.mma_async", "Register Fragments for Matrix A"
 */
export function wgmmaOperandA(m: Axis, k: Axis, groups: number): RegisterLayout {
  const products = m.size / 64 / groups;
  return canonicalLayout({
    kind: "register",
    axes: [m, k],
    reg: [
      iter(2, k, 1),
      iter(2, m, 8),
      iter(2, k, 8),
      iter(k.size / 16, k, 16),
      iter(products, m, 64),
    ],
    lane: [iter(4, k, 2), iter(8, m, 1)],
    warp: [iter(4, m, 16), iter(groups, m, 64 * products)],
  });
}

/**
 * The same registers two to a word.
 * @param layout whose first register iter walks pairs along `axis`
 * @param word the axis that counts words instead, half as long
 */
export function pairedLayout(layout: RegisterLayout, axis: string, word: Axis): RegisterLayout {
  const half = (one: Iter): Iter =>
    one.axis === axis ? { ...one, axis: word.name, stride: one.stride / 2 } : one;
  const [first, ...rest] = layout.reg;
  const left =
    first === undefined || first.extent === 2
      ? []
      : [{ ...first, extent: first.extent / 2, stride: 2 }];
  return canonicalLayout({
    kind: "register",
    axes: layout.axes.map((one) => (one.name === axis ? word : one)),
    reg: [...left, ...rest].map(half),
    lane: layout.lane.map(half),
    warp: layout.warp.map(half),
  });
}

/**
 * Operand A of wgmma in registers for elements of 8 bits, four of a row to a word.
 * @param word counts words of the contraction, a multiple of 8
 * @source PTX ISA, "wgmma.mma_async", "Register Fragments for Matrix A": .e4m3
 */
export function wgmmaOperandQuads(m: Axis, word: Axis, groups: number): RegisterLayout {
  const products = m.size / 64 / groups;
  return canonicalLayout({
    kind: "register",
    axes: [m, word],
    reg: [iter(2, m, 8), iter(2, word, 4), iter(word.size / 8, word, 8), iter(products, m, 64)],
    lane: [iter(4, word, 1), iter(8, m, 1)],
    warp: [iter(4, m, 16), iter(groups, m, 64 * products)],
  });
}

/**
 * Splits warps over an accumulator so that a warp reads the fewest operand elements.
 * @param rowsOnly prefer whole rows in a warp: reductions along n and reuse as operand A then stay inside it
 */
export function chooseWarpGrid(
  m: Axis,
  n: Axis,
  numWarps: number,
  rowsOnly: boolean,
  tile: DotTile = MMA_TILE,
): WarpGrid {
  const mMost = Math.min(numWarps, powerOfTwoPart(m.size / tile.m));
  let best: WarpGrid = { m: 1, n: 1, replicas: numWarps };
  let bestCost = Infinity;
  for (let wm = rowsOnly ? mMost : 1; wm <= mMost; wm *= 2) {
    const wn = Math.min(numWarps / wm, powerOfTwoPart(n.size / tile.n));
    const replicas = numWarps / (wm * wn);
    const cost = (m.size / wm + n.size / wn) * replicas;
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = { m: wm, n: wn, replicas };
  }
  return best;
}

/** Warps over the columns as far as they go: each element of operand b is then held, and computed, by one warp alone. */
export function columnWarps(
  m: Axis,
  n: Axis,
  numWarps: number,
  tile: DotTile = MMA_TILE,
): WarpGrid {
  const wn = Math.min(numWarps, powerOfTwoPart(n.size / tile.n));
  const wm = Math.min(numWarps / wn, powerOfTwoPart(m.size / tile.m));
  return { m: wm, n: wn, replicas: numWarps / (wm * wn) };
}

/** Fragment B (columns n, contraction k). */
export function mmaOperandB(n: Axis, k: Axis, warps: WarpGrid): RegisterLayout {
  const nTiles = n.size / 8 / warps.n;
  return canonicalLayout({
    kind: "register",
    axes: [n, k],
    reg: [iter(2, k, 1), iter(2, k, 8), iter(k.size / 16, k, 16), iter(nTiles, n, 8)],
    lane: [iter(4, k, 2), iter(8, n, 1)],
    warp: [iter(warps.m, null, 0), iter(warps.n, n, 8 * nTiles), iter(warps.replicas, null, 0)],
  });
}

/** How many threads stand along the rows and the columns of an fma accumulator, and the vector that a thread holds of a row. */
export interface FmaGrid {
  readonly m: number;
  readonly n: number;
  readonly width: number;
}

/**
 * Splits a block's threads over an m × n accumulator so that the register block of a thread is near square: fewest operand
 * reads for each multiplication. Threads beyond the power-of-two parts of both sizes replicate.
 */
export function chooseFmaGrid(m: Axis, n: Axis, threads: ThreadShape): FmaGrid {
  const total = threads.warpSize * threads.numWarps;
  const mMost = Math.min(powerOfTwoPart(m.size), total);
  let best: FmaGrid | undefined;
  let bestCost = Infinity;
  for (let tm = 1; tm <= mMost; tm *= 2) {
    const tn = Math.min(powerOfTwoPart(n.size), total / tm);
    const cost = (m.size / tm + n.size / tn) * (total / (tm * tn)) + (tn < 8 ? 0.5 : 0);
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = { m: tm, n: tn, width: Math.min(4, powerOfTwoPart(n.size / tn)) };
  }
  return best ?? { m: 1, n: 1, width: 1 };
}

/** Threads along the columns hold vectors of `grid.width`; rows are dealt cyclically, so that lanes read neighbouring rows. */
export function fmaAccumulator(
  m: Axis,
  n: Axis,
  grid: FmaGrid,
  threads: ThreadShape,
): RegisterLayout {
  const { width } = grid;
  const covered = grid.n * width;
  // A warp covers a patch of both sides: its lanes then share most operand reads.
  const patch = Math.min(grid.n, 8);
  const digits = [
    iter(patch, n, width),
    iter(grid.m, m, 1),
    iter(grid.n / patch, n, width * patch),
  ];
  return canonicalLayout({
    kind: "register",
    axes: [m, n],
    reg: [iter(width, n, 1), iter(n.size / covered, n, covered), iter(m.size / grid.m, m, grid.m)],
    ...dealThreads(digits, threads),
  });
}
