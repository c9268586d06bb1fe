/** [dsl/ops] log: natural logarithm; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Natural logarithm. Floats, elementwise. */
export const log = defineOp<FloatFace<"log">>({
  name: "log",
  signature: "log(x)",
  doc: "Natural logarithm.",
  lower: (call) => call.unary("log", call.only("x")),
});
