/** [dsl/ops] sum: a reduction along one named axis; one primitive. */
import { defineOp, type ReduceFace } from "./define-op.ts";

/** The sum along an axis; narrow floats are summed in f32 and rounded once. The axis vanishes from the tile. */
export const sum = defineOp<ReduceFace<"sum">>({
  name: "sum",
  signature: "sum(x, axis)",
  doc: "The sum along an axis; narrow floats are summed in f32 and rounded once.",
  lower: (call) => {
    call.count(2);
    return call.reduce("sum", call.tile(0, "x"), call.axis(1, 0));
  },
});
