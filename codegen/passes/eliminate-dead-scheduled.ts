/** [codegen/passes] Removes scheduled ops whose results nothing reads, such as layouts of a tile that were never needed. Runs right after schedule-tiles. */
import type { SBlock, ScheduledKernel, SOp } from "../ir/scheduled.ts";
import {
  isEffect,
  mapScheduledRegions,
  scheduledOperands,
  scheduledRegions,
  scheduledResults,
  sharedAccesses,
} from "../ir/visit-scheduled.ts";

function hasEffect(op: SOp): boolean {
  if (isEffect(op) || op.kind === "atomic" || op.kind === "while") return true;
  return scheduledRegions(op).some((block) => block.ops.some(hasEffect));
}

/** Marks what is read, from the end of each block to its start. */
function mark(block: SBlock, read: Set<number>): void {
  for (const value of block.yields) read.add(value.id);
  for (const op of [...block.ops].reverse()) {
    if (!hasEffect(op) && !scheduledResults(op).some((value) => read.has(value.id))) continue;
    for (const value of scheduledOperands(op)) read.add(value.id);
    for (const region of scheduledRegions(op)) mark(region, read);
  }
}

export function eliminateDeadScheduled(kernel: ScheduledKernel): ScheduledKernel {
  const read = new Set<number>();
  mark(kernel.body, read);
  const buffers = new Set<string>();
  const enter = (block: SBlock): SBlock => ({
    ...block,
    ops: block.ops.flatMap((op): readonly SOp[] => {
      if (!hasEffect(op) && !scheduledResults(op).some((value) => read.has(value.id))) return [];
      for (const access of sharedAccesses(op)) buffers.add(access.buffer);
      return [mapScheduledRegions(op, enter)];
    }),
  });
  const body = enter(kernel.body);
  return { ...kernel, body, shared: kernel.shared.filter((buffer) => buffers.has(buffer.name)) };
}
