/** [dsl/kernels] What the kernels of latent attention share: paged latents with poison, queries, naive attention. No kernel is defined here. */
import {
  dimOf,
  dtypeOf,
  type HostTensor,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  type AttentionRow,
  attendNaively,
  POISON_PAGE,
  pagesNeeded,
  sequencesOf,
} from "./paged-samples.ts";
import { editable, elementAt, hostTensor, permutation, type RandomSource } from "./sample-data.ts";

export interface LatentSizes {
  readonly heads: number;
  /** Rank of the latent, and rotated dims of a key. */
  readonly rank: number;
  readonly rotary: number;
  readonly page: number;
}

/** Dims of a problem over the sequences. */
export function latentDims(
  sequences: NonNullable<Problem["sequences"]>,
  { heads, rank, rotary, page }: LatentSizes,
) {
  return {
    S: sequences.length,
    H: heads,
    R: rank,
    DR: rotary,
    PAGE: page,
    NB: pagesNeeded(sequences, page),
    MAXB: Math.ceil(Math.max(0, ...sequences.map(({ length }) => length)) / page) + 1,
  };
}

/** Caches in which every sequence owns shuffled pages; what no sequence covers is NaN, and so are pages of the table past its own. */
export function latentCache(problem: Problem, random: RandomSource) {
  const sequences = sequencesOf(problem);
  const dtype = dtypeOf(problem, "T");
  const [pages, page, maxb] = [
    dimOf(problem, "NB"),
    dimOf(problem, "PAGE"),
    dimOf(problem, "MAXB"),
  ];
  const [rank, rotary] = [dimOf(problem, "R"), dimOf(problem, "DR")];
  const free = [...permutation(random, pages)];
  const table = editable(hostTensor("i32", [sequences.length, maxb], () => POISON_PAGE));
  const shapes = { latents: [pages, page, rank], ropes: [pages, page, rotary] };
  const latents = editable(hostTensor(dtype, shapes.latents, () => Number.NaN));
  const ropes = editable(hostTensor(dtype, shapes.ropes, () => Number.NaN));
  sequences.forEach(({ length }, s) => {
    for (let b = 0; b * page < length; b++) table.set(free.pop() ?? 0, s, b);
    for (let t = 0; t < length; t++) {
      const block = table.data[s * maxb + Math.floor(t / page)] ?? 0;
      for (let i = 0; i < rank; i++) latents.set(random.normal(), block, t % page, i);
      for (let i = 0; i < rotary; i++) ropes.set(random.normal(), block, t % page, i);
    }
  });
  return {
    latents: { dtype, shape: shapes.latents, data: latents.data },
    ropes: { dtype, shape: shapes.ropes, data: ropes.data },
    table: { dtype: "i32" as const, shape: [sequences.length, maxb], data: table.data },
  };
}

/** One query head over positions [first, end) of a sequence; the output is `[R]`. */
export function attendLatents(
  call: ReferenceCall,
  sequence: number,
  query: readonly number[],
  first: number,
  end: number,
): AttentionRow {
  const rank = dimOf(call.problem, "R");
  const page = dimOf(call.problem, "PAGE");
  const [latents, ropes] = [tensorOf(call, "latents"), tensorOf(call, "ropes")];
  const read = (cache: HostTensor, t: number, d: number) => {
    const block = elementAt(tensorOf(call, "table"), sequence, Math.floor(t / page));
    return elementAt(cache, block, t % page, d);
  };
  const keyAt = (t: number, d: number) =>
    d < rank ? read(latents, t, d) : read(ropes, t, d - rank);
  const valueAt = (t: number, d: number) => (d < rank ? read(latents, t, d) : 0);
  const row = attendNaively(query, first, end, scalarOf(call, "scale"), keyAt, valueAt);
  return { ...row, output: row.output.slice(0, rank) };
}
