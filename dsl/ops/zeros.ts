/** [dsl/ops] zeros: a tile of zeros. */
import type { Dim, DTypeArgument, NameOf, NamesOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <const D extends DTypeArgument, const S extends readonly Dim[]>(
  dtype: D,
  ...dims: S
) => Tile<NameOf<D>, NamesOf<S>>;

/** A tile of zeros over the dims. */
export const zeros = defineOp<Face>({
  name: "zeros",
  signature: "zeros(dtype, …dims)",
  doc: "A tile of zeros over some dims.",
  lower: (call) => call.filled(call.dtype(0), call.number(0), call.dims(1)),
});
