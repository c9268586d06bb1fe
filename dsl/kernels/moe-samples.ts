/** [dsl/kernels] What samples of the kernels for experts share: routings, their sorting by plain loops, dtypes. No kernel is defined here. */
import type { DType } from "../core/dtype.ts";
import type { HostTensor } from "./define-kernel-entry.ts";
import { hostTensor, type RandomSource } from "./sample-data.ts";

/**
 * Distinct experts of each row, `[rows, k]` row by row.
 * @param skew 1: all alike likely; above, low ids come more often, so that some experts have many rows and some none
 */
export function randomRouting(
  random: RandomSource,
  rows: number,
  experts: number,
  k: number,
  skew = 1,
): readonly number[] {
  return Array.from({ length: rows }, () => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(k, experts))
      chosen.add(Math.floor(random.uniform() ** skew * experts));
    return [...chosen];
  }).flat();
}

/** Slots by expert in blocks of one expert each. */
export interface SortedSlots {
  /** `[blocks, blockRows]`: slots, -1 for padding. */
  readonly rows: readonly number[];
  /** `[blocks]`: expert of each block, -1 where it is not used. */
  readonly expertOf: readonly number[];
}

/** The sorting by plain loops. Ids outside [0, experts) have no place. */
export function sortSlots(
  ids: readonly number[],
  experts: number,
  blocks: number,
  blockRows: number,
): SortedSlots {
  const rows: number[] = [];
  const expertOf: number[] = [];
  for (let expert = 0; expert < experts; expert++) {
    ids.forEach((id, slot) => {
      if (id !== expert) return;
      if (rows.length % blockRows === 0) expertOf.push(expert);
      rows.push(slot);
    });
    while (rows.length % blockRows !== 0) rows.push(-1);
  }
  while (expertOf.length < blocks) expertOf.push(-1);
  while (rows.length < blocks * blockRows) rows.push(-1);
  return { rows, expertOf };
}

/** Integers with a shape, i32. */
export function intsOf(shape: readonly number[], values: readonly number[]): HostTensor {
  return hostTensor("i32", shape, (i) => values[i] ?? 0);
}

/** Dtypes of operands and result that samples run in. */
export const EXPERT_DTYPES: readonly { readonly T: DType; readonly O: DType }[] = [
  { T: "f32", O: "f32" },
  { T: "f16", O: "f16" },
  { T: "bf16", O: "bf16" },
];
