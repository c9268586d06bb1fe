/** [dsl/ops] mod: remainder with the sign of the divisor; one primitive; also for `grid` functions. */
import { defineOp, type PairFace } from "./define-op.ts";

/** a - floordiv(a, b) * b, so mod(-1, 4) is 3; ints. The `%` operator of a kernel means the same. Works in `grid` functions too. */
export const mod = defineOp<PairFace>({
  name: "mod",
  signature: "mod(a, b)",
  doc: "Remainder with the sign of the divisor.",
  native: (a, b) => a - Math.floor(a / b) * b,
  lower: (call) => {
    call.count(2);
    const [a, b] = call.integers("a", "b");
    return call.binary("mod", a, b);
  },
});
