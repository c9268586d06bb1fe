/** [dsl/ops] every: a reduction of a mask along one named axis; one primitive. */
import { defineOp } from "./define-op.ts";

/** True where all elements along an axis are true. The axis vanishes from the mask. */
export const every = defineOp<(x: boolean, axis: string) => boolean>({
  name: "every",
  signature: "every(mask, axis)",
  doc: "True where all elements along an axis are true.",
  lower: (call) => {
    call.count(2);
    return call.reduce("all", call.mask(0, "x"), call.axis(1, 0));
  },
});
