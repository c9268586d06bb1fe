/** [dsl/ops] select: a choice by one scalar condition, without a branch; one primitive. */
import { defineOp } from "./define-op.ts";

interface Face {
  (cond: boolean, a: number, b: number): number;
  (cond: boolean, a: boolean, b: boolean): boolean;
}

/** Like `cond ? a : b` for a scalar condition, but both sides are computed and no branch is made. */
export const select = defineOp<Face>({
  name: "select",
  signature: "select(cond, a, b)",
  doc: "Choice by a scalar condition without a branch.",
  lower: (call) => {
    call.count(3);
    const cond = call.scalarCondition(0, "cond");
    return call.select(cond, call.argument(1, "a"), call.argument(2, "b"));
  },
});
