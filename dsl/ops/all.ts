/** [dsl/ops] all: a whole dim, as an index of loads and stores. Reductions of masks are every.ts and some.ts. */
import type { AxisIndex, Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <N extends string>(dim: Dim<N>) => AxisIndex<readonly [N]>;

/** span(0, dim): the whole of a dim that is fixed by `specialize` or by the config. */
export const all = defineOp<Face>({
  name: "all",
  signature: "all(dim)",
  doc: "A whole dim, as an index of load and store.",
  lower: (call) => {
    call.count(1);
    return { kind: "span", start: call.number(0), axis: call.dim(0, "dim") };
  },
});
