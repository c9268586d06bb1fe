/** [dsl/kernels] Attention of one query a sequence over a paged cache, split over the keys. paged-decode-merge.ts puts the pieces together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out } from "../language.ts";
import { all, cdiv, span, store } from "../ops/catalogue.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import {
  attendKeys,
  DECODE_CONFIG,
  DECODE_PARAMS,
  DECODE_TUNE,
  decodeQueries,
  shareOfProgram,
  walkShare,
} from "./decode-shares.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  attendNaively,
  attentionScale,
  attentionTolerance,
  pagedCache,
  pagedReader,
  sequencesOf,
  softcapOf,
  valueReader,
  valueScale,
} from "./paged-samples.ts";
import {
  attendedTokens,
  decodeProblem,
  type Piece,
  piecesOf,
  windowStart,
} from "./piece-samples.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Every program takes an equal share of the line of all blocks of BN keys (decode-line.ts), whatever the lengths; a share is LEAST blocks or
 * more where there are enough. The G query heads of a kv head are the rows of one tile, of GP rows, so that keys and values are read
 * once for all of them; more than GP heads take several programs. `pagedDecodeMerge` puts the pieces of a sequence together.
 * With a config SOFTCAP above 0 each score s counts as SOFTCAP · tanh(s / SOFTCAP).
 * The running maximum of a row may lag behind the largest score by a factor of 256: sums are scaled anew only where it grew by more.
 * The default blocks fit the least shared memory; `decodeConfig` gives those that suit a device.
 * @param q `[S, HKV, G, D]`: query heads grouped by their kv head
 * @param kCache `[NB, PAGE, HKV, D]`; slots past a length are never read
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param lens i32 `[S]`: tokens of each sequence, the query's own included; 0 for a padding row
 * @param scale factor of the scores, above 0; usually 1/√D; where cached keys of 8 bits have a scale, times that
 * @param vScale what cached values of 8 bits are multiplied by; not looked at for other caches
 * @param window positions attended to, the query's own included; 0 for all
 * @returns partial f32 `[P, HKV, G, D]`, P = S + programs of a head: normalised output of piece sequence + share; what is no piece is not written.
 *   lse f32 `[P, HKV, G]`: log2 of a piece's sum of exponentials
 * @source arXiv 2309.06180 (paged keys and values); Flash-Decoding, crfm.stanford.edu/2023/10/12/flashdecoding.html (split keys)
 */
export const pagedDecode = kernel(
  {
    name: "paged_decode",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      ...DECODE_PARAMS,
      partial: out("f32", "P", "HKV", "G", "D"),
      lse: out("f32", "P", "HKV", "G"),
    },
    config: DECODE_CONFIG,
    tune: DECODE_TUNE,
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, G, P }, { GP }) => [HKV * cdiv(G, GP), P - S],
  },
  (args, config) => {
    const { partial, lse, window, P, S, G, D } = args;
    const { GP } = config;
    const line = { rows: G, window, programs: P - S };
    const own = shareOfProgram(args, config, line);
    const { h, g, share } = own;
    walkShare(args, config, line, own, (reach) => {
      const queries = decodeQueries(args, config, reach, own);
      const { value, logSum } = attendKeys(args, config, reach, h, queries);
      store(partial, [reach.s + share, h, span(g, GP), all(D)], value);
      store(lse, [reach.s + share, h, span(g, GP)], logSum);
    });
  },
);

const SMALL = { GP: 16, BN: 16 };

export const DECODE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  decodeProblem(
    "no sequences",
    1,
    [],
    { hkv: 1, g: 1, d: 16, page: 4, programs: 1 },
    { config: SMALL },
  ),
  decodeProblem(
    "one token",
    2,
    [1],
    { hkv: 1, g: 1, d: 8, page: 4, programs: 1 },
    { config: SMALL },
  ),
  decodeProblem(
    "padding rows",
    3,
    [0, 5, 0],
    { hkv: 2, g: 2, d: 16, page: 4, programs: 2 },
    { config: SMALL },
  ),
  decodeProblem(
    "block - 1, block, block + 1",
    4,
    [15, 16, 17],
    { hkv: 1, g: 4, d: 64, page: 16, programs: 1 },
    { config: SMALL },
  ),
  decodeProblem(
    "more programs than blocks",
    5,
    [33, 3],
    { hkv: 1, g: 7, d: 80, page: 4, programs: 5 },
    { config: SMALL },
  ),
  decodeProblem(
    "window",
    6,
    [40, 5, 7],
    { hkv: 2, g: 1, d: 16, page: 4, programs: 2 },
    {
      config: SMALL,
      options: { window: 7 },
    },
  ),
  decodeProblem(
    "group of 17",
    9,
    [21],
    { hkv: 2, g: 17, d: 16, page: 4, programs: 2 },
    { config: SMALL },
  ),
  decodeProblem(
    "rows not padded to 16",
    7,
    [37],
    { hkv: 1, g: 4, d: 16, page: 4, programs: 3 },
    {
      config: { GP: 4, BN: 16 },
    },
  ),
  decodeProblem(
    "head dim 128",
    10,
    [35],
    { hkv: 1, g: 4, d: 128, page: 16, programs: 2 },
    { config: { GP: 8, BN: 16 } },
  ),
  decodeProblem(
    "large blocks, head dim 128",
    8,
    [130, 61],
    { hkv: 2, g: 4, d: 128, page: 16, programs: 2 },
    { config: { GP: 16, BN: 64, BS: 256 } },
  ),
  decodeProblem(
    "soft cap",
    12,
    [21, 3],
    { hkv: 2, g: 2, d: 16, page: 4, programs: 2 },
    { config: { ...SMALL, SOFTCAP: 1.5 } },
  ),
  decodeProblem(
    "head dim 256",
    13,
    [19],
    { hkv: 1, g: 4, d: 256, page: 16, programs: 2 },
    { config: { GP: 4, BN: 8, stages: 1 } },
  ),
  decodeProblem("default blocks", 11, [47, 16], { hkv: 2, g: 4, d: 64, page: 16, programs: 2 }),
];

