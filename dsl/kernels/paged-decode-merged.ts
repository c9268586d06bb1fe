/** [dsl/kernels] paged-decode.ts and the merge behind it in one launch, for devices on which the last program of a sequence may see what the others stored. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  exp2,
  lastArrival,
  load,
  maximum,
  minimum,
  range,
  span,
  store,
  zeros,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments, Dim, KernelTensor } from "../typing.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import { blocksSeen, shareOf } from "./decode-line.ts";
import {
  attendKeys,
  DECODE_CONFIG,
  DECODE_PARAMS,
  DECODE_TUNE,
  decodeQueries,
  type Line,
  type Piece,
  type Reach,
  type Share,
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
  tensorOf,
} from "./define-kernel-entry.ts";
import { MERGE_LOWEST, mergePieces, type PieceTensors } from "./merge-pieces.ts";
import { decodeFlops, decodeInputs, pieceOf } from "./paged-decode.ts";
import { attentionTolerance, sequencesOf } from "./paged-samples.ts";
import { attendedTokens, decodeProblem, piecesOf, windowStart } from "./piece-samples.ts";
import { editable, hostTensor } from "./sample-data.ts";

/** Meaning of each: below. */
export const MERGED_PARAMS = {
  ...DECODE_PARAMS,
  partial: inout("f32", "P", "HKV", "G", "D"),
  lse: inout("f32", "P", "HKV", "G"),
  arrived: inout("i32", "S", "HKV", "G"),
  o: out("T", "S", "HKV", "G", "D"),
} as const;

export const MERGED_CONFIG = { ...DECODE_CONFIG, GM: 4, BJ: 8 } as const;

export const MERGED_TUNE = {
  ...DECODE_TUNE,
  GM: [1, 2, 4],
  BJ: [4, 8, 16, 32],
} as const;

type MergedArguments = BodyArguments<
  typeof MERGED_PARAMS,
  { readonly T: readonly ["f32", "f16", "bf16"]; readonly C: typeof CACHE_DTYPES }
>;
type MergedConfig = ConfigArguments<typeof MERGED_CONFIG>;

/** What kernels that decode and merge in one launch differ in. */
export interface MergedForm {
  readonly line: Line;
  /** What a program has of a sequence. */
  readonly attend: (reach: Reach, own: Share) => Piece;
  /** Stores f32 `[rows, D]` of the rows from `g` on. */
  readonly give: (s: number, h: number, g: number, rows: Dim, value: number) => void;
  /** f32, log2 domain, scalar or of `rows` rows from `g` on: running maximum before the first piece; finite. */
  readonly firstMax: (h: number, g: number, rows: Dim) => number;
  /** Sum of exponentials before the first piece, known at compile time. */
  readonly firstSum: number;
}

interface SharedPieces extends PieceTensors, Pick<MergedArguments, "lens" | "S"> {
  readonly arrived: KernelTensor<"i32", readonly ["S", "HKV", string]>;
}

/** What one program does, as `pagedDecodeMerged` describes it. */
export function decodeAndMerge(
  args: SharedPieces,
  config: MergedConfig,
  { line, attend, give, firstMax, firstSum }: MergedForm,
): void {
  const { lens, partial, lse, arrived, S, D } = args;
  const { GP, BN, GM, BJ } = config;
  const own = shareOfProgram(args, config, line);
  const { h, g, share } = own;
  walkShare(args, config, line, own, (reach) => {
    const { s, begin, blocks } = reach;
    const { value, logSum } = attend(reach, own);
    const first = shareOf(begin, own.cut);
    const last = shareOf(begin + blocks - 1, own.cut);
    if (first === last) {
      give(s, h, g, GP, alone(value, logSum, firstMax(h, g, GP), firstSum));
    } else {
      store(partial, [s + share, h, span(g, GP), all(D)], value);
      store(lse, [s + share, h, span(g, GP)], logSum);
      if (lastArrival(arrived, [s, h, g], last - first + 1)) {
        for (const r of range(0, minimum(GP, line.rows - g), GM)) {
          const place = { h, g: g + r, first: s + first, end: s + last + 1 };
          const start = firstMax(h, g + r, GM);
          give(
            s,
            h,
            g + r,
            GM,
            mergePieces(args, place, { GP: GM, BJ, stages: 1 }, start, firstSum),
          );
        }
      }
    }
  });
  // Of sequences without keys nobody has a piece.
  for (const s of range(share, S, line.programs))
    if (blocksSeen(load(lens, [s]), line.window, BN) === 0) give(s, h, g, GP, zeros("f32", GP, D));
}

