/** [dsl/ops] iota: 0, 1, 2 … along a new axis; one primitive. */
import type { Dim, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

/** 0, 1, 2 … along `dim`, i32. */
export const iota = defineOp<<N extends string>(dim: Dim<N>) => Tile<"i32", readonly [N]>>({
  name: "iota",
  signature: "iota(dim)",
  doc: "0, 1, 2 … along a dim, i32.",
  lower: (call) => {
    call.count(1);
    return call.iota(call.dim(0, "dim"));
  },
});