/** What all dtypes compute alike. */
export const MORE_DECODE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  decodeProblem(
    "pieces of several sequences",
    14,
    [37, 0, 1, 130, 16, 5],
    { hkv: 1, g: 2, d: 16, page: 8, programs: 4 },
    { config: { ...SMALL, BS: 4, LEAST: 2 } },
  ),
  decodeProblem(
    "programs a multiple of the sequences",
    16,
    [45, 130, 0, 45],
    { hkv: 1, g: 2, d: 16, page: 8, programs: 8 },
    { config: SMALL },
  ),
  decodeProblem(
    "scores of 10000",
    15,
    [33, 18],
    { hkv: 1, g: 4, d: 64, page: 16, programs: 2 },
    { config: SMALL, options: { spread: 10000 } },
  ),
];

/** What may differ where pages hold bytes. */
const BYTE_SHAPES = DECODE_SHAPES.filter(({ name }) =>
  ["window", "large blocks, head dim 128", "default blocks"].includes(name),
);

export function decodeInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const shape = ["S", "HKV", "G", "D"].map((dim) => dimOf(problem, dim));
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), shape, problem.options?.["spread"] ?? 1),
      ...pagedCache(problem, random, ({ length }) => windowStart(problem, length)),
      lens: intTensor(sequences.map(({ length }) => length)),
    },
    scalars: {
      scale: attentionScale(dimOf(problem, "D")),
      vScale: valueScale(problem),
      window: problem.options?.["window"] ?? 0,
    },
  };
}

/** A piece of each query head, by plain loops. @param sinkOf score of no key of a query head of a kv head */
export function pieceOf(
  call: ReferenceCall,
  piece: Omit<Piece, "number">,
  sinkOf: (kvHead: number, index: number) => number = () => Number.NEGATIVE_INFINITY,
) {
  const [q, table] = [tensorOf(call, "q"), tensorOf(call, "table")];
  const d = q.shape[3] ?? 0;
  const softcap = softcapOf(call.problem);
  return (h: number, g: number) => {
    const keyAt = pagedReader(tensorOf(call, "kCache"), table, piece.sequence, h);
    const valueAt = valueReader(call, piece.sequence, h);
    const query = Array.from({ length: d }, (_, c) => elementAt(q, piece.sequence, h, g, c));
    return attendNaively(query, piece.first, piece.end, scalarOf(call, "scale"), keyAt, valueAt, {
      softcap,
      sink: sinkOf(h, g),
    });
  };
}

function reference(call: ReferenceCall) {
  const { problem } = call;
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const [hkv, group] = [dimOf(problem, "HKV"), dimOf(problem, "G")];
  for (const piece of piecesOf(problem, pagedDecode.config)) {
    const row = pieceOf(call, piece);
    for (let h = 0; h < hkv; h++)
      for (let g = 0; g < group; g++) {
        const { output, logSum } = row(h, g);
        partial.setRow(output, piece.number, h, g);
        lse.set(logSum, piece.number, h, g);
      }
  }
  const length = dimOf(problem, "MAXB") * dimOf(problem, "PAGE");
  return {
    partial: {
      data: partial.data,
      tolerance: attentionTolerance(tensorOf(call, "q").dtype, length),
    },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
  };
}

export const pagedDecodeEntry = defineKernelEntry({
  kernel: pagedDecode,
  samples: [
    ...inBytes(["f32", "bf16"], BYTE_SHAPES),
    ...inOwnDType(forDTypes("T", ["f32", "bf16"], MORE_DECODE_SHAPES)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], DECODE_SHAPES)),
  ],
  inputs: decodeInputs,
  reference,
  bytes: (problem) => {
    const cached = 2 * attendedTokens(problem) * dimOf(problem, "HKV") * dimOf(problem, "D");
    const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
    const pieces = piecesOf(problem, pagedDecode.config).length;
    const outputs =
      pieces * dimOf(problem, "HKV") * dimOf(problem, "G") * (dimOf(problem, "D") + 1);
    return (
      storageBytes(dtypeOf(problem, "C"), cached) +
      storageBytes(dtypeOf(problem, "T"), rows * dimOf(problem, "D")) +
      storageBytes("f32", outputs)
    );
  },
  flops: decodeFlops,
});

export function decodeFlops(problem: Problem): number {
  const heads = dimOf(problem, "HKV") * dimOf(problem, "G");
  return 4 * attendedTokens(problem) * heads * dimOf(problem, "D");
}
