/** [dsl/ops] sqrt: square root; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Square root. Floats, elementwise. */
export const sqrt = defineOp<FloatFace<"sqrt">>({
  name: "sqrt",
  signature: "sqrt(x)",
  doc: "Square root.",
  lower: (call) => call.unary("sqrt", call.only("x")),
});
