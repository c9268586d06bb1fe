/** [dsl/ops] rsqrt: 1 / sqrt(x); one primitive. */
import { defineOp, type FloatFace } from "./define-op.ts";

/** 1 / sqrt(x). Floats, elementwise. */
export const rsqrt = defineOp<FloatFace<"rsqrt">>({
  name: "rsqrt",
  signature: "rsqrt(x)",
  doc: "1 / sqrt(x).",
  lower: (call) => call.unary("rsqrt", call.only("x")),
});
