/** [dsl/ops] span: a run of elements along one dim, as an index of loads and stores. */
import type { AxisIndex, Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <N extends string>(start: number, dim: Dim<N>, end?: number) => AxisIndex<readonly [N]>;

/** Elements start … start + dim - 1. Those at or past `end` read as `fill` and are never written. */
export const span = defineOp<Face>({
  name: "span",
  signature: "span(start, dim, end?)",
  doc: "A run of elements along one dim, from start and before end, as an index of load and store.",
  lower: (call) => {
    call.count(2, 3);
    const end = call.optional(2);
    return {
      kind: "span",
      start: call.scalarInteger(0, "start"),
      axis: call.dim(1, "dim"),
      ...(end === undefined ? {} : { end: call.scalarInteger(2, "end") }),
    };
  },
});
