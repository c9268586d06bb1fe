/** [dsl/ops] dotWait: waits for asynchronous products; one primitive of the third tier. */
import { defineOp } from "./define-op.ts";

type Face = <X extends number = number>(pending: number, x?: X) => X;

/**
 * Returns when at most `pending` asynchronous dots of the role are in flight: the slots that earlier ones read may be given back.
 * @returns x, a sum that may be read from here on, where one is given
 */
export const dotWait = defineOp<Face>({
  name: "dotWait",
  signature: "dotWait(pending, x?)",
  doc: "Waits until at most some asynchronous dots are in flight; gives back a sum that is done.",
  lower: (call) => {
    call.count(1, 2);
    return call.dotWait(call.integer(0, "pending", 0), call.optional(1) && call.tile(1, "x"));
  },
});
