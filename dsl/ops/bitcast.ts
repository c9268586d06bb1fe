/** [dsl/ops] bitcast: the same 32 bits as another dtype; one primitive. */
import type { AxesOf, DTypeArgument, NameOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const D extends DTypeArgument>(
  x: X,
  dtype: D,
) => Tile<NameOf<D>, AxesOf<X>>;

/** The same bits read as another dtype: f32, i32 and u32 among each other. */
export const bitcast = defineOp<Face>({
  name: "bitcast",
  signature: "bitcast(x, dtype)",
  doc: "The same bits as another dtype.",
  lower: (call) => {
    call.count(2);
    return call.bitcast(call.typed(0, "x", ["f32", "i32", "u32"]), call.dtype(1));
  },
});
