/** [codegen/schedule] How a load reads a tensor that has an order of its own: in vectors from whole blocks, or why not. */
import type { Index, Op } from "../../dsl/index.ts";
import { widestVector } from "../analysis/access-width.ts";
import type { IntegerAnalysis } from "../analysis/integer-facts.ts";
import { spanSides, stepThrough, type TileSides } from "../layout/derive-order.ts";
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
  const [row, column] = [at.at(-2), at.at(-1)];
  const sides = spanSides(at);
  if (sides === undefined || endsAtValue(column))
    return "the last dim is not walked by a plain span";
  const isPlain = at.slice(0, -2).every((index) => index.kind === "at");
  if (!isPlain || row?.kind === "gather") return "a dim is gathered, or walked beyond rows";
  return endsAtValue(row) ? "rows end at a value" : sides;
}

function endsAtValue(index: Index | undefined): boolean {
  return index?.kind === "span" && index.end !== undefined;
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

/** Elements that one access of a load takes in this layout, from whole blocks; or why it goes element by element. */
export function packedWidth(
  op: LoadOp,
  layout: RegisterLayout | undefined,
  order: PackedOrder,
  facts: IntegerAnalysis,
): number | string {
  const sides = tileSides(op);
  if (typeof sides === "string") return sides;
  if (layout === undefined) return "the load is of one element";
  if (!startsAtBlock(op, order, facts)) return "a tile does not begin at a whole block";
  const walk = stepThrough(layout, order, sides, widestVector(op.result.type.dtype));
  return walk?.width ?? "a tile's layout does not step through the order";
}
