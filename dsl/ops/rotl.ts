/** [dsl/ops] rotl: rotate left, from two shifts and an or. */
import { defineOp, type PairFace } from "./define-op.ts";

/** `x` rotated left by `count` bits, modulo 32; u32, elementwise. */
export const rotl = defineOp<PairFace>({
  name: "rotl",
  signature: "rotl(x, count)",
  doc: "A u32 rotated left.",
  lower: (call) => {
    call.count(2);
    const x = call.typed(0, "x", ["u32"]);
    const count = call.argument(1, "count");
    const left = call.binary("shl", x, count);
    const right = call.binary("shr", x, call.binary("sub", call.number(32), count));
    return call.binary("or", left, right);
  },
});
