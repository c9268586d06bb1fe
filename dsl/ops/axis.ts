/** [dsl/ops] axis: a new named dim, for tiles that need an axis no tensor or config names. */
import type { Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <const N extends string>(name: N, size: number) => Dim<N>;

/** A dim named `name` with the size of `size`, which is known at compile time. */
export const axis = defineOp<Face>({
  name: "axis",
  signature: "axis(name, size)",
  doc: "A new dim with a name of its own and a size known at compile time.",
  lower: (call) => {
    call.count(2);
    return { kind: "dim", name: call.axisName(0), size: call.integer(1, "size", 1) };
  },
});
