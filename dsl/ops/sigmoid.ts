/** [dsl/ops] sigmoid: 1 / (1 + exp(-x)), from primitives. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** 1 / (1 + exp(-x)). Floats, elementwise. */
export const sigmoid = defineOp<FloatFace<"sigmoid">>({
  name: "sigmoid",
  signature: "sigmoid(x)",
  doc: "1 / (1 + exp(-x)).",
  lower: (call) => {
    const grown = call.unary("exp", call.unary("neg", call.float("x")));
    return call.binary("div", call.number(1), call.binary("add", call.number(1), grown));
  },
});
