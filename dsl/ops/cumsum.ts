/** [dsl/ops] cumsum: an inclusive prefix along one named axis; one primitive. */
import type { AxisOk, Like } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<"cumsum", X, A>,
) => Like<X>;

/** Inclusive running sum along an axis. The shape stays. */
export const cumsum = defineOp<Face>({
  name: "cumsum",
  signature: "cumsum(x, axis)",
  doc: "Inclusive running sum along an axis.",
  lower: (call) => {
    call.count(2);
    return call.scan("sum", call.tile(0, "x"), call.axis(1, 0));
  },
});
