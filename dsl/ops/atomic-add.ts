/** [dsl/ops] atomicAdd: a relaxed, device-wide read-modify-write; one primitive. */
import type {
  AxesOfIndices,
  Index,
  KernelTensor,
  RankOk,
  Shape,
  StoreOk,
  Tile,
} from "../typing.ts";
import { defineOp } from "./define-op.ts";
import type { StoreOptions } from "./store.ts";

type Face = <D extends string, S extends Shape, const I extends readonly Index[], V extends number>(
  tensor: KernelTensor<D, S>,
  at: I & RankOk<"atomicAdd", S, I>,
  value: V & StoreOk<D, AxesOfIndices<I>, V>,
  options?: StoreOptions,
) => Tile<D, AxesOfIndices<I>>;

/** Adds to each element, atomically and in no particular order; f32, i32 and u32 tensors declared with inout(). Gives the old values. */
export const atomicAdd = defineOp<Face>({
  name: "atomicAdd",
  signature: "atomicAdd(tensor, [index, …], value, { limit?, mask? }?)",
  doc: "Adds to each element, atomically.",
  lower: (call) => {
    call.count(3, 4);
    const tensor = call.tensor(0, "read and written");
    const at = call.indices(1, tensor);
    return call.atomic("add", tensor, at, call.options(3, ["limit", "mask"]));
  },
});
