/** [dsl/ops] argmin: index of the first least element along one named axis; one primitive. */
import type { AxisOk, Reduced } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<"argmin", X, A>,
) => Reduced<X, A, "i32">;

/** Position of the first least element along an axis, i32; NaN is never it unless all are NaN, which gives 0. */
export const argmin = defineOp<Face>({
  name: "argmin",
  signature: "argmin(x, axis)",
  doc: "Position of the first least element along an axis.",
  lower: (call) => {
    call.count(2);
    return call.argReduce("argmin", call.tile(0, "x"), call.axis(1, 0));
  },
});
