/** [dsl/ops] log2: base-2 logarithm; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Base-2 logarithm. Floats, elementwise. */
export const log2 = defineOp<FloatFace<"log2">>({
  name: "log2",
  signature: "log2(x)",
  doc: "Base-2 logarithm.",
  lower: (call) => call.unary("log2", call.only("x")),
});
