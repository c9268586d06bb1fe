/** [engine/weights/quantization] Columns that were assigned to groups by an index: which group each has, and the order in which groups lie together. */
import { ModelError } from "../../../dsl/index.ts";
import type { HostTensor } from "../checkpoint.ts";
import { wordsOf } from "./quantized-weight.ts";

/**
 * The group of each column. An index that says the same of all columns was never filled in: they stand in order.
 * @param key name of the tensor, for the message
 * @param index i32 `[K]`
 * @returns undefined where groups are of neighbouring columns
 * @throws ModelError TW4240 for a group that there is not
 */
export function columnGroups(
  key: string,
  index: HostTensor,
  groups: number,
): Int32Array | undefined {
  const found = Int32Array.from(wordsOf(index));
  const size = found.length / groups;
  if (found.every((g, k) => g === Math.floor(k / size))) return undefined;
  if (found.every((g) => g === found[0] && g <= 0)) return undefined;
  const column = found.findIndex((g) => g < 0 || g >= groups);
  if (column < 0) return found;
  throw misfit(key, `group ${found[column]} of column ${column}`, `groups from 0 to ${groups - 1}`);
}

/**
 * The places of the columns in the order of their groups, which must be of one size.
 * @returns undefined where they already stand so
 * @throws ModelError TW4240 for other sizes, and for a group that there is not
 */
export function columnOrder(
  key: string,
  index: HostTensor | undefined,
  groups: number,
): Int32Array | undefined {
  const found = index && columnGroups(key, index, groups);
  if (found === undefined) return undefined;
  const counts = new Int32Array(groups);
  for (const g of found) counts[g] = (counts[g] ?? 0) + 1;
  const size = found.length / groups;
  const uneven = counts.findIndex((count) => count !== size);
  if (uneven >= 0)
    throw misfit(key, `${counts[uneven]} columns in group ${uneven}`, `${size} in each group`);
  return Int32Array.from(found.keys()).sort((a, b) => (found[a] ?? 0) - (found[b] ?? 0) || a - b);
}

function misfit(key: string, seen: string, expected: string): ModelError {
  return new ModelError({
    code: "TW4240",
    message: `tensor '${key}' does not share the columns out in groups`,
    seen,
    expected,
    remedy: "download the checkpoint again",
  });
}
