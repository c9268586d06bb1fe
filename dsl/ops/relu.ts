/** [dsl/ops] relu: maximum(x, 0), from a primitive. */
import { defineOp, type NumberFace } from "./define-op.ts";

/** maximum(x, 0), so NaN gives 0. Floats and ints, elementwise. Also fit for a `fnParam`. */
export const relu = defineOp<NumberFace>({
  name: "relu",
  signature: "relu(x)",
  doc: "maximum(x, 0).",
  lower: (call) => call.binary("max", call.only("x"), call.number(0)),
});
