/** [codegen/layout] Layouts under rename, merge and split of axes: the same registers with other coordinates; and products of layouts. */
import type { Axis } from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { canonicalLayout } from "./register-layout.ts";

function mapIters(
  layout: RegisterLayout,
  axes: readonly Axis[],
  map: (iter: Iter) => readonly Iter[],
): RegisterLayout {
  return canonicalLayout({
    kind: "register",
    axes,
    reg: layout.reg.flatMap(map),
    lane: layout.lane.flatMap(map),
    warp: layout.warp.flatMap(map),
  });
}

/** Axis i of the layout becomes axis i of `axes`, of the same size. */
export function renameLayout(layout: RegisterLayout, axes: readonly Axis[]): RegisterLayout {
  const names = new Map(layout.axes.map((axis, i) => [axis.name, axes[i]?.name ?? axis.name]));
  return mapIters(layout, axes, (iter) =>
    iter.axis === null ? [iter] : [{ ...iter, axis: names.get(iter.axis) ?? iter.axis }],
  );
}

/**
 * Fuses `merged` (slowest first) into `into`. Always possible.
 * @param axes the axes of the result, in its order
 */
export function mergeLayout(
  layout: RegisterLayout,
  merged: readonly string[],
  into: string,
  axes: readonly Axis[],
): RegisterLayout {
  const weight = new Map<string, number>();
  let size = 1;
  for (const name of [...merged].reverse()) {
    weight.set(name, size);
    size *= layout.axes.find((axis) => axis.name === name)?.size ?? 1;
  }
  return mapIters(layout, axes, (iter) => {
    const factor = iter.axis === null ? undefined : weight.get(iter.axis);
    return factor === undefined ? [iter] : [{ ...iter, axis: into, stride: iter.stride * factor }];
  });
}

/** One iter of the split axis as iters of its parts, or undefined where it straddles a border unevenly. */
function splitIter(iter: Iter, parts: readonly Axis[]): readonly Iter[] | undefined {
  const out: Iter[] = [];
  let { extent, stride } = iter;
  let weight = 1;
  for (const part of [...parts].reverse()) {
    const end = weight * part.size;
    if (extent > 1 && stride < end) {
      if (stride % weight !== 0) return undefined;
      const inside = Math.min(extent, end / stride);
      if (!Number.isInteger(inside) || extent % inside !== 0) return undefined;
      out.push({ extent: inside, axis: part.name, stride: stride / weight });
      extent /= inside;
      stride *= inside;
    }
    weight = end;
  }
  return out;
}

/**
 * Splits `axis` into `parts` (slowest first).
 * @param axes the axes of the result, in its order
 * @returns undefined where an iter crosses a border of the parts unevenly; another layout of the operand is needed then
 */
export function splitLayout(
  layout: RegisterLayout,
  axis: string,
  parts: readonly Axis[],
  axes: readonly Axis[],
): RegisterLayout | undefined {
  let possible = true;
  const result = mapIters(layout, axes, (iter) => {
    if (iter.axis !== axis || iter.extent === 1) return iter.axis === axis ? [] : [iter];
    const split = splitIter(iter, parts);
    if (split === undefined) possible = false;
    return split ?? [];
  });
  return possible ? result : undefined;
}

/**
 * Atom inside repeats: each element of `outer`'s tile is a whole tile of `inner`. Hardware digits of the atom are the fast ones.
 * Axes are joined by name; an axis of one operand alone keeps its size.
 */
export function productLayout(inner: RegisterLayout, outer: RegisterLayout): RegisterLayout {
  const innerSize = new Map(inner.axes.map((axis) => [axis.name, axis.size]));
  const outerSize = new Map(outer.axes.map((axis) => [axis.name, axis.size]));
  const names = new Set([...innerSize.keys(), ...outerSize.keys()]);
  const axes = [...names].map((name) => ({
    name,
    size: (innerSize.get(name) ?? 1) * (outerSize.get(name) ?? 1),
  }));
  const widen = (iter: Iter): Iter =>
    iter.axis === null ? iter : { ...iter, stride: iter.stride * (innerSize.get(iter.axis) ?? 1) };
  return canonicalLayout({
    kind: "register",
    axes,
    reg: [...inner.reg, ...outer.reg.map(widen)],
    lane: [...inner.lane, ...outer.lane.map(widen)],
    warp: [...inner.warp, ...outer.warp.map(widen)],
  });
}
