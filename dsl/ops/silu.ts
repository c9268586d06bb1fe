/** [dsl/ops] silu: x * sigmoid(x), from primitives. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** x / (1 + exp(-x)). Floats, elementwise. Also fit for a `fnParam`. */
export const silu = defineOp<FloatFace<"silu">>({
  name: "silu",
  signature: "silu(x)",
  doc: "x / (1 + exp(-x)).",
  lower: (call) => {
    const x = call.float("x");
    const grown = call.unary("exp", call.unary("neg", x));
    return call.binary("div", x, call.binary("add", call.number(1), grown));
  },
});
