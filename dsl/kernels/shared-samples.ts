/** [dsl/kernels] Problems of the decodes with a shared beginning, and what must come out, by plain loops. No kernel is defined here. */
import type { KernelInputs, Problem, ReferenceCall, Sequence } from "./define-kernel-entry.ts";
import { dimOf, dtypeOf, scalarOf, tensorOf } from "./define-kernel-entry.ts";
import { pieceOf } from "./paged-decode.ts";
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
  type RandomSource,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/** Sequences that share their first `tokens` positions, a multiple of the page. */
interface Group {
  readonly rows: number;
  readonly tokens: number;
}

/** Sequences of a tile, and what they share. */
export interface Tile {
  readonly members: readonly number[];
  readonly length: number;
  /** Of the tiles of its group. */
  readonly isFirst: boolean;
}

/** @param most sequences of a tile @param spare tiles that nothing is in */
function sharedProblem(
  name: string,
  seed: number,
  lens: readonly number[],
  groups: readonly Group[],
  {
    hkv,
    g,
    d,
    page,
    programs,
    most,
    spare = 0,
  }: DecodeDims & { readonly most: number; readonly spare?: number },
  rest: Partial<Problem> = {},
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const tiles = groups.reduce((n, { rows }) => n + Math.ceil(rows / most), spare);
  const [first, second] = groups;
  return {
    name,
    seed,
    sequences,
    dims: {
      S: lens.length,
      HKV: hkv,
      G: g,
      D: d,
      PAGE: page,
      NB: pagesNeeded(sequences, page),
      MAXB: Math.ceil(Math.max(0, ...lens) / page) + 1,
      B: tiles,
      M: most,
      R: most * g,
      P: lens.length + programs,
      PB: tiles + programs,
    },
    ...rest,
    options: {
      firstRows: first?.rows ?? 0,
      firstTokens: first?.tokens ?? 0,
      secondRows: second?.rows ?? 0,
      secondTokens: second?.tokens ?? 0,
      ...rest.options,
    },
  };
}

const NONE = { hkv: 1, g: 2, d: 16, page: 4, programs: 2, most: 4, spare: 1 };
const SMALL = { GP: 16, BN: 16, SN: 16 };

/** Without what only one of the kernels has. */
function without(dims: readonly string[], config: readonly string[]) {
  return (problem: Omit<Problem, "dtypes">): Omit<Problem, "dtypes"> => ({
    ...problem,
    dims: Object.fromEntries(Object.entries(problem.dims).filter(([name]) => !dims.includes(name))),
    config: Object.fromEntries(
      Object.entries(problem.config ?? {}).filter(([name]) => !config.includes(name)),
    ),
  });
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  sharedProblem("nothing shared", 1, [5, 0, 19], [], NONE, { config: SMALL }),
  sharedProblem(
    "one sequence, all of it shared",
    2,
    [16],
    [{ rows: 1, tokens: 16 }],
    { hkv: 1, g: 1, d: 16, page: 4, programs: 3, most: 16 },
    { config: SMALL },
  ),
  sharedProblem(
    "two groups, loners, padding, ends inside a block",
    3,
    [0, 41, 3, 0, 21, 30, 130, 45, 61, 44, 90],
    [
      { rows: 5, tokens: 44 },
      { rows: 2, tokens: 20 },
    ],
    { hkv: 2, g: 2, d: 16, page: 4, programs: 4, most: 3, spare: 2 },
    { config: { ...SMALL, BS: 4, LEAST: 2 } },
  ),
  sharedProblem(
    "rows of several programs, soft cap",
    4,
    [40, 33, 64, 50, 37, 32],
    [{ rows: 6, tokens: 32 }],
    { hkv: 1, g: 7, d: 80, page: 16, programs: 3, most: 5 },
    { config: { ...SMALL, SOFTCAP: 1.5 } },
  ),
  sharedProblem(
    "large scores, blocks that differ, head dim 128",
    5,
    [30, 200, 178, 165, 163, 160],
    [{ rows: 5, tokens: 160 }],
    { hkv: 1, g: 4, d: 128, page: 16, programs: 3, most: 16 },
    { config: { GP: 64, BN: 32, SN: 64, BS: 256 }, options: { spread: 4 } },
  ),
];

