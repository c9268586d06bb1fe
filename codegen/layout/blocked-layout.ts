/** [codegen/layout] Constructors of plain layouts: blocked and coalesced tiles, per-thread runs, slices. Tensor-core layouts live in mma-layout.ts. */
import type { Axis } from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { canonicalIters, canonicalLayout, powerOfTwoPart } from "./register-layout.ts";

/** The threads of a block: lanes of a warp, a power of two, × warps, which are one but where three warpgroups multiply. */
export interface ThreadShape {
  readonly warpSize: number;
  readonly numWarps: number;
}

/** What the threads of a block are besides a power of two: 3 for three warpgroups, else 1. The slowest digit of a layout takes it. */
export function oddThreads({ numWarps }: ThreadShape): number {
  return numWarps / powerOfTwoPart(numWarps);
}

/**
 * Deals thread digits (fastest first) out to lanes, then warps; what is left of the block replicates.
 * @param digits extents are powers of two whose product divides the number of threads
 * @param slowest a last digit of `oddThreads` values; without it these replicate
 */
export function dealThreads(
  digits: readonly Iter[],
  threads: ThreadShape,
  slowest?: Iter,
): { readonly lane: readonly Iter[]; readonly warp: readonly Iter[] } {
  const lane: Iter[] = [];
  const warp: Iter[] = [];
  const odd = oddThreads(threads);
  let lanes = threads.warpSize;
  let warps = threads.numWarps / odd;
  for (const digit of digits) {
    const inLanes = Math.min(digit.extent, lanes);
    const inWarps = Math.min(digit.extent / inLanes, warps);
    if (inLanes > 1) lane.push({ ...digit, extent: inLanes });
    if (inWarps > 1)
      warp.push({ axis: digit.axis, extent: inWarps, stride: digit.stride * inLanes });
    lanes /= inLanes;
    warps /= inWarps;
  }
  if (lanes > 1) lane.push({ extent: lanes, axis: null, stride: 0 });
  if (warps > 1) warp.push({ extent: warps, axis: null, stride: 0 });
  if (odd > 1) warp.push(slowest ?? { extent: odd, axis: null, stride: 0 });
  return { lane: canonicalIters(lane), warp: canonicalIters(warp) };
}

export interface BlockedRequest {
  readonly axes: readonly Axis[];
  /** Names of axes, fastest in memory first; axes left out follow, last one first. */
  readonly order: readonly string[];
  /** Consecutive elements along the fastest axis that one thread holds; must divide its size. */
  readonly width: number;
  readonly threads: ThreadShape;
}

/** Axes from fastest to slowest. */
function orderAxes(axes: readonly Axis[], order: readonly string[]): readonly Axis[] {
  const named = order.flatMap((name) => axes.filter((axis) => axis.name === name));
  const rest = axes.filter((axis) => !order.includes(axis.name)).reverse();
  return [...named, ...rest];
}

/**
 * Neighbouring threads hold neighbouring vectors of `width` elements along the fastest axis, then along the next one; what the
 * block does not cover in one go repeats in registers. Sizes with an odd factor keep that factor in registers, but where the block has
 * the same one: its last digit takes a contiguous part each.
 */
export function blockedLayout(request: BlockedRequest): RegisterLayout {
  const { axes, width, threads } = request;
  const odd = oddThreads(threads);
  let left = (threads.warpSize * threads.numWarps) / odd;
  let slowest: Iter | undefined;
  const vector: Iter[] = [];
  const digits: Iter[] = [];
  const repeats: Iter[] = [];
  orderAxes(axes, request.order).forEach((axis, position) => {
    const first = position === 0 ? width : 1;
    const dealt = Math.min(powerOfTwoPart(axis.size / first), left);
    left /= dealt;
    vector.push({ extent: first, axis: axis.name, stride: 1 });
    digits.push({ extent: dealt, axis: axis.name, stride: first });
    const covered = first * dealt;
    let extent = axis.size / covered;
    if (odd > 1 && slowest === undefined && extent % odd === 0) {
      extent /= odd;
      slowest = { extent: odd, axis: axis.name, stride: covered * extent };
    }
    repeats.push({ extent, axis: axis.name, stride: covered });
  });
  return canonicalLayout({
    kind: "register",
    axes,
    reg: [...vector, ...repeats],
    ...dealThreads(digits, threads, slowest),
  });
}

/** Along `axis` each thread holds one run, runs follow each other over lanes, then warps: the layout that scans need. */
export function runLayout(
  axes: readonly Axis[],
  axis: string,
  threads: ThreadShape,
): RegisterLayout {
  const size = axes.find((a) => a.name === axis)?.size ?? 1;
  const most = (threads.warpSize * threads.numWarps) / oddThreads(threads);
  const dealt = Math.min(powerOfTwoPart(size), most);
  return blockedLayout({ axes, order: [axis], width: size / dealt, threads });
}

/** Whether each thread's elements along `axis` are one run, and runs follow each other over lanes, then warps, as in `runLayout`. */
export function isRunLayout(layout: RegisterLayout, axis: string): boolean {
  const along = (iters: readonly Iter[]): readonly Iter[] =>
    iters.filter((iter) => iter.axis === axis && iter.extent > 1);
  let stride = 1;
  for (const iters of [along(layout.reg), along(layout.lane), along(layout.warp)]) {
    if (iters.length > 1 || (iters[0] !== undefined && iters[0].stride !== stride)) return false;
    stride *= iters[0]?.extent ?? 1;
  }
  return true;
}

/** Largest width, a power of two up to `most`, that divides `size` and still gives every thread a vector of the tile. */
export function balancedWidth(
  elements: number,
  size: number,
  most: number,
  threads: ThreadShape,
): number {
  let width = Math.min(most, powerOfTwoPart(size));
  while (width > 1 && elements / width < threads.warpSize * threads.numWarps) width /= 2;
  return width;
}

/** The layout of a tile without the axes that `axes` lacks: registers along them vanish, threads along them replicate. */
export function sliceLayout(layout: RegisterLayout, axes: readonly Axis[]): RegisterLayout {
  const kept = new Set(axes.map((axis) => axis.name));
  const keeps = (iter: Iter): boolean => iter.axis !== null && kept.has(iter.axis);
  const replicate = (iter: Iter): Iter =>
    keeps(iter) ? iter : { extent: iter.extent, axis: null, stride: 0 };
  return canonicalLayout({
    kind: "register",
    axes,
    reg: layout.reg.filter(keeps),
    lane: layout.lane.map(replicate),
    warp: layout.warp.map(replicate),
  });
}

/** Every thread holds the whole tile. */
export function replicatedLayout(axes: readonly Axis[], threads: ThreadShape): RegisterLayout {
  const reg = [...axes]
    .reverse()
    .map((axis): Iter => ({ extent: axis.size, axis: axis.name, stride: 1 }));
  return canonicalLayout({ kind: "register", axes, reg, ...dealThreads([], threads) });
}
