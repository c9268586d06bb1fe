/** [dsl/ops] mulhi: the upper half of a 64-bit product; one primitive. */
import { defineOp, type PairFace } from "./define-op.ts";

/** The upper 32 bits of the product of two u32 values, elementwise. */
export const mulhi = defineOp<PairFace>({
  name: "mulhi",
  signature: "mulhi(a, b)",
  doc: "The upper 32 bits of a u32 product.",
  lower: (call) => {
    call.count(2);
    return call.binary("mulhi", call.argument(0, "a"), call.argument(1, "b"));
  },
});
