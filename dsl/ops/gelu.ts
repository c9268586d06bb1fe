/** [dsl/ops] gelu: the exact Gaussian error linear unit, from primitives. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** 0.5 * x * (1 + erf(x / sqrt(2))). Floats, elementwise. Also fit for a `fnParam`. */
export const gelu = defineOp<FloatFace<"gelu">>({
  name: "gelu",
  signature: "gelu(x)",
  doc: "0.5 * x * (1 + erf(x / sqrt(2))).",
  lower: (call) => {
    const x = call.float("x");
    const bell = call.unary("erf", call.binary("mul", x, call.number(Math.SQRT1_2)));
    const half = call.binary("mul", x, call.number(0.5));
    return call.binary("mul", half, call.binary("add", bell, call.number(1)));
  },
});
