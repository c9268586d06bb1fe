/** [dsl/ops] programs: the programs that a block takes, for `for (const p of programs())` in a role. */
import { defineOp } from "./define-op.ts";

export interface ProgramsOptions {
  /** A block takes the next program that none has taken yet, in place of every so many: for programs whose work differs. */
  readonly counted?: boolean;
}

/**
 * Numbers of the programs that this block runs, one after the other: where a launch has more programs than the device runs at once, blocks
 * walk over them, and uses of rings go on from one program to the next. In place of `pid()`; counted along axis 0 of the grid first.
 */
export const programs = defineOp<(options?: ProgramsOptions) => Iterable<number>>({
  name: "programs",
  signature: "programs({ counted? }?)",
  doc: "The programs that a block takes in turn: for (const p of programs()), in a role.",
  lower: (call) => {
    call.count(0, 1);
    return call.programs(call.options(0, ["counted"]));
  },
});
