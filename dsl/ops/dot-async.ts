/** [dsl/ops] dotAsync: starts a product whose sum may be read behind dotWait alone; one primitive of the third tier. */
import type { DotOk, DotResult } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <A extends number, B extends number>(
  a: A,
  b: B & DotOk<A, B>,
  acc?: number,
) => DotResult<A, B>;

/** As `dot`, of tiles in slots; neither these nor the sum may be touched before a `dotWait`, but another dotAsync may take up the sum. */
export const dotAsync = defineOp<Face>({
  name: "dotAsync",
  signature: "dotAsync(a, b, acc?)",
  doc: "Starts a dot of tiles in shared memory; dotWait says when it is done.",
  lower: (call) => {
    call.count(2, 3);
    return call.dotAsync(call.tile(0, "a"), call.tile(1, "b"), call.optional(2));
  },
});