// The tile's rows and blocks are those of the config in the kernel over what is shared, where BN and P mean its own.
export const PREFIX_SHAPES = SHAPES.map((problem) => {
  const { SN = 16, ...config } = problem.config ?? {};
  const { PB = 0, ...dims } = problem.dims;
  return { ...problem, dims: { ...dims, P: PB }, config: { ...config, BN: SN } };
});
export const SUFFIX_SHAPES = SHAPES.map(without(["B", "M", "R", "PB"], ["SN"])).map((problem) => ({
  ...problem,
  config: { ...problem.config, GP: 16 },
}));
export const MERGE_SHAPES = SHAPES.map(without(["PAGE", "NB", "MAXB", "M"], ["SOFTCAP"])).map(
  (problem) => ({ ...problem, config: { ...problem.config, GP: 4, BJ: 4 } }),
);

function groupsOf({ options = {} }: Problem): readonly Group[] {
  const { firstRows = 0, firstTokens = 0, secondRows = 0, secondTokens = 0 } = options;
  return [
    { rows: firstRows, tokens: firstTokens },
    { rows: secondRows, tokens: secondTokens },
  ];
}

/** Sequences of each group: from the last one down, so that their order is not that of their places. */
function membersOf(
  problem: Problem,
): readonly { readonly rows: number[]; readonly tokens: number }[] {
  let next = sequencesOf(problem).length;
  return groupsOf(problem).map(({ rows, tokens }) => ({
    tokens,
    rows: Array.from({ length: rows }, () => {
      next -= 1;
      return next;
    }),
  }));
}

/** Sequences of a tile at most. */
export function mostOf(problem: Problem): number {
  return dimOf(problem, "R") / dimOf(problem, "G");
}

/** Tiles in the order of their numbers, without those that are spare. */
export function tilesOf(problem: Problem): readonly Tile[] {
  const most = mostOf(problem);
  return membersOf(problem).flatMap(({ rows, tokens }) =>
    Array.from({ length: Math.ceil(rows.length / most) }, (_, i) => ({
      members: rows.slice(i * most, (i + 1) * most),
      length: tokens,
      isFirst: i === 0,
    })),
  );
}

/** Positions that each sequence shares. */
function sharedLengths(problem: Problem): readonly number[] {
  const shared = sequencesOf(problem).map(() => 0);
  for (const { rows, tokens } of membersOf(problem)) for (const row of rows) shared[row] = tokens;
  return shared;
}

/** And those behind. */
export function ownLengths(problem: Problem): readonly number[] {
  const shared = sharedLengths(problem);
  return sequencesOf(problem).map(({ length }, s) => length - (shared[s] ?? 0));
}

export function tileLengths(problem: Problem): readonly number[] {
  const tiles = tilesOf(problem);
  return Array.from({ length: dimOf(problem, "B") }, (_, b) => tiles[b]?.length ?? 0);
}

function piecesOfLine(
  problem: Problem,
  lengths: readonly number[],
  rows: number,
  BN: number | boolean | undefined,
  defaults: Readonly<Record<string, number | boolean>>,
): readonly Piece[] {
  const config = { ...problem.config, ...(BN === undefined ? {} : { BN }) };
  return piecesOf(
    {
      ...problem,
      config,
      sequences: lengths.map((length) => ({ queries: 1, length })),
      dims: { ...problem.dims, S: lengths.length, P: rows },
    },
    defaults,
  );
}

/** Pieces of what the tiles share; `sequence` is the tile. */
export function prefixPieces(
  problem: Problem,
  defaults: Readonly<Record<string, number | boolean>>,
): readonly Piece[] {
  const rows = problem.dims["PB"] ?? dimOf(problem, "P");
  const { SN } = { ...defaults, ...problem.config };
  return piecesOfLine(problem, tileLengths(problem), rows, SN, defaults);
}

/** Pieces behind; positions count from the end of what is shared. */
export function suffixPieces(
  problem: Problem,
  defaults: Readonly<Record<string, number | boolean>>,
): readonly Piece[] {
  return piecesOfLine(problem, ownLengths(problem), dimOf(problem, "P"), undefined, defaults);
}

