/** [engine] Embeddings of texts from a causal model: the hidden states of a prompt's positions, made one vector as steps bring them. No device. */
import type { Request, StepEntry } from "./core.ts";

/** Rows of a step's entry whose states count, from the entry's first: [from, to). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

const NONE: RowRange = { from: 0, to: 0 };

/** Which positions of the step make the vector: all of the prompt (mean), its last (last) or its first (cls). */
export function pooledRows({ request, start, count }: StepEntry): RowRange {
  const { pooling } = request.params;
  if (pooling === undefined) return NONE;
  const end = Math.min(count, request.promptIds.length - start);
  switch (pooling) {
    case "mean":
      return { from: 0, to: Math.max(0, end) };
    case "last": {
      const isEnd = end > 0 && start + end === request.promptIds.length;
      return isEnd ? { from: end - 1, to: end } : NONE;
    }
    case "cls":
      return start === 0 ? { from: 0, to: 1 } : NONE;
    default:
      return pooling satisfies never;
  }
}

/** Sum of rows of `[rows, H]`, row-major, in f64. @param hidden H */
export function sumRows(states: ArrayLike<number>, hidden: number): Float64Array {
  const sum = new Float64Array(hidden);
  for (let i = 0; i < states.length; i++)
    sum[i % hidden] = (sum[i % hidden] ?? 0) + (states[i] ?? 0);
  return sum;
}

/** Takes in the sum of a step's rows. A request that was preempted starts over, and so does its vector. */
export function addPooled(request: Request, { start }: StepEntry, sum: Float64Array): void {
  const before = start === 0 ? undefined : request.pooled;
  request.pooled = before === undefined ? sum : sum.map((value, i) => value + (before[i] ?? 0));
}

/** The vector, scaled to length 1. @returns `[H]` */
export function unitVector(pooled: Float64Array): Float32Array {
  const length = Math.hypot(...pooled);
  return Float32Array.from(pooled, (value) => (length === 0 ? 0 : value / length));
}
