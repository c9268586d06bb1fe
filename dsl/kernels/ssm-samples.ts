/** [dsl/kernels] What the state-space kernels share: batches with state slots, seeded data, poison. No kernel is defined here. */
import {
  dimOf,
  dtypeOf,
  type HostTensor,
  type Problem,
  type ReferenceCall,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import { POISON_PAGE, sequencesOf } from "./paged-samples.ts";
import {
  hostTensor,
  intTensor,
  permutation,
  type RandomSource,
  randomTensor,
} from "./sample-data.ts";

/** Slots that no sequence owns. */
const SPARE_SLOTS = 2;

/** Dims of a batch. */
export function batchDims(sequences: readonly Sequence[]) {
  return {
    N: sequences.reduce((n, { queries }) => n + queries, 0),
    S: sequences.length,
    S1: sequences.length + 1,
    NB: sequences.length + SPARE_SLOTS,
    MAXB: 2,
  };
}

/** Table, row starts and lengths of the batch; every sequence owns one slot, the first entry of its row of the table. */
export function batchTensors(problem: Problem, random: RandomSource) {
  const sequences = sequencesOf(problem);
  const slots = permutation(random, dimOf(problem, "NB"));
  const starts = [0];
  for (const { queries } of sequences) starts.push((starts.at(-1) ?? 0) + queries);
  const table = sequences.flatMap((_, s) => [slots[s] ?? 0, POISON_PAGE]);
  return {
    table: { ...intTensor(table), shape: [sequences.length, 2] },
    queryStart: intTensor(starts),
    lens: intTensor(sequences.map(({ length }) => length)),
  };
}

/** States of one layer: random where a sequence has a past, NaN in every other slot. */
export function stateTensor(
  problem: Problem,
  random: RandomSource,
  table: HostTensor,
  dtype: HostTensor["dtype"],
  shape: readonly number[],
): HostTensor {
  const sequences = sequencesOf(problem);
  const owners = new Map(sequences.map((sequence, s) => [table.data[2 * s] ?? -1, sequence]));
  const size = shape.slice(1).reduce((n, d) => n * d, 1);
  return hostTensor(dtype, shape, (i) => {
    const owner = owners.get(Math.floor(i / size));
    return owner === undefined || pastOf(owner) === 0 ? Number.NaN : random.normal();
  });
}

export function pastOf({ queries, length }: Sequence): number {
  return length - queries;
}

/** A sequence of a call with its slot and first row. */
export interface PlacedSequence extends Sequence {
  readonly slot: number;
  readonly row: number;
  readonly past: number;
}

export function placedSequences(call: ReferenceCall): readonly PlacedSequence[] {
  const table = tensorOf(call, "table").data;
  let row = 0;
  return sequencesOf(call.problem).map((sequence, s) => {
    const placed = { ...sequence, slot: table[2 * s] ?? -1, row, past: pastOf(sequence) };
    row += sequence.queries;
    return placed;
  });
}

/** What the scan kernels read beside the batch: `H` heads of `P`, states of `NS`, `G` groups. */
export function scanTensors(problem: Problem, random: RandomSource) {
  const dtype = dtypeOf(problem, "T");
  const [n, h, c, w] = ["N", "H", "C", "W"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    x: randomTensor(random, dtype, [n, c]),
    proj: randomTensor(random, dtype, [n, w]),
    heads: hostTensor("f32", [3, h], (i) => {
      if (i < h) return Math.log(1 + 3 * random.uniform());
      return random.normal() - (i < 2 * h ? 0 : 2);
    }),
  };
}

export const DT_RANGE = { dtMin: Math.fround(0.01), dtMax: Math.fround(3e38) } as const;
