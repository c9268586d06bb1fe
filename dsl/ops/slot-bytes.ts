/** [dsl/ops] slotBytes: the size of a slot of shared memory, for barrierExpect. */
import type { SharedTile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** Bytes of one tile of a ring, known at compile time. */
export const slotBytes = defineOp<<D, S>(shared: SharedTile<D, S>) => number>({
  name: "slotBytes",
  signature: "slotBytes(shared)",
  doc: "Bytes of one slot of shared memory.",
  lower: (call) => {
    call.count(1);
    return call.slotBytes();
  },
});
