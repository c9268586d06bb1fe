/** [dsl/ops] sin: sine of x in radians; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Sine of x in radians. Floats, elementwise. */
export const sin = defineOp<FloatFace<"sin">>({
  name: "sin",
  signature: "sin(x)",
  doc: "Sine of x in radians.",
  lower: (call) => call.unary("sin", call.only("x")),
});
