/** [dsl/ops] print: shows a value in the interpreter and on devices that can. */
import { defineOp } from "./define-op.ts";

/** Shows `x` under `label`; never changes results. */
export const print = defineOp<(label: string, x: number | boolean) => void>({
  name: "print",
  signature: "print(label, x)",
  doc: "Shows a value with a label.",
  lower: (call) => {
    call.count(2);
    return call.print(call.string(0, "label"), call.argument(1, "x"));
  },
});
