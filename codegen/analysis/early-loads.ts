/** [codegen/analysis] Which ops at the start of a kernel need not wait for the launch before: those that read only what loads call early. Changes nothing. */
import type { SOp } from "../ir/scheduled.ts";
import { isEffect, scheduledRegions, walkScheduled } from "../ir/visit-scheduled.ts";

/** Whether an op reads and writes nothing of a tensor but what it may read early. Registers and shared memory are the block's own. */
function isFree(op: SOp): boolean {
  if (op.kind === "load") return op.hints?.when === "early" && op.packed === undefined;
  if (op.kind === "atomic" || op.kind === "while") return false;
  if (isEffect(op) && op.kind !== "barrier" && op.kind !== "shared_store") return false;
  return scheduledRegions(op).every((block) => block.ops.every(isFree));
}

function loadsOf(ops: readonly SOp[]): readonly string[] {
  const names = new Set<string>();
  walkScheduled({ params: [], ops, yields: [] }, (op) => {
    if (op.kind === "load") names.add(op.tensor);
  });
  return [...names];
}

/**
 * @param ops a kernel's, without roles
 * @returns ops ahead of the wait for the launch before, 0 where there is nothing worth it, and the tensors that they read
 */
export function findEarly(ops: readonly SOp[]): {
  readonly count: number;
  readonly tensors: readonly string[];
} {
  const end = ops.findIndex((op) => !isFree(op));
  const count = end < 0 ? ops.length : end;
  const tensors = loadsOf(ops.slice(0, count));
  return { count: tensors.length > 0 ? count : 0, tensors };
}
