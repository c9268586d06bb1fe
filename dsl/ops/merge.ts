/** [dsl/ops] merge: fuses adjacent axes into one; with a limit it masks the load below it. */
import type { Dim, Merged } from "../typing.ts";
import { defineOp } from "./define-op.ts";

export interface MergeOptions {
  /** Adjacent axes to fuse, slowest first; default the two leading ones. */
  readonly axes?: readonly string[];
  /** Elements at or past this position of the fused axis are never read. Needs a load as operand, used only here. */
  readonly limit?: number;
}

type Face = <X extends number, N extends string>(
  x: X,
  into: Dim<N>,
  options?: MergeOptions,
) => Merged<X, N>;

/** Fuses axes into `into`, whose size is their product; the first axis is the slowest. */
export const merge = defineOp<Face>({
  name: "merge",
  signature: "merge(x, into, { axes?, limit? }?)",
  doc: "Fuses adjacent axes into one.",
  lower: (call) => {
    call.count(2, 3);
    return call.merge(call.tile(0, "x"), call.dim(1, "into"), call.options(2, ["axes", "limit"]));
  },
});
