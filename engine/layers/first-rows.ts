/** [engine/layers] The first sequences of a step as a step of their own, where the others take another form. */
import type { StepBatch } from "./batch.ts";

/** Sequences and rows before the first one that takes another form. */
export interface Others {
  readonly numOthers: number;
  readonly numOtherRows: number;
}

/** A step of the sequences before the others; tensors may have more rows behind. */
export function firstOf(batch: StepBatch, { numOthers, numOtherRows }: Others): StepBatch {
  const { positions, table, queryStart, lens } = batch;
  return {
    ...batch,
    numTokens: numOtherRows,
    numSequences: numOthers,
    isDecode: numOtherRows === numOthers,
    positions: { ...positions, shape: [numOtherRows] },
    table: { ...table, shape: [numOthers, ...table.shape.slice(1)] },
    queryStart: { ...queryStart, shape: [numOthers + 1] },
    lens: { ...lens, shape: [numOthers] },
  };
}
