/** [dsl/ops] exp2: 2 to the power of x; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** 2 to the power of x. Floats, elementwise. */
export const exp2 = defineOp<FloatFace<"exp2">>({
  name: "exp2",
  signature: "exp2(x)",
  doc: "2 to the power of x.",
  lower: (call) => call.unary("exp2", call.only("x")),
});
