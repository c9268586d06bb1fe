/** [dsl/ops] barrierArrive: one arrival at a use of a barrier; one primitive of the third tier. */
import type { Barrier } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** The consumer is done with what the barrier guards: one arrival for each of its warpgroups. */
export const barrierArrive = defineOp<(barrier: Barrier, use: number) => void>({
  name: "barrierArrive",
  signature: "barrierArrive(barrier, use)",
  doc: "Arrives at a use of a barrier, once for each warpgroup of the consumer.",
  lower: (call) => {
    call.count(2);
    return call.barrierArrive();
  },
});
