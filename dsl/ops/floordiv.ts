/** [dsl/ops] floordiv: integer division rounding towards minus infinity; one primitive; also for `grid` functions. */
import { defineOp, type PairFace } from "./define-op.ts";

/** a / b rounded down, so floordiv(-1, 4) is -1; ints. Works in `grid` functions too. */
export const floordiv = defineOp<PairFace>({
  name: "floordiv",
  signature: "floordiv(a, b)",
  doc: "Integer division rounding down.",
  native: (a, b) => Math.floor(a / b),
  lower: (call) => {
    call.count(2);
    const [a, b] = call.integers("a", "b");
    return call.binary("floordiv", a, b);
  },
});
