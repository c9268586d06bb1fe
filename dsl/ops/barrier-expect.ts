/** [dsl/ops] barrierExpect: an arrival that announces bytes of asynchronous copies; one primitive of the third tier. */
import type { Barrier } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** One arrival of the producer, and `bytes` that copies with this barrier still bring in this use. */
export const barrierExpect = defineOp<(barrier: Barrier, use: number, bytes: number) => void>({
  name: "barrierExpect",
  signature: "barrierExpect(barrier, use, bytes)",
  doc: "Arrives at a use of a barrier and says how many bytes copies bring in it.",
  lower: (call) => {
    call.count(3);
    return call.barrierExpect();
  },
});
