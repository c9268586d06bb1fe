/** [codegen/passes/threads] What dots by matrix instructions share: tiles of an instruction along the rows and columns, and their digits. Loads and products are in dot-mma.ts and dot-matrix.ts. */
import { type Axis, invariant } from "../../../dsl/index.ts";
import type { DotOperand, SDot } from "../../ir/scheduled.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { maskBits, shr, special } from "./expr.ts";
import { type Lin, registerAt, ZERO } from "./place.ts";
import type { RegisterTerm, ThreadTerm } from "./shared-address.ts";
import { digitExpr, threadDigits } from "./thread-index.ts";

/** Tiles of an instruction that a warp holds, in the order of its registers. */
export interface TileRow {
  readonly axis: string;
  /** Register iters that step from tile to tile. */
  readonly iters: readonly Iter[];
  readonly count: number;
}

/** A dot by mma.sync: its accumulator, the tiles of a warp, the contraction. */
export interface MmaShape {
  readonly layout: RegisterLayout;
  readonly m: TileRow;
  readonly n: TileRow;
  readonly k: Axis;
}

/** Brings the fragments of an operand for a step along the contraction. */
export type LoadFragments = (step: Lin, into: Storage) => void;

/** One digit of a lane's row address. */
export function laneTerm(shift: number, bits: number, weight: number): ThreadTerm {
  const shifted = shr(special("lane"), shift);
  const digit = shift + bits === 5 ? shifted : maskBits(shifted, 2 ** bits - 1);
  return { digit, extent: 2 ** bits, weight };
}

/** The axis of an operand beside the contracted one. */
export function axisOf(operand: DotOperand, contracted: string): string {
  const axes = operand.kind === "shared" ? operand.axes : operand.value.type.axes;
  const own = axes.filter((axis) => axis.name !== contracted);
  invariant(own.length === 1, () => "an mma operand has one axis beside the contracted one");
  return own[0]?.name ?? "";
}

/** The axis that a dot sums over. */
export function contractedAxis(op: SDot): Axis {
  const axes = [op.a, op.b].flatMap((x) => (x.kind === "shared" ? x.axes : x.value.type.axes));
  const axis = axes.find((a) => a.name === op.axis);
  invariant(axis !== undefined, () => `dot without its axis ${op.axis}`);
  return axis;
}

/** Iters along an axis from `from` elements on: a fused iter is cut where the fragment ends. */
function itersFrom(layout: RegisterLayout, axis: string, from: number): readonly Iter[] {
  return layout.reg.flatMap((iter) => {
    const end = iter.stride * iter.extent;
    if (iter.axis !== axis || end <= from) return [];
    if (iter.stride >= from) return [iter];
    return [{ axis, stride: from, extent: end / from }];
  });
}

/** The tiles of `size` rows or columns that a warp holds along an axis. */
export function tileRow(layout: RegisterLayout, axis: string, size: number): TileRow {
  const iters = itersFrom(layout, axis, size);
  return { axis, iters, count: iters.reduce((n, iter) => n * iter.extent, 1) };
}

/** Digits of warps along an axis: where the warp's part of the tile begins. */
export function warpTerms(
  ctx: LoweringContext,
  layout: RegisterLayout,
  axis: string,
  stride: number,
): ThreadTerm[] {
  const { block } = ctx;
  const digits = threadDigits(
    { ...layout, lane: [{ extent: block.warpSize, axis: null, stride: 0 }] },
    block,
  );
  return digits
    .filter((digit) => digit.axis === axis)
    .map((digit) => ({
      digit: digitExpr(digit, block),
      extent: digit.extent,
      weight: digit.stride * stride,
    }));
}

/** Terms of the register loop over tiles: digits of the row's iters. */
export function tileTerms(row: TileRow, digits: readonly Lin[], stride: number): RegisterTerm[] {
  return row.iters.map((iter, i) => ({
    digit: digits[i] ?? ZERO,
    extent: iter.extent,
    weight: iter.stride * stride,
  }));
}

/** Tile number from the digits of its iters. */
export function tileNumber(row: TileRow, digits: readonly Lin[]): Lin {
  return registerAt({ iters: row.iters, digits });
}
