/** [dsl/ops] tile: the i-th block of a dim, as an index of loads and stores. */
import type { AxisIndex, Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <N extends string>(block: number, dim: Dim<N>, end?: number) => AxisIndex<readonly [N]>;

/** span(block * dim, dim, end). */
export const tile = defineOp<Face>({
  name: "tile",
  signature: "tile(block, dim, end?)",
  doc: "The block-th block of a dim, as an index of load and store.",
  lower: (call) => {
    call.count(2, 3);
    const axis = call.dim(1, "dim");
    const end = call.optional(2);
    return {
      kind: "span",
      start: call.binary("mul", call.scalarInteger(0, "block"), call.number(axis.size)),
      axis,
      ...(end === undefined ? {} : { end: call.scalarInteger(2, "end") }),
    };
  },
});
