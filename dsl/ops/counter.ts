/** [dsl/ops] counter: tickets shared by all programs, for dynamic schedules. Typed and documented; lowering comes later. */
import { defineOp } from "./define-op.ts";

/**
 * `for (const t of counter(limit))`: each program takes the next ticket of one launch-wide count 0, 1 … limit - 1 until none
 * is left. The only dynamic scheduler: which program gets which ticket is not defined, that each is taken once is.
 */
export const counter = defineOp<(limit: number) => Iterable<number>>({
  name: "counter",
  signature: "counter(limit)",
  doc: "Tickets shared by all programs; its lowering comes later (TW1209).",
  lower: (call) =>
    call.later(
      "give each program a fixed share: for (const t of range(pid(0), limit, numPrograms(0)))",
    ),
});
