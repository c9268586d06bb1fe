/** [dsl/kernels] Problems of `pagedVerify` and what must come out, by plain loops over each query. No kernel is defined here. */
import type { KernelInputs, Problem, ReferenceCall, Sequence } from "./define-kernel-entry.ts";
import { dimOf, dtypeOf, scalarOf, tensorOf } from "./define-kernel-entry.ts";
import { LOWEST } from "./lazy-softmax.ts";
import {
  attendNaively,
  attentionScale,
  attentionTolerance,
  pagedCache,
  pagedReader,
  pagesNeeded,
  sequencesOf,
  softcapOf,
  valueReader,
  valueScale,
} from "./paged-samples.ts";
import { type DecodeDims, type Piece, piecesOf } from "./piece-samples.ts";
import {
  editable,
  elementAt,
  hostTensor,
  intTensor,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/** @param most queries of a sequence that there is room for */
function verifyProblem(
  name: string,
  seed: number,
  sequences: readonly Sequence[],
  { hkv, g, d, page, programs, most }: DecodeDims & { readonly most: number },
  rest: Partial<Problem> = {},
): Omit<Problem, "dtypes"> {
  const s = sequences.length;
  const dims = {
    N: sequences.reduce((n, { queries }) => n + queries, 0),
    S: s,
    S1: s + 1,
    HKV: hkv,
    G: g,
    D: d,
    PAGE: page,
    NB: pagesNeeded(sequences, page),
    MAXB: Math.ceil(Math.max(0, ...sequences.map(({ length }) => length)) / page) + 1,
    P: s + programs,
    R: most * g,
  };
  return { name, seed, sequences, dims, ...rest };
}

const seq = (queries: number, length: number): Sequence => ({ queries, length });

export const VERIFY_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  verifyProblem("no sequences", 1, [], { hkv: 1, g: 1, d: 16, page: 4, programs: 1, most: 2 }),
  verifyProblem(
    "one to four queries, padding, nothing before them",
    2,
    [seq(4, 4), seq(0, 0), seq(1, 37), seq(3, 130), seq(2, 16), seq(0, 0)],
    { hkv: 2, g: 2, d: 16, page: 8, programs: 4, most: 4 },
    { config: { BS: 4, LEAST: 2, BJ: 4 } },
  ),
  verifyProblem(
    "eight queries in two programs, window, soft cap",
    3,
    [seq(8, 70), seq(5, 21), seq(2, 61)],
    { hkv: 1, g: 4, d: 32, page: 4, programs: 5, most: 8 },
    { config: { BJ: 4, SOFTCAP: 1.5 }, options: { window: 19 } },
  ),
  verifyProblem(
    "32 rows, head dim 128",
    4,
    [seq(8, 200), seq(7, 64)],
    { hkv: 2, g: 4, d: 128, page: 16, programs: 3, most: 8 },
    { config: { GP: 32, BN: 64, BS: 256, BJ: 16 } },
  ),
];

const windowOf = (problem: Problem): number => problem.options?.["window"] ?? 0;
const mostOf = (problem: Problem): number => dimOf(problem, "R") / dimOf(problem, "G");

/** The problem with the window that all queries of a sequence have together. */
function withReach(problem: Problem): Problem {
  const window = windowOf(problem);
  if (window === 0) return problem;
  return { ...problem, options: { ...problem.options, window: window + mostOf(problem) - 1 } };
}

/** Positions that query `i` of a sequence attends to: from `first` to before `end`. */
function rangeOf(problem: Problem, { queries, length }: Sequence, i: number) {
  const end = length - queries + i + 1;
  const window = windowOf(problem);
  return { first: window > 0 ? Math.max(0, end - window) : 0, end };
}

/** Over all queries of all sequences. */
export function attendedKeys(problem: Problem): number {
  return sequencesOf(problem).reduce((total, sequence) => {
    const ranges = Array.from({ length: sequence.queries }, (_, i) =>
      rangeOf(problem, sequence, i),
    );
    return total + ranges.reduce((n, { first, end }) => n + end - first, 0);
  }, 0);
}

