/** [dsl/ops] cos: cosine of x in radians; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Cosine of x in radians. Floats, elementwise. */
export const cos = defineOp<FloatFace<"cos">>({
  name: "cos",
  signature: "cos(x)",
  doc: "Cosine of x in radians.",
  lower: (call) => call.unary("cos", call.only("x")),
});
