/** [dsl/ops] assert: reports where a condition is false, in the interpreter and on devices that can. */
import { defineOp } from "./define-op.ts";

/** Reports `message` where `cond` is false; never changes results. A condition known at compile time is checked then. */
export const assert = defineOp<(cond: boolean, message: string) => void>({
  name: "assert",
  signature: "assert(cond, message)",
  doc: "Reports where a condition is false.",
  lower: (call) => {
    call.count(2);
    return call.assert(call.condition(0, "cond"), call.string(1, "message"));
  },
});
