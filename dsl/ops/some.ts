/** [dsl/ops] some: a reduction of a mask along one named axis; one primitive. */
import { defineOp } from "./define-op.ts";

/** True where any element along an axis is true. The axis vanishes from the mask. */
export const some = defineOp<(x: boolean, axis: string) => boolean>({
  name: "some",
  signature: "some(mask, axis)",
  doc: "True where any element along an axis is true.",
  lower: (call) => {
    call.count(2);
    return call.reduce("any", call.mask(0, "x"), call.axis(1, 0));
  },
});
