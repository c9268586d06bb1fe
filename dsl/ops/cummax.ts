/** [dsl/ops] cummax: an inclusive prefix along one named axis; one primitive. */
import type { AxisOk, Like } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<"cummax", X, A>,
) => Like<X>;

/** Inclusive running maximum along an axis. The shape stays. */
export const cummax = defineOp<Face>({
  name: "cummax",
  signature: "cummax(x, axis)",
  doc: "Inclusive running maximum along an axis.",
  lower: (call) => {
    call.count(2);
    return call.scan("max", call.tile(0, "x"), call.axis(1, 0));
  },
});
