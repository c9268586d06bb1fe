/** [dsl/ops] numPrograms: size of the grid along an axis, i32; one primitive. */
import { defineOp } from "./define-op.ts";

/** Size of the grid along an axis, i32. */
export const numPrograms = defineOp<(axis: 0 | 1 | 2) => number>({
  name: "numPrograms",
  signature: "numPrograms(gridAxis)",
  doc: "Size of the grid along an axis, i32.",
  lower: (call) => {
    call.count(1);
    return call.gridValue("num_programs", call.integer(0, "axis", 0, 2));
  },
});
