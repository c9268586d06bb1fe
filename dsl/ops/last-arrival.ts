/** [dsl/ops] lastArrival: which program of several comes last, and sees what the others stored; one primitive. */
import type { Index, KernelTensor, RankOk, Shape } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <S extends Shape, const I extends readonly Index[]>(
  counters: KernelTensor<"i32", S>,
  at: I & RankOk<"lastArrival", S, I>,
  expected: number,
) => boolean;

/**
 * Counts this program at one counter; true for the one that comes last of `expected`, so never waits. It reads, in what follows, what all of
 * them stored before they arrived; nobody else may. Which program is last is open: results must not depend on it. The counter is 0 again
 * afterwards, for the next launch.
 * @param counters i32, declared with inout(); zeros before the first launch
 * @param at scalars
 * @param expected programs that arrive at this counter, the same number for each of them, at least 1
 */
export const lastArrival = defineOp<Face>({
  name: "lastArrival",
  signature: "lastArrival(counters, [index, …], expected)",
  doc: "True in the last of the programs that arrive at a counter: it may read what the others stored.",
  lower: (call) => {
    call.count(3);
    const tensor = call.tensor(0, "read and written");
    return call.lastArrival(tensor, call.indices(1, tensor), call.scalarInteger(2, "expected"));
  },
});
