/** [dsl/ops] pid: index of this program along a grid axis, i32; one primitive. */
import { defineOp } from "./define-op.ts";

/** Index of this program along a grid axis, i32. */
export const pid = defineOp<(axis: 0 | 1 | 2) => number>({
  name: "pid",
  signature: "pid(gridAxis)",
  doc: "Index of this program along a grid axis, i32.",
  lower: (call) => {
    call.count(1);
    return call.gridValue("pid", call.integer(0, "axis", 0, 2));
  },
});