/** The form of decodes. */
export function decodeForm(
  args: MergedArguments,
  config: MergedConfig,
  firstMax: MergedForm["firstMax"],
  firstSum: number,
): MergedForm {
  const { o, window, P, S, G, D, T } = args;
  const line = { rows: G, window, programs: P - S };
  return {
    line,
    attend: (reach, own) =>
      attendKeys(args, config, reach, own.h, decodeQueries(args, config, reach, own)),
    give: (s, h, g, rows, value) => store(o, [s, h, span(g, rows), all(D)], cast(value, T)),
    firstMax,
    firstSum,
  };
}

/** A sequence of one piece. */
function alone(value: number, logSum: number, firstMax: number, firstSum: number): number {
  if (firstSum === 0) return value;
  const m = maximum(logSum, firstMax);
  const w = exp2(logSum - m);
  return value * (w / (w + firstSum * exp2(firstMax - m)));
}

/**
 * `pagedDecode` and `pagedDecodeMerge` in one launch: the program that stores the last piece of a sequence puts all of its pieces together,
 * in the order of the line, whichever program it is. A sequence of one piece goes to `o` directly. Shares, blocks and all else is as there.
 * GM heads are put together at a time, a divisor of GP; BJ pieces a step, which are all on their way at once.
 * @param partial f32 `[P, HKV, G, D]`, P = S + programs of a head: for the pieces of sequences that have several
 * @param lse f32 `[P, HKV, G]`: as partial
 * @param arrived i32 `[S, HKV, G]`: zeros, and zeros again when the launch is over
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 * @source as `pagedDecode`; the last of several blocks: CUDA programming guide, "Memory Fence Functions"
 */
export const pagedDecodeMerged = kernel(
  {
    name: "paged_decode_merged",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: MERGED_PARAMS,
    config: MERGED_CONFIG,
    tune: MERGED_TUNE,
    when: ({ GP, GM }) => GP % GM === 0,
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, G, P }, { GP }) => [HKV * cdiv(G, GP), P - S],
  },
  (args, config) => {
    decodeAndMerge(
      args,
      config,
      decodeForm(args, config, (_h, _g, _rows) => MERGE_LOWEST, 0),
    );
  },
);

/** Shapes with sequences of one piece, of several, and of none. */
export const MERGED_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  decodeProblem("no sequences", 1, [], { hkv: 1, g: 1, d: 16, page: 4, programs: 1 }),
  decodeProblem(
    "padding rows, pieces of several sequences",
    2,
    [0, 37, 0, 1, 130, 16, 5, 0],
    { hkv: 2, g: 2, d: 16, page: 8, programs: 4 },
    { config: { BS: 4, LEAST: 2, BJ: 4 } },
  ),
  decodeProblem("programs a multiple of the sequences", 7, [45, 45, 90], {
    hkv: 1,
    g: 2,
    d: 16,
    page: 8,
    programs: 6,
  }),
  decodeProblem(
    "more pieces than a step takes",
    3,
    [300, 3],
    { hkv: 1, g: 7, d: 80, page: 4, programs: 11 },
    { config: { BJ: 4 } },
  ),
  decodeProblem(
    "group of 17, window",
    4,
    [70, 12],
    { hkv: 2, g: 17, d: 16, page: 4, programs: 3 },
    { config: { GM: 2 }, options: { window: 40 } },
  ),
  decodeProblem(
    "rows not padded to 16, soft cap",
    5,
    [37, 21],
    { hkv: 1, g: 4, d: 16, page: 4, programs: 3 },
    { config: { GP: 4, GM: 1, SOFTCAP: 1.5 } },
  ),
  decodeProblem(
    "large blocks, head dim 128",
    6,
    [330, 61],
    { hkv: 2, g: 4, d: 128, page: 16, programs: 3 },
    { config: { BN: 64, BS: 256, BJ: 16 } },
  ),
];

