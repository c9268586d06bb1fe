/** [dsl/ops] dot: contracts the axis that two tiles share; one primitive. */
import type { DotOk, DotResult } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <A extends number, B extends number>(
  a: A,
  b: B & DotOk<A, B>,
  acc?: number,
) => DotResult<A, B>;

/**
 * Sum over the one axis that `a` and `b` share, plus `acc`. No transpose flags: axes are found by name.
 * @returns the other axes of `a`, then those of `b`; f32 for float operands, i32 for i8, u8 and i32
 */
export const dot = defineOp<Face>({
  name: "dot",
  signature: "dot(a, b, acc?)",
  doc: "Contracts the axis that two tiles share; the result is added to acc if given.",
  lower: (call) => {
    call.count(2, 3);
    return call.dot(call.tile(0, "a"), call.tile(1, "b"), call.optional(2));
  },
});