export function verifyInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const sizeOf = (...dims: readonly string[]) => dims.map((dim) => dimOf(problem, dim));
  const starts = [0];
  for (const { queries } of sequences) starts.push((starts.at(-1) ?? 0) + queries);
  const seenFrom = (sequence: Sequence): number =>
    sequence.queries === 0 ? sequence.length : rangeOf(problem, sequence, 0).first;
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), sizeOf("N", "HKV", "G", "D")),
      ...pagedCache(problem, random, seenFrom),
      queryStart: intTensor(starts),
      lens: intTensor(sequences.map(({ length }) => length)),
      partial: hostTensor("f32", sizeOf("P", "HKV", "R", "D"), () => Number.NaN),
      lse: hostTensor("f32", sizeOf("P", "HKV", "R"), () => Number.NaN),
      arrived: hostTensor("i32", sizeOf("S", "HKV", "R"), () => 0),
    },
    scalars: {
      scale: attentionScale(dimOf(problem, "D")),
      vScale: valueScale(problem),
      window: windowOf(problem),
    },
  };
}

/** Query `i` of head g over the part of its keys that a piece has. */
function attendPiece(
  call: ReferenceCall,
  piece: Omit<Piece, "number">,
  h: number,
  i: number,
  g: number,
) {
  const { problem } = call;
  const [q, table] = [tensorOf(call, "q"), tensorOf(call, "table")];
  const sequence = sequencesOf(problem)[piece.sequence] ?? { queries: 0, length: 0 };
  const first = elementAt(tensorOf(call, "queryStart"), piece.sequence);
  const own = i < sequence.queries ? rangeOf(problem, sequence, i) : { first: 0, end: 0 };
  const d = dimOf(problem, "D");
  const query = Array.from({ length: d }, (_, c) =>
    i < sequence.queries ? elementAt(q, first + i, h, g, c) : 0,
  );
  return attendNaively(
    query,
    Math.max(piece.first, own.first),
    Math.min(piece.end, own.end),
    scalarOf(call, "scale"),
    pagedReader(tensorOf(call, "kCache"), table, piece.sequence, h),
    valueReader(call, piece.sequence, h),
    { softcap: softcapOf(problem) },
  );
}

/** @param defaults config of the kernel */
export function verifyReference(
  call: ReferenceCall,
  defaults: Readonly<Record<string, number | boolean>>,
) {
  const { problem } = call;
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const o = editable(tensorOf(call, "o"));
  const [heads, group, most] = [dimOf(problem, "HKV"), dimOf(problem, "G"), mostOf(problem)];
  const rows = (count: number, visit: (h: number, i: number, g: number) => void): void => {
    for (let h = 0; h < heads; h++)
      for (let r = 0; r < count * group; r++) visit(h, Math.floor(r / group), r % group);
  };
  const factor = softcapOf(problem) || scalarOf(call, "scale");
  const none = LOWEST * factor * Math.LOG2E;
  const pieces = piecesOf(withReach(problem), defaults);
  for (const piece of pieces) {
    if (pieces.filter(({ sequence }) => sequence === piece.sequence).length === 1) continue;
    rows(most, (h, i, g) => {
      const { output, logSum } = attendPiece(call, piece, h, i, g);
      partial.setRow(output, piece.number, h, i * group + g);
      lse.set(Number.isFinite(logSum) ? logSum : none, piece.number, h, i * group + g);
    });
  }
  let start = 0;
  sequencesOf(problem).forEach(({ queries, length: end }, sequence) => {
    rows(queries, (h, i, g) => {
      const { output } = attendPiece(call, { sequence, first: 0, end }, h, i, g);
      o.setRow(output, start + i, h, g);
    });
    start += queries;
  });
  const length = dimOf(problem, "MAXB") * dimOf(problem, "PAGE");
  const tolerance = attentionTolerance(tensorOf(call, "q").dtype, length);
  return {
    partial: { data: partial.data, tolerance },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
    arrived: { data: tensorOf(call, "arrived").data, tolerance: { kind: "exact" as const } },
    o: { data: o.data, tolerance },
  };
}
