/** [codegen/schedule] How a load reads a tensor that has an order of its own: in vectors from whole blocks, or why not. */
import type { Axis, Op } from "../../dsl/index.ts";
import { widestVector } from "../analysis/access-width.ts";
import type { IntegerAnalysis } from "../analysis/integer-facts.ts";
import { stepThrough, type TileSides } from "../layout/derive-order.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import type { PackedOrder } from "../layout/packed-order.ts";
import { encodeConstant } from "../text/constant-bits.ts";

type LoadOp = Extract<Op, { kind: "load" }>;

/** The axes of a load's tile along rows and columns, or why it cannot walk blocks. */
export function tileSides(op: LoadOp): TileSides | string {
  const { at, mask, fill, result } = op;
  if (mask !== undefined) return "a load has a mask";
  if (encodeConstant(fill, result.type.dtype) !== encodeConstant(0, result.type.dtype))
    return `a load fills with ${fill}`;
  const axisOf = (i: number): Axis | undefined => {
    const index = at.at(i);
    return index?.kind === "span" && index.end === undefined ? index.axis : undefined;
  };
  const column = axisOf(-1);
  if (column === undefined) return "the last dim is not walked by a plain span";
  const isPlain = at.slice(0, -2).every((index) => index.kind === "at");
  if (!isPlain || at.at(-2)?.kind === "gather") return "a dim is gathered, or walked beyond rows";
  const row = axisOf(-2);
  if (row === undefined && at.at(-2)?.kind === "span") return "rows end at a value";
  return row === undefined ? { column } : { row, column };
}

/** Whether a tile begins at whole blocks. */
export function startsAtBlock(op: LoadOp, order: PackedOrder, facts: IntegerAnalysis): boolean {
  const divides = (i: number, size: number): boolean => {
    const index = op.at.at(i);
    if (size === 1 || index === undefined) return true;
    if (index.kind === "gather") return false;
    const value = index.kind === "span" ? index.start : index.value;
    return facts.of(value).divisor % size === 0;
  };
  return divides(-2, order.block[0]) && divides(-1, order.block[1]);
}

/** Why a load does not read an order in whole blocks in this layout, or undefined where it does. */
export function packedObstacle(
  op: LoadOp,
  layout: RegisterLayout | undefined,
  order: PackedOrder,
  facts: IntegerAnalysis,
): string | undefined {
  const sides = tileSides(op);
  if (typeof sides === "string") return sides;
  if (layout === undefined) return "the load is of one element";
  if (!startsAtBlock(op, order, facts)) return "a tile does not begin at a whole block";
  const vector = widestVector(op.result.type.dtype);
  if (stepThrough(layout, order, sides, vector) !== undefined) return undefined;
  return "a tile's layout does not step through the order";
}

/** Elements that one access of a load takes; undefined where it goes element by element. */
export function packedWidth(
  op: LoadOp,
  layout: RegisterLayout | undefined,
  order: PackedOrder,
  facts: IntegerAnalysis,
): number | undefined {
  const sides = tileSides(op);
  if (typeof sides === "string" || layout === undefined) return undefined;
  if (packedObstacle(op, layout, order, facts) !== undefined) return undefined;
  return stepThrough(layout, order, sides, widestVector(op.result.type.dtype))?.width;
}
