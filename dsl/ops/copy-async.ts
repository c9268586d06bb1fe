/** [dsl/ops] copyAsync: starts an asynchronous copy into a slot of shared memory; one primitive of the third tier. */
import type {
  AxesOfIndices,
  Barrier,
  Index,
  KernelTensor,
  RankOk,
  Shape,
  SharedTile,
} from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <D extends string, S extends Shape, const I extends readonly Index[]>(
  tensor: KernelTensor<D, S>,
  at: I & RankOk<"copyAsync", S, I>,
  into: SharedTile<D, AxesOfIndices<I>>,
  use: number,
  barrier: Barrier,
) => void;

/**
 * Starts to copy a tile of a tensor into the slot of use number `use` of a ring; its bytes (zeros past the tensor's bounds included) count on
 * the same use of the barrier. By the copy engine (TMA) where the tile is a box of the tensor.
 */
export const copyAsync = defineOp<Face>({
  name: "copyAsync",
  signature: "copyAsync(tensor, [index, …], shared, use, barrier)",
  doc: "Starts an asynchronous copy into a slot of shared memory.",
  lower: (call) => {
    call.count(5);
    const tensor = call.tensor(0, "read");
    return call.copyAsync(tensor, call.indices(1, tensor));
  },
});
