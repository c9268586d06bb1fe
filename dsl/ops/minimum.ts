/** [dsl/ops] minimum: elementwise, broadcast by axis name; one primitive. Reductions are min.ts. */
import { defineOp, type PairFace } from "./define-op.ts";

/** The lesser of two values; when one is NaN, the other. Broadcasts by axis name. */
export const minimum = defineOp<PairFace>({
  name: "minimum",
  signature: "minimum(a, b)",
  doc: "The lesser of two values; when one is NaN, the other.",
  lower: (call) => {
    call.count(2);
    return call.binary("min", call.argument(0, "a"), call.argument(1, "b"));
  },
});
