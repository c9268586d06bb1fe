/** [dsl/ops] barrierWait: waits until a use of a barrier is over; one primitive of the third tier. */
import type { Barrier } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** Returns when use number `use` of the barrier is over; uses before 0 are, so a producer waits for `n - stages`. */
export const barrierWait = defineOp<(barrier: Barrier, use: number) => void>({
  name: "barrierWait",
  signature: "barrierWait(barrier, use)",
  doc: "Waits until a use of a barrier is over; uses before 0 are.",
  lower: (call) => {
    call.count(2);
    return call.barrierWait();
  },
});
