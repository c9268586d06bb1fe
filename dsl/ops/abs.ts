/** [dsl/ops] abs: absolute value; one primitive. */
import { defineOp, type NumberFace } from "./define-op.ts";

/** Absolute value. Floats and ints, elementwise. */
export const abs = defineOp<NumberFace>({
  name: "abs",
  signature: "abs(x)",
  doc: "Absolute value.",
  lower: (call) => call.unary("abs", call.only("x")),
});
