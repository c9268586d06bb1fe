/** [dsl/ops] round: nearest integer as a float, ties to even; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Nearest integer as a float, ties to even. Floats, elementwise. */
export const round = defineOp<FloatFace<"round">>({
  name: "round",
  signature: "round(x)",
  doc: "Nearest integer as a float, ties to even.",
  lower: (call) => call.unary("round", call.only("x")),
});
