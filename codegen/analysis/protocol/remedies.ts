/** [codegen/analysis/protocol] What to change where a kernel writes out its roles itself, in terms of uses; what stays the compiler's own fault. */
import type { Rule } from "./faults.ts";

/** Rules that the text of a kernel can break. The others are kept by how its roles are scheduled, whatever it says. */
const REMEDIES: Readonly<Partial<Record<Rule, string>>> = {
  deadlock:
    "let the other role arrive at that use as often as barrier({ arrivals }) says, and expect the bytes of its copies: barrierExpect(full, n, bytes); a producer waits for the use before of the slot, barrierWait(empty, n - stages), no other",
  filled: "wait before the slot is read: barrierWait(full, n)",
  free: "wait before the copy for the slot to be given back, barrierWait(empty, n - stages), and give it back behind dotWait(), when the dots that read it are done: barrierArrive(empty, n - 1) behind dotWait(1)",
  bytes: "add up slotBytes() of every copy of the use in barrierExpect()",
  accumulator: "wait for the dots first: acc = dotWait(0, acc)",
  arrivals:
    "wait for the use before of the slot before this one is begun, barrierWait(empty, n - stages), and arrive at each use as often as barrier({ arrivals }) says",
  phase: "wait for every use in turn, and let the other role wait before it arrives again",
  order: "read the uses in the order in which they are copied: count n up by one in both roles",
  drained:
    "wait for all that was started before the role ends: barrierWait(full, n) for each copy, acc = dotWait(0, acc) for the dots",
};

/** @returns undefined where the kernel cannot be at fault */
export function kernelRemedy(rule: Rule): string | undefined {
  return REMEDIES[rule];
}
