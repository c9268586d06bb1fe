/** [dsl/ops] shared: a ring of tiles in shared memory; part of the third tier. */
import type { Dim, DTypeArgument, NameOf, NamesOf, SharedTile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <const S extends readonly Dim[], const D extends DTypeArgument>(
  dims: S,
  dtype: D,
  options?: { readonly stages?: number },
) => SharedTile<NameOf<D>, NamesOf<S>>;

/**
 * Shared memory for `stages` tiles (default 1). Use number n of the ring, counted from 0 on, takes slot n mod stages. At the top level of the
 * body, ahead of `roles()`.
 */
export const shared = defineOp<Face>({
  name: "shared",
  signature: "shared([dim, …], dtype, { stages? }?)",
  doc: "A ring of tiles in shared memory, for roles().",
  lower: (call) => {
    call.count(2, 3);
    return call.shared(call.dimList(0), call.dtype(1), call.options(2, ["stages"]));
  },
});
