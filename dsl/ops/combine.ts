/** [dsl/ops] combine: a reduction across programs. Typed and documented; lowering comes later. */
import { defineOp } from "./define-op.ts";

/**
 * Combines the partial results of all programs along a grid axis with an associative, commutative function.
 * Programs never wait for one another; the result is known to the statements after it, which run once.
 * @param partial this program's share
 * @param f combines two partial results, e.g. `(a, b) => a + b`
 * @param axis the grid axis to reduce over
 */
export const combine = defineOp<
  <X extends number>(partial: X, f: (a: X, b: X) => number, axis: 0 | 1 | 2) => X
>({
  name: "combine",
  signature: "combine(partial, f, gridAxis)",
  doc: "A reduction across programs; its lowering comes later (TW1209).",
  lower: (call) =>
    call.later(
      "store the partial results to a tensor with one more dim and reduce it in a second kernel",
    ),
});
