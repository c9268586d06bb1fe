/** [codegen/analysis] What computes the values that something needs. */
import type { SOp } from "../ir/scheduled.ts";
import { readsOf, scheduledResults } from "../ir/visit-scheduled.ts";

const NOTHING: ReadonlySet<number> = new Set();

/**
 * The ops of a list that compute needed values, in order.
 * @param needed ids; what the ops read is added
 * @param given ids that are there already
 */
export function backwardSlice(
  list: readonly SOp[],
  needed: Set<number>,
  given: ReadonlySet<number> = NOTHING,
): readonly SOp[] {
  const kept: SOp[] = [];
  for (const op of [...list].reverse()) {
    if (!scheduledResults(op).some(({ id }) => needed.has(id) && !given.has(id))) continue;
    kept.push(op);
    for (const value of readsOf(op)) needed.add(value.id);
  }
  return kept.reverse();
}
