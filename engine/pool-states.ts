/** [engine] Reads the hidden states that make embeddings off the device. Which count, and how they add up, is in pooling.ts. */
import { readTensor, type Tensor } from "../runtime/index.ts";
import type { StepEntry } from "./core.ts";
import type { StepScope } from "./layers/scope.ts";
import { pooledRows, sumRows } from "./pooling.ts";
import { pickRows } from "./sampler.ts";

/**
 * Everything is queued when the call returns.
 * @param firstRows row of each entry's first position
 * @param hidden `[rows, H]`
 * @returns sums of the entries that asked for them, `[H]`
 */
export async function poolStates(
  entries: readonly StepEntry[],
  firstRows: readonly number[],
  scope: StepScope,
  hidden: Tensor,
): Promise<ReadonlyMap<StepEntry, Float64Array>> {
  const reads = entries.flatMap((entry, i) => {
    const { from, to } = pooledRows(entry);
    if (from === to) return [];
    const first = (firstRows[i] ?? 0) + from;
    const rows = Array.from({ length: to - from }, (_, k) => first + k);
    const states = readTensor(pickRows(scope, hidden, rows));
    return [states.then((read) => [entry, sumRows(read, hidden.shape[1] ?? 0)] as const)];
  });
  return new Map(await Promise.all(reads));
}
