/** [dsl/ops] exp: e to the power of x; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** e to the power of x. Floats, elementwise. */
export const exp = defineOp<FloatFace<"exp">>({
  name: "exp",
  signature: "exp(x)",
  doc: "e to the power of x.",
  lower: (call) => call.unary("exp", call.only("x")),
});
