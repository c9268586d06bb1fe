/** [dsl/ops] min: a reduction along one named axis; one primitive. */
import { defineOp, type ReduceFace } from "./define-op.ts";

/** The least element along an axis; NaN loses. The axis vanishes from the tile. */
export const min = defineOp<ReduceFace<"min">>({
  name: "min",
  signature: "min(x, axis)",
  doc: "The least element along an axis; NaN loses.",
  lower: (call) => {
    call.count(2);
    return call.reduce("min", call.tile(0, "x"), call.axis(1, 0));
  },
});