/** Caches in which the sequences of a group begin with the same pages; their own copies of these hold NaN. */
function sharedCache(problem: Problem, random: RandomSource, reads: "shared" | "own") {
  const sequences = sequencesOf(problem);
  const shared = sharedLengths(problem);
  const leaders = new Set(membersOf(problem).map(({ rows }) => rows[0]));
  const firstRead = (sequence: Sequence): number => {
    const s = sequences.indexOf(sequence);
    const isOwn = reads === "own" || !leaders.has(s);
    return isOwn ? (shared[s] ?? 0) : 0;
  };
  const { table, ...caches } = pagedCache(problem, random, firstRead);
  const pages = editable(table);
  const page = dimOf(problem, "PAGE");
  for (const { rows, tokens } of membersOf(problem))
    for (const row of rows)
      for (let b = 0; b * page < tokens; b++) pages.set(elementAt(table, rows[0] ?? 0, b), row, b);
  return { ...caches, table: { ...table, data: pages.data } };
}

function queriesOf(problem: Problem, random: RandomSource) {
  const shape = ["S", "HKV", "G", "D"].map((dim) => dimOf(problem, dim));
  return randomTensor(random, dtypeOf(problem, "T"), shape, problem.options?.["spread"] ?? 1);
}

export function prefixInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [b, m] = [dimOf(problem, "B"), dimOf(problem, "M")];
  const tiles = tilesOf(problem);
  const member = (i: number) => tiles[Math.floor(i / m)]?.members[i % m] ?? -1;
  return {
    tensors: {
      q: queriesOf(problem, random),
      ...sharedCache(problem, random, "shared"),
      members: hostTensor("i32", [b, m], member),
      tileLens: intTensor(tileLengths(problem)),
      shared: intTensor(sharedLengths(problem)),
    },
    scalars: { scale: attentionScale(dimOf(problem, "D")), vScale: valueScale(problem) },
  };
}

export function suffixInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  return {
    tensors: {
      q: queriesOf(problem, random),
      ...sharedCache(problem, random, "own"),
      lens: intTensor(sequencesOf(problem).map(({ length }) => length)),
      own: intTensor(ownLengths(problem)),
    },
    scalars: { scale: attentionScale(dimOf(problem, "D")), vScale: valueScale(problem) },
  };
}

/** Places without a sequence count as a query of zeros. */
export function prefixReference(
  call: ReferenceCall,
  defaults: Readonly<Record<string, number | boolean>>,
) {
  const { problem } = call;
  const [q, table] = [tensorOf(call, "q"), tensorOf(call, "table")];
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const [g, d] = [dimOf(problem, "G"), dimOf(problem, "D")];
  const tiles = tilesOf(problem);
  for (const { number, sequence: tile, first, end } of prefixPieces(problem, defaults)) {
    const { members } = tiles[tile] ?? { members: [] };
    const leader = members[0] ?? 0;
    for (let h = 0; h < dimOf(problem, "HKV"); h++) {
      const keyAt = pagedReader(tensorOf(call, "kCache"), table, leader, h);
      const valueAt = valueReader(call, leader, h);
      for (let r = 0; r < dimOf(problem, "R"); r++) {
        const row = members[Math.floor(r / g)];
        const query = Array.from({ length: d }, (_, c) =>
          row === undefined ? 0 : elementAt(q, row, h, r % g, c),
        );
        const scale = scalarOf(call, "scale");
        const softcap = softcapOf(problem);
        const { output, logSum } = attendNaively(query, first, end, scale, keyAt, valueAt, {
          softcap,
        });
        partial.setRow(output, number, h, r);
        lse.set(logSum, number, h, r);
      }
    }
  }
  return expectedPieces(call, partial.data, lse.data);
}

export function suffixReference(
  call: ReferenceCall,
  defaults: Readonly<Record<string, number | boolean>>,
) {
  const { problem } = call;
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const shared = sharedLengths(problem);
  for (const { number, sequence, first, end } of suffixPieces(problem, defaults)) {
    const skip = shared[sequence] ?? 0;
    const row = pieceOf(call, { sequence, first: first + skip, end: end + skip });
    for (let h = 0; h < dimOf(problem, "HKV"); h++)
      for (let g = 0; g < dimOf(problem, "G"); g++) {
        const { output, logSum } = row(h, g);
        partial.setRow(output, number, h, g);
        lse.set(logSum, number, h, g);
      }
  }
  return expectedPieces(call, partial.data, lse.data);
}

function expectedPieces(call: ReferenceCall, partial: Float64Array, lse: Float64Array) {
  const { problem } = call;
  const length = dimOf(problem, "MAXB") * dimOf(problem, "PAGE");
  const tolerance = attentionTolerance(tensorOf(call, "q").dtype, length);
  return {
    partial: { data: partial, tolerance },
    lse: { data: lse, tolerance: { kind: "rounding" as const, length, scale: 16 } },
  };
}
