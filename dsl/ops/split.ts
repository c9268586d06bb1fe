/** [dsl/ops] split: one axis becomes several adjacent ones; data stays. */
import type { AxisOk, Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<"split", X, A>,
  ...into: readonly Dim[]
) => number;

/** Splits `axis` into the dims `into`, slowest first; their sizes multiply to the axis's: split(x, "BK", KO, KI). */
export const split = defineOp<Face>({
  name: "split",
  signature: "split(x, axis, …into)",
  doc: "Splits one axis into several.",
  lower: (call) => {
    return call.split(call.tile(0, "x"), call.axis(1, 0), call.dims(2));
  },
});
