/** [codegen/layout] Register layouts as functions: hardware index → coordinates, and coordinates → all holders. */
import type { Iter, RegisterLayout } from "./layout.ts";
import { extentOf } from "./register-layout.ts";

/** A place in the block's register file. */
export interface Holder {
  readonly reg: number;
  readonly lane: number;
  readonly warp: number;
}

function addDigits(iters: readonly Iter[], index: number, into: Map<string, number>): void {
  let rest = index;
  for (const iter of iters) {
    const digit = rest % iter.extent;
    rest = Math.floor(rest / iter.extent);
    if (iter.axis === null) continue;
    into.set(iter.axis, (into.get(iter.axis) ?? 0) + digit * iter.stride);
  }
}

/** Coordinates, in the order of `layout.axes`, of the element that a place holds. */
export function coordinatesOf(layout: RegisterLayout, at: Holder): readonly number[] {
  const sums = new Map<string, number>();
  addDigits(layout.reg, at.reg, sums);
  addDigits(layout.lane, at.lane, sums);
  addDigits(layout.warp, at.warp, sums);
  return layout.axes.map((axis) => sums.get(axis.name) ?? 0);
}

/** Indices of one hardware axis whose digits agree with the coordinates; replication gives several. */
function indicesAt(iters: readonly Iter[], coordinate: (axis: string) => number): number[] {
  let indices = [0];
  let weight = 1;
  for (const iter of iters) {
    const { axis, stride, extent } = iter;
    const step = weight;
    if (axis === null) {
      const digits = Array.from({ length: extent }, (_, digit) => digit * step);
      indices = digits.flatMap((offset) => indices.map((index) => index + offset));
    } else {
      const offset = (Math.floor(coordinate(axis) / stride) % extent) * step;
      indices = indices.map((index) => index + offset);
    }
    weight *= extent;
  }
  return indices;
}

/**
 * Every place that holds the element at `coordinates` (in the order of `layout.axes`).
 * @returns replicas in order of warp, then lane
 */
export function holdersOf(
  layout: RegisterLayout,
  coordinates: readonly number[],
): readonly Holder[] {
  const byName = new Map(layout.axes.map((axis, i) => [axis.name, coordinates[i] ?? 0]));
  const at = (axis: string): number => byName.get(axis) ?? 0;
  const regs = indicesAt(layout.reg, at);
  const lanes = indicesAt(layout.lane, at);
  return indicesAt(layout.warp, at).flatMap((warp) =>
    lanes.flatMap((lane) => regs.map((reg) => ({ reg, lane, warp }))),
  );
}

/** Calls `visit` for every place of a layout. */
export function forEachHolder(layout: RegisterLayout, visit: (at: Holder) => void): void {
  const regs = extentOf(layout.reg);
  const lanes = extentOf(layout.lane);
  const warps = extentOf(layout.warp);
  for (let warp = 0; warp < warps; warp++)
    for (let lane = 0; lane < lanes; lane++)
      for (let reg = 0; reg < regs; reg++) visit({ reg, lane, warp });
}
