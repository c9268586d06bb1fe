/** [dsl/ops] full: a tile of one value. */
import type { Dim, DTypeArgument, NameOf, NamesOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <const D extends DTypeArgument, const S extends readonly Dim[]>(
  dtype: D,
  value: number | boolean,
  ...dims: S
) => Tile<NameOf<D>, NamesOf<S>>;

/** A tile over the dims with `value` everywhere; a constant, or a scalar of that dtype. */
export const full = defineOp<Face>({
  name: "full",
  signature: "full(dtype, value, …dims)",
  doc: "A tile of one value over some dims.",
  lower: (call) => call.filled(call.dtype(0), call.argument(1, "value"), call.dims(2)),
});
