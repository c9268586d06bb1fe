/** [dsl/ops] store: writes a tile or a scalar to a tensor; with gather indices it scatters. */
import type { AxesOfIndices, Index, KernelTensor, RankOk, Shape, StoreOk } from "../typing.ts";
import { defineOp } from "./define-op.ts";

export interface StoreOptions {
  /** Elements whose index along the only span or gather is at or past this are not written. */
  readonly limit?: number;
  /** Elements where this is false are not written; its axes are among the tile's. */
  readonly mask?: boolean;
}

type Face = <
  D extends string,
  S extends Shape,
  const I extends readonly Index[],
  V extends number | boolean,
>(
  tensor: KernelTensor<D, S>,
  at: I & RankOk<"store", S, I>,
  value: V & StoreOk<D, AxesOfIndices<I>, V>,
  options?: StoreOptions,
) => void;

/**
 * Writes a tile: one index per dim, as in `load`. The value has the tensor's dtype and the axes of the indices, in
 * their order; a scalar fills the tile. Elements outside, past a span's end, scattered to -1 or masked out are not written.
 */
export const store = defineOp<Face>({
  name: "store",
  signature: "store(tensor, [index, …], value, { limit?, mask? }?)",
  doc: "Writes a tile or a scalar to a tensor; what lies outside is not written.",
  lower: (call) => {
    call.count(3, 4);
    const tensor = call.tensor(0, "written");
    const at = call.indices(1, tensor);
    return call.store(tensor, at, call.options(3, ["limit", "mask"]));
  },
});