/**
 * @param sinkOf score of no key of a query head of a kv head
 * @returns partial and lse where a sequence has several pieces, o of all
 */
export function mergedReference(
  call: ReferenceCall,
  sinkOf?: (kvHead: number, index: number) => number,
) {
  const { problem } = call;
  const [partial, lse, o] = ["partial", "lse", "o"].map((name) => editable(tensorOf(call, name)));
  if (partial === undefined || lse === undefined || o === undefined)
    throw new RangeError("tensors");
  const pieces = piecesOf(problem, MERGED_CONFIG);
  const rows = (visit: (h: number, g: number) => void): void => {
    for (let h = 0; h < dimOf(problem, "HKV"); h++)
      for (let g = 0; g < dimOf(problem, "G"); g++) visit(h, g);
  };
  for (const piece of pieces) {
    if (pieces.filter(({ sequence }) => sequence === piece.sequence).length === 1) continue;
    const row = pieceOf(call, piece);
    rows((h, g) => {
      const { output, logSum } = row(h, g);
      partial.setRow(output, piece.number, h, g);
      lse.set(logSum, piece.number, h, g);
    });
  }
  sequencesOf(problem).forEach(({ length: end }, sequence) => {
    const whole = pieceOf(call, { sequence, first: windowStart(problem, end), end }, sinkOf);
    rows((h, g) => o.setRow(whole(h, g).output, sequence, h, g));
  });
  const length = dimOf(problem, "MAXB") * dimOf(problem, "PAGE");
  const tolerance = attentionTolerance(tensorOf(call, "q").dtype, length);
  const counts = tensorOf(call, "arrived").data;
  return {
    partial: { data: partial.data, tolerance },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
    arrived: { data: counts, tolerance: { kind: "exact" as const } },
    o: { data: o.data, tolerance },
  };
}

/** As of `pagedDecode`, with pieces that hold nothing and counters at zero. */
export function mergedInputs(problem: Problem): KernelInputs {
  const { tensors, scalars } = decodeInputs(problem);
  const [p, s, h, g, d] = ["P", "S", "HKV", "G", "D"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    tensors: {
      ...tensors,
      partial: hostTensor("f32", [p, h, g, d], () => Number.NaN),
      lse: hostTensor("f32", [p, h, g], () => Number.NaN),
      arrived: hostTensor("i32", [s, h, g], () => 0),
    },
    scalars,
  };
}

/** Keys, values, queries and outputs; pieces may stay in the cache. */
export function mergedBytes(problem: Problem): number {
  const cached = 2 * attendedTokens(problem) * dimOf(problem, "HKV") * dimOf(problem, "D");
  const heads = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
  return (
    storageBytes(dtypeOf(problem, "C"), cached) +
    storageBytes(dtypeOf(problem, "T"), 2 * heads * dimOf(problem, "D"))
  );
}

export const pagedDecodeMergedEntry = defineKernelEntry({
  kernel: pagedDecodeMerged,
  samples: [
    ...inBytes(["bf16"], MERGED_SHAPES.slice(-1)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], MERGED_SHAPES)),
  ],
  inputs: mergedInputs,
  reference: (call) => mergedReference(call),
  bytes: mergedBytes,
  flops: decodeFlops,
});
