/** [dsl/ops] tanh: hyperbolic tangent; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Hyperbolic tangent. Floats, elementwise. */
export const tanh = defineOp<FloatFace<"tanh">>({
  name: "tanh",
  signature: "tanh(x)",
  doc: "Hyperbolic tangent.",
  lower: (call) => call.unary("tanh", call.only("x")),
});
