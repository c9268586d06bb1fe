/** [dsl/kernels] What one program of the kernels that merge pieces does, as a function that they inline, and what they share. Not a kernel. */
import { out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  exp2,
  full,
  load,
  max,
  maximum,
  pid,
  range,
  span,
  store,
  sum,
  zeros,
} from "../ops/catalogue.ts";
import type { AxisIndex, BodyArguments, ConfigArguments, Dim, KernelTensor } from "../typing.ts";
import { blocksBefore, blocksSeen, cutLine, lineLength, shareOf } from "./decode-line.ts";

/** Meaning of each: paged-decode-merge.ts. */
export const PIECE_PARAMS = {
  partial: tensor("f32", "P", "HKV", "G", "D"),
  lse: tensor("f32", "P", "HKV", "G"),
  lens: tensor("i32", "S"),
  o: out("T", "S", "HKV", "G", "D"),
  window: scalar("i32"),
} as const;

/** Start of the running maximum where no piece has been seen: finite, so that exp2 of differences is never NaN. */
export const MERGE_LOWEST = -1e30;

/** BN, BS and LEAST are those of the `pagedDecode` that wrote the pieces. */
export const PIECE_CONFIG = { BN: 16, BS: 32, LEAST: 1, GP: 4, BJ: 8, stages: 1 } as const;

type PieceArguments = BodyArguments<
  typeof PIECE_PARAMS,
  { readonly T: readonly ["f32", "f16", "bf16"] }
>;

/** Pieces of rows of queries: heads, or heads of several queries. */
export interface PieceTensors {
  readonly partial: KernelTensor<"f32", readonly [string, "HKV", string, "D"]>;
  readonly lse: KernelTensor<"f32", readonly [string, "HKV", string]>;
  readonly D: Dim<"D">;
}

/** Where the pieces of a sequence are, and which of its rows of queries are put together. */
export interface PiecePlace {
  readonly s: number;
  readonly h: number;
  /** First row: query head of the kv head. */
  readonly g: number;
  /** Rows of the pieces: from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
}

/** Lengths on a line, and how many programs share it out. */
interface CutLine {
  readonly lens: KernelTensor<"i32", readonly [string]>;
  readonly S: Dim;
  readonly window: number;
  readonly programs: number;
}

/** Where the pieces of one part of a line are: rows from `first` to before `end`. */
export function linePieces(
  { lens, S, window, programs }: CutLine,
  { BN, BS, LEAST }: { readonly BN: Dim; readonly BS: Dim<"BS">; readonly LEAST: number },
  s: number,
): { readonly first: number; readonly end: number } {
  const blocks = blocksSeen(load(lens, [s], { when: "early" }), window, BN);
  const length = lineLength(lens, window, S, BN, BS);
  const before = blocksBefore(lens, window, s, BN, BS);
  const cut = cutLine(length, programs, S, LEAST);
  const first = s + shareOf(before, cut);
  const end = blocks > 0 ? s + shareOf(before + blocks - 1, cut) + 1 : first;
  return { first, end };
}

/** The place of a program of the kernels that only merge. */
function piecePlace(
  { lens, window, S, P }: PieceArguments,
  config: ConfigArguments<typeof PIECE_CONFIG>,
): PiecePlace {
  const s = pid(2);
  const { first, end } = linePieces({ lens, S, window, programs: P - S }, config, s);
  return { s, h: pid(1), g: pid(0) * config.GP, first, end };
}

/** What pieces add up to. */
export interface PieceSums {
  /** f32 `[GP]`, log2 domain: the largest so far, finite. */
  readonly m: number;
  /** f32 `[GP]` and `[GP, D]`, relative to `m`: sums of exponentials and of values. */
  readonly l: number;
  readonly acc: number;
}

/** Sums before the first piece. @param firstMax, firstSum as of `mergePieces` */
export function noPieces(GP: Dim, D: Dim<"D">, firstMax: number, firstSum: number): PieceSums {
  return {
    m: full("f32", 0, GP) + firstMax,
    l: full("f32", firstSum, GP),
    acc: zeros("f32", GP, D),
  };
}

/** `sums` and the pieces of GP rows, in the order of their numbers. @param rows GP rows of queries */
export function sumPieces(
  { partial, lse, D }: PieceTensors,
  { h, first, end }: Omit<PiecePlace, "s" | "g">,
  rows: AxisIndex,
  { BJ, stages }: { readonly BJ: Dim<"BJ">; readonly stages: number },
  sums: PieceSums,
): PieceSums {
  let m = sums.m;
  let l = sums.l;
  let acc = sums.acc;
  for (const j of range(first, end, BJ, { stages })) {
    const x = load(lse, [span(j, BJ, end), h, rows], { fill: -Infinity });
    const part = load(partial, [span(j, BJ, end), h, rows, all(D)]);
    const next = maximum(m, max(x, "BJ"));
    const w = exp2(x - next);
    const alpha = exp2(m - next);
    l = l * alpha + sum(w, "BJ");
    acc = acc * alpha + sum(w * part, "BJ");
    m = next;
  }
  return { m, l, acc };
}

/**
 * The pieces of GP rows of one sequence put together, in the order of their numbers, as paged-decode-merge.ts describes it.
 * @param firstMax f32, log2 domain, scalar or `[GP]`: running maximum before the first piece; finite
 * @param firstSum f32 scalar: sum of exponentials before the first piece
 * @returns f32 `[GP, D]`
 */
export function mergePieces(
  pieces: PieceTensors,
  place: Omit<PiecePlace, "s">,
  config: { readonly GP: Dim; readonly BJ: Dim<"BJ">; readonly stages: number },
  firstMax: number,
  firstSum: number,
): number {
  const start = noPieces(config.GP, pieces.D, firstMax, firstSum);
  const { l, acc } = sumPieces(pieces, place, span(place.g, config.GP), config, start);
  return acc / maximum(l, 1e-30);
}

/** One program of the kernels that only merge. */
export function mergeHeads(
  args: PieceArguments,
  config: ConfigArguments<typeof PIECE_CONFIG>,
  firstMax: number,
  firstSum: number,
): void {
  const { o, D, T } = args;
  const place = piecePlace(args, config);
  const { s, h, g } = place;
  const merged = mergePieces(args, place, config, firstMax, firstSum);
  store(o, [s, h, span(g, config.GP), all(D)], cast(merged, T));
}
