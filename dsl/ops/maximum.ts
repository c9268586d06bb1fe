/** [dsl/ops] maximum: elementwise, broadcast by axis name; one primitive. Reductions are max.ts. */
import { defineOp, type PairFace } from "./define-op.ts";

/** The greater of two values; when one is NaN, the other. Broadcasts by axis name. */
export const maximum = defineOp<PairFace>({
  name: "maximum",
  signature: "maximum(a, b)",
  doc: "The greater of two values; when one is NaN, the other.",
  lower: (call) => {
    call.count(2);
    return call.binary("max", call.argument(0, "a"), call.argument(1, "b"));
  },
});
