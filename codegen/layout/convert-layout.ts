/** [codegen/layout] Plans of conversions between two register layouts of one tile: nothing, a permutation of registers, or through shared memory. */
import { coordinatesOf } from "./apply-layout.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { canonicalIters, registerCount, sameLayout } from "./register-layout.ts";

export type ConversionPlan =
  | { readonly kind: "none" }
  /** Register r of the target is register `from[r]` of the source, in every thread. */
  | { readonly kind: "registers"; readonly from: readonly number[] }
  | { readonly kind: "shared" };

function sameIters(a: readonly Iter[], b: readonly Iter[]): boolean {
  const left = canonicalIters(a);
  const right = canonicalIters(b);
  return (
    left.length === right.length &&
    left.every((iter, i) => {
      const other = right[i];
      return (
        other !== undefined &&
        iter.extent === other.extent &&
        iter.axis === other.axis &&
        iter.stride === other.stride
      );
    })
  );
}

/** Coordinates of a register at thread 0, by name, so that the order of axes does not count. */
function registerKey(layout: RegisterLayout, reg: number): string {
  const at = coordinatesOf(layout, { reg, lane: 0, warp: 0 });
  return layout.axes
    .map((axis, i) => `${axis.name}=${at[i]}`)
    .sort()
    .join(",");
}

/** Always possible; both layouts must be of the same axes. */
export function planConversion(from: RegisterLayout, to: RegisterLayout): ConversionPlan {
  if (sameLayout(from, to)) return { kind: "none" };
  if (!sameIters(from.lane, to.lane) || !sameIters(from.warp, to.warp)) return { kind: "shared" };
  const source = new Map<string, number>();
  for (let reg = 0; reg < registerCount(from); reg++) source.set(registerKey(from, reg), reg);
  const permutation: number[] = [];
  for (let reg = 0; reg < registerCount(to); reg++) {
    const found = source.get(registerKey(to, reg));
    if (found === undefined) return { kind: "shared" };
    permutation.push(found);
  }
  return { kind: "registers", from: permutation };
}
