/** [dsl/ops] argmax: index of the first greatest element along one named axis; one primitive. */
import type { AxisOk, Reduced } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<"argmax", X, A>,
) => Reduced<X, A, "i32">;

/** Position of the first greatest element along an axis, i32; NaN is never it unless all are NaN, which gives 0. */
export const argmax = defineOp<Face>({
  name: "argmax",
  signature: "argmax(x, axis)",
  doc: "Position of the first greatest element along an axis.",
  lower: (call) => {
    call.count(2);
    return call.argReduce("argmax", call.tile(0, "x"), call.axis(1, 0));
  },
});
