/** [dsl/ops] cdiv: integer division rounding up, from primitives; also for `grid` functions. */
import { defineOp, type PairFace } from "./define-op.ts";

/** a / b rounded up; ints, b > 0. Works in `grid` functions too. */
export const cdiv = defineOp<PairFace>({
  name: "cdiv",
  signature: "cdiv(a, b)",
  doc: "Integer division rounding up.",
  native: (a, b) => Math.ceil(a / b),
  lower: (call) => {
    call.count(2);
    const [a, b] = call.integers("a", "b");
    const padded = call.binary("add", a, call.binary("sub", b, call.number(1)));
    return call.binary("floordiv", padded, b);
  },
});
