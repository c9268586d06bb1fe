/** [dsl/ops] max: a reduction along one named axis; one primitive. */
import { defineOp, type ReduceFace } from "./define-op.ts";

/** The greatest element along an axis; NaN loses. The axis vanishes from the tile. */
export const max = defineOp<ReduceFace<"max">>({
  name: "max",
  signature: "max(x, axis)",
  doc: "The greatest element along an axis; NaN loses.",
  lower: (call) => {
    call.count(2);
    return call.reduce("max", call.tile(0, "x"), call.axis(1, 0));
  },
});
