/** [dsl/ops] gather: data-dependent indices along one dim, for row gathers, page gathers and scatters. */
import type { AxesOf, AxisIndex, Dim, GatherOk } from "../typing.ts";
import { defineOp } from "./define-op.ts";

interface Face {
  <I extends number>(index: I & GatherOk<I>): AxisIndex<AxesOf<I>>;
  <I extends number, N extends string>(
    index: I & GatherOk<I>,
    dim: Dim<N>,
  ): AxisIndex<readonly [N]>;
}

/**
 * Elements at the places that an i32 tile holds; -1 is outside. In a store it scatters. Explicit, because it costs.
 * Two gathers that share an axis go through it together, pointwise.
 * @param dim the index's only axis, where a reader should see it
 */
export const gather = defineOp<Face>({
  name: "gather",
  signature: "gather(index, dim?)",
  doc: "Data-dependent places along one dim, as an index of load and store.",
  lower: (call) => {
    call.count(1, 2);
    const index = call.gatherIndex(0);
    if (call.optional(1) !== undefined) call.expectOnlyAxis(index, call.dim(1, "dim"));
    return { kind: "gather", index };
  },
});
