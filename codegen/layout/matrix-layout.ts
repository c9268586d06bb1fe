/** [codegen/layout] Register layouts of AMD's matrix instructions over tiles and waves. The instructions themselves are in matrix-form.ts. */
import type { Axis } from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { isTransposed, type MatrixForm, repeatsOperands } from "./matrix-form.ts";
import type { WarpGrid } from "./mma-layout.ts";
import { canonicalLayout } from "./register-layout.ts";

function iter(extent: number, axis: Axis | null, stride: number): Iter {
  return { extent, axis: axis === null ? null : axis.name, stride };
}

/** Where the registers and the groups of lanes of one instruction lie along the rows of its sums. */
function rowIters(
  form: MatrixForm,
  rows: Axis,
): { readonly reg: readonly Iter[]; readonly group: Iter } {
  const { family } = form;
  switch (family) {
    case "mfma32":
      return { reg: [iter(4, rows, 1), iter(4, rows, 8)], group: iter(2, rows, 4) };
    case "mfma16":
      return { reg: [iter(4, rows, 1)], group: iter(4, rows, 4) };
    case "wmma11":
      return { reg: [iter(8, rows, 2)], group: iter(2, rows, 1) };
    case "wmma12":
      return { reg: [iter(8, rows, 1)], group: iter(2, rows, 8) };
    default:
      return family satisfies never;
  }
}

/**
 * Accumulator of a form repeated over a tile, each wave a contiguous part.
 * @param m size a multiple of side × warps.m
 * @param n size a multiple of side × warps.n
 * @source see MatrixFamily
 */
export function matrixAccumulator(
  form: MatrixForm,
  m: Axis,
  n: Axis,
  warps: WarpGrid,
): RegisterLayout {
  const { side } = form;
  const [mTiles, nTiles] = [m.size / side / warps.m, n.size / side / warps.n];
  const [rows, columns] = isTransposed(form) ? [n, m] : [m, n];
  const { reg, group } = rowIters(form, rows);
  return canonicalLayout({
    kind: "register",
    axes: [m, n],
    reg: [...reg, iter(nTiles, n, side), iter(mTiles, m, side)],
    lane: [iter(side, columns, 1), group],
    warp: [
      iter(warps.m, m, side * mTiles),
      iter(warps.n, n, side * nTiles),
      iter(warps.replicas, null, 0),
    ],
  });
}

function operand(
  form: MatrixForm,
  own: Axis,
  k: Axis,
  parts: number,
  warp: readonly Iter[],
): RegisterLayout {
  const { side, run, wave } = form;
  const groups = wave / side;
  return canonicalLayout({
    kind: "register",
    axes: [own, k],
    reg: [
      iter(run, k, 1),
      iter(k.size / form.k, k, form.k),
      iter(own.size / side / parts, own, side),
    ],
    lane: [
      iter(side, own, 1),
      repeatsOperands(form) ? iter(groups, null, 0) : iter(groups, k, run),
    ],
    warp,
  });
}

/** Operand a (rows m, contraction k) of a form, for the waves of its accumulator. */
export function matrixOperandA(
  form: MatrixForm,
  m: Axis,
  k: Axis,
  warps: WarpGrid,
): RegisterLayout {
  return operand(form, m, k, warps.m, [
    iter(warps.m, m, m.size / warps.m),
    iter(warps.n * warps.replicas, null, 0),
  ]);
}

/** Operand b (columns n, contraction k). */
export function matrixOperandB(
  form: MatrixForm,
  n: Axis,
  k: Axis,
  warps: WarpGrid,
): RegisterLayout {
  return operand(form, n, k, warps.n, [
    iter(warps.m, null, 0),
    iter(warps.n, n, n.size / warps.n),
    iter(warps.replicas, null, 0),
  ]);
}
