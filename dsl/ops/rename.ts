/** [dsl/ops] rename: another name for an axis; data stays. */
import type { AxisOk, Dim, Renamed } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string, N extends string>(
  x: X,
  axis: A & AxisOk<"rename", X, A>,
  to: Dim<N>,
) => Renamed<X, A, N>;

/** `x` with `axis` called after `to`, which has the same size. Data and order stay. */
export const rename = defineOp<Face>({
  name: "rename",
  signature: "rename(x, axis, to)",
  doc: "Gives an axis another name.",
  lower: (call) => {
    call.count(3);
    return call.rename(call.tile(0, "x"), call.axis(1, 0), call.dim(2, "to"));
  },
});
