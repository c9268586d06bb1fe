/** [dsl/ops] floor: greatest integer not above x, as a float; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Greatest integer not above x, as a float. Floats, elementwise. */
export const floor = defineOp<FloatFace<"floor">>({
  name: "floor",
  signature: "floor(x)",
  doc: "Greatest integer not above x, as a float.",
  lower: (call) => call.unary("floor", call.only("x")),
});
