/** [dsl/ops] slot: the tile in a slot of shared memory; one primitive of the third tier. */
import type { SharedTile, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** The tile that use number `use` of a ring holds: an operand that `dotAsync` reads where it lies. */
export const slot = defineOp<<D, S>(shared: SharedTile<D, S>, use: number) => Tile<D, S>>({
  name: "slot",
  signature: "slot(shared, use)",
  doc: "The tile in a slot of shared memory.",
  lower: (call) => {
    call.count(2);
    return call.slot();
  },
});
