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
import {
  editable,
  elementAt,
  hostTensor,
  intTensor,
  permutation,
  type RandomSource,
} from "./sample-data.ts";

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

/** Positions of the tokens, and the table of their angles; rows of positions that do not occur are poison. */
export function angleTensors(problem: Problem, random: RandomSource) {
  const [n, d2, p] = [dimOf(problem, "N"), dimOf(problem, "D2"), dimOf(problem, "P")];
  const positions = Array.from({ length: n }, () => random.integer(0, p));
  const used = new Set(positions);
  return {
    positions: intTensor(positions),
    cosSin: hostTensor("f32", [p, 2, d2], (index) => {
      const row = Math.floor(index / (2 * d2));
      if (!used.has(row)) return Number.NaN;
      const theta = row * 10000 ** (-(index % d2) / d2);
      return index % (2 * d2) < d2 ? Math.cos(theta) : Math.sin(theta);
    }),
  };
}

/** The rotated dims of one token, halves one after the other. @param at element i of what is rotated */
export function rotatedPairs(
  call: ReferenceCall,
  n: number,
  at: (i: number) => number,
): readonly number[] {
  const cosSin = tensorOf(call, "cosSin");
  const d2 = dimOf(call.problem, "D2");
  const row = elementAt(tensorOf(call, "positions"), n);
  const isInterleaved = call.problem.config?.["INTERLEAVED"] !== false;
  return Array.from({ length: 2 * d2 }, (_, d) => {
    const i = d % d2;
    const [cos, sin] = [elementAt(cosSin, row, 0, i), elementAt(cosSin, row, 1, i)];
    const [x, y] = isInterleaved ? [at(2 * i), at(2 * i + 1)] : [at(i), at(i + d2)];
    return d < d2 ? x * cos - y * sin : y * cos + x * sin;
  });
}
