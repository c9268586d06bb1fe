/** [dsl/ops] ceil: least integer not below x, as a float; one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** Least integer not below x, as a float. Floats, elementwise. */
export const ceil = defineOp<FloatFace<"ceil">>({
  name: "ceil",
  signature: "ceil(x)",
  doc: "Least integer not below x, as a float.",
  lower: (call) => call.unary("ceil", call.only("x")),
});
