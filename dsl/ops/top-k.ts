/** [dsl/ops] topK: the k greatest elements along an axis with their positions, from argmax rounds. */
import type { Dim } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = (x: number, axis: string, k: Dim) => { values: number; indices: number };

/**
 * The k greatest elements along `axis`, descending, ties by lower position; in place of `axis` the result has `k`, as its last axis. Takes k
 * rounds, so k is meant to be small.
 * @returns values in x's dtype and positions in i32
 */
export const topK = defineOp<Face>({
  name: "topK",
  signature: "topK(x, axis, k)",
  doc: "The k greatest elements along an axis.",
  lower: (call) => {
    call.count(3);
    return call.topK(call.typedTile(0, "x", ["f32"]), call.axis(1, 0), call.dim(2, "k"));
  },
});
