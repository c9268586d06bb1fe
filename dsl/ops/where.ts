/** [dsl/ops] where: an elementwise choice between two values; one primitive. */
import { defineOp } from "./define-op.ts";

interface Face {
  (cond: boolean, a: number, b: number): number;
  (cond: boolean, a: boolean, b: boolean): boolean;
}

/** `a` where `cond` is true, else `b`; all three broadcast by axis name. Both are computed, so neither may fault. */
export const where = defineOp<Face>({
  name: "where",
  signature: "where(cond, a, b)",
  doc: "Elementwise choice; both sides are computed.",
  lower: (call) => {
    call.count(3);
    return call.select(call.condition(0, "cond"), call.argument(1, "a"), call.argument(2, "b"));
  },
});
