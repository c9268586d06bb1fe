/** [dsl/ops] loadSlot: a tile out of shared memory into registers; part of the third tier. */
import type { SharedTile, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/**
 * The tile that use number `use` of a ring holds, read into registers: the slot may be given back right behind it. As rows of a `dotAsync` it is
 * read once, however many dots take it up.
 */
export const loadSlot = defineOp<<D, S>(shared: SharedTile<D, S>, use: number) => Tile<D, S>>({
  name: "loadSlot",
  signature: "loadSlot(shared, use)",
  doc: "The tile in a slot of shared memory, read into registers.",
  lower: (call) => {
    call.count(2);
    return call.slot({ registers: true });
  },
});
