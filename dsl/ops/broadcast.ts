/** [dsl/ops] broadcast: repeats a tile along new axes, or puts its axes in another order. */
import type { Dim, DTypeOf, NamesOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number, const S extends readonly Dim[]>(
  x: X,
  ...dims: S
) => Tile<DTypeOf<X>, NamesOf<S>>;

/** `x` over exactly the axes `dims`, in that order: repeated along those it lacks. Operators do this by themselves. */
export const broadcast = defineOp<Face>({
  name: "broadcast",
  signature: "broadcast(x, …dims)",
  doc: "Repeats a tile along new axes, or reorders its axes.",
  lower: (call) => call.broadcast(call.argument(0, "x"), call.dims(1)),
});
