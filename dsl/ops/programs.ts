/** [dsl/ops] programs: the programs that a block takes, for `for (const p of programs())` in a role. */
import { defineOp } from "./define-op.ts";

/**
 * Numbers of the programs that this block runs, one after the other: where a launch has more programs than the device runs at once, blocks
 * walk over them, and uses of rings go on from one program to the next. In place of `pid()`; counted along axis 0 of the grid first.
 */
export const programs = defineOp<() => Iterable<number>>({
  name: "programs",
  signature: "programs()",
  doc: "The programs that a block takes in turn: for (const p of programs()), in a role.",
  lower: (call) => {
    call.count(0);
    return call.programs();
  },
});
