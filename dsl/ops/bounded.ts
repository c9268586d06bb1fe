/** [dsl/ops] bounded: a `while` condition with an upper bound on trips; the loop is made by the front end. */
import { defineOp } from "./define-op.ts";

/** `while (bounded(cond, 64))`: at most 64 trips. The interpreter reports a loop that would take more. */
export const bounded = defineOp<(cond: boolean, maxTrips: number) => boolean>({
  name: "bounded",
  signature: "bounded(cond, maxTrips)",
  doc: "A while condition with an upper bound on trips.",
  lower: (call) => {
    call.count(2);
    return {
      kind: "bounded",
      cond: call.scalarCondition(0, "cond"),
      maxTrips: call.integer(1, "maxTrips", 1),
    };
  },
});
