/** [codegen/layout] Facts of a register layout: counts, canonical form, equality, validity. Construction lives in blocked-layout.ts and mma-layout.ts. */
import type { Axis } from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "./layout.ts";

export function extentOf(iters: readonly Iter[]): number {
  return iters.reduce((n, iter) => n * iter.extent, 1);
}

/** Registers that one thread holds of a tile. */
export function registerCount(layout: RegisterLayout): number {
  return extentOf(layout.reg);
}

export function threadCount(layout: RegisterLayout): number {
  return extentOf(layout.lane) * extentOf(layout.warp);
}

/** How many threads hold each element. */
export function replicationOf(layout: RegisterLayout): number {
  return [...layout.lane, ...layout.warp]
    .filter((iter) => iter.axis === null)
    .reduce((n, iter) => n * iter.extent, 1);
}

/** Largest power of two that divides n. */
export function powerOfTwoPart(n: number): number {
  let part = 1;
  while (n > 0 && n % (part * 2) === 0) part *= 2;
  return part;
}

function fuses(first: Iter, second: Iter): boolean {
  if (first.axis !== second.axis) return false;
  return first.axis === null || second.stride === first.stride * first.extent;
}

/** Iters without extents of 1 and with neighbours that continue each other fused: equal maps get equal lists. */
export function canonicalIters(iters: readonly Iter[]): readonly Iter[] {
  const out: Iter[] = [];
  for (const iter of iters) {
    if (iter.extent === 1) continue;
    const plain = iter.axis === null ? { ...iter, stride: 0 } : iter;
    const last = out.at(-1);
    if (last !== undefined && fuses(last, plain)) {
      out[out.length - 1] = { ...last, extent: last.extent * plain.extent };
    } else out.push(plain);
  }
  return out;
}

export function canonicalLayout(layout: RegisterLayout): RegisterLayout {
  return {
    kind: "register",
    axes: layout.axes,
    reg: canonicalIters(layout.reg),
    lane: canonicalIters(layout.lane),
    warp: canonicalIters(layout.warp),
  };
}

function itersKey(iters: readonly Iter[]): string {
  return canonicalIters(iters)
    .map((iter) =>
      iter.axis === null ? `${iter.extent}:*` : `${iter.extent}:${iter.axis}*${iter.stride}`,
    )
    .join(",");
}

/** Keys of layouts already asked for: layouts never change, and are compared far more often than made. */
const KEYS = new WeakMap<RegisterLayout, string>();

/** Equal for layouts that put the same elements in the same places. The order of `axes` does not count. */
export function layoutKey(layout: RegisterLayout): string {
  const known = KEYS.get(layout);
  if (known !== undefined) return known;
  const key = `${itersKey(layout.reg)}|${itersKey(layout.lane)}|${itersKey(layout.warp)}`;
  KEYS.set(layout, key);
  return key;
}

export function sameLayout(a: RegisterLayout, b: RegisterLayout): boolean {
  return a === b || layoutKey(a) === layoutKey(b);
}

/** The iters of one axis, wherever they stand, by growing stride. */
export function itersOfAxis(layout: RegisterLayout, axis: string): readonly Iter[] {
  return [...layout.reg, ...layout.lane, ...layout.warp]
    .filter((iter) => iter.axis === axis && iter.extent > 1)
    .sort((a, b) => a.stride - b.stride);
}

function coverageProblem(layout: RegisterLayout, axis: Axis): string | undefined {
  let covered = 1;
  for (const iter of itersOfAxis(layout, axis.name)) {
    if (iter.stride !== covered)
      return `axis ${axis.name}: stride ${iter.stride} follows ${covered} covered elements`;
    covered *= iter.extent;
  }
  if (covered === axis.size) return undefined;
  return `axis ${axis.name} has ${axis.size} elements, the layout covers ${covered}`;
}

/** Why a layout breaks the rules of `RegisterLayout`, or undefined where it keeps them. */
export function layoutProblem(layout: RegisterLayout): string | undefined {
  const known = new Set(layout.axes.map((axis) => axis.name));
  for (const iter of [...layout.reg, ...layout.lane, ...layout.warp]) {
    if (!Number.isInteger(iter.extent) || iter.extent < 1) return `extent ${iter.extent}`;
    if (iter.axis !== null && !known.has(iter.axis)) return `unknown axis ${iter.axis}`;
  }
  if (layout.reg.some((iter) => iter.axis === null && iter.extent > 1))
    return "registers replicate";
  // The slowest digit of the warps is what is left of the thread's index: it needs no mask, so it may have any size.
  const warp = layout.warp.filter((iter) => iter.extent > 1);
  for (const iters of [layout.lane, warp.slice(0, -1)]) {
    const extent = extentOf(iters);
    if (powerOfTwoPart(extent) !== extent) return `${extent} threads are no power of two`;
  }
  for (const axis of layout.axes) {
    const problem = coverageProblem(layout, axis);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Consecutive registers that hold consecutive elements along `axis`, from register 0 on. */
export function contiguousRegisters(layout: RegisterLayout, axis: string): number {
  const first = canonicalIters(layout.reg)[0];
  return first !== undefined && first.axis === axis && first.stride === 1 ? first.extent : 1;
}
