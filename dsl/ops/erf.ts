/** [dsl/ops] erf: gauss error function; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Gauss error function. Floats, elementwise. */
export const erf = defineOp<FloatFace<"erf">>({
  name: "erf",
  signature: "erf(x)",
  doc: "Gauss error function.",
  lower: (call) => call.unary("erf", call.only("x")),
});
