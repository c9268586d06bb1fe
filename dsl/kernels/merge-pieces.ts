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
import type { BodyArguments, ConfigArguments, Dim, KernelTensor } from "../typing.ts";
import { blocksBefore, blocksSeen, lineLength, numShares, shareOf } from "./decode-line.ts";

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
  readonly partial: KernelTensor<"f32", readonly ["P", "HKV", string, "D"]>;
  readonly lse: KernelTensor<"f32", readonly ["P", "HKV", string]>;
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

/** The place of a program of the kernels that only merge. */
function piecePlace(
  { lens, window, S, P }: PieceArguments,
  { BN, BS, LEAST, GP }: ConfigArguments<typeof PIECE_CONFIG>,
): PiecePlace {
  const s = pid(2);
  const blocks = blocksSeen(load(lens, [s], { when: "early" }), window, BN);
  const length = lineLength(lens, window, S, BN, BS);
  const before = blocksBefore(lens, window, s, BN, BS);
  const shares = numShares(length, P - S, LEAST);
  const first = s + shareOf(before, length, shares);
  const end = blocks > 0 ? s + shareOf(before + blocks - 1, length, shares) + 1 : first;
  return { s, h: pid(1), g: pid(0) * GP, first, end };
}

/**
 * The pieces of GP rows of one sequence put together, in the order of their numbers, as paged-decode-merge.ts describes it.
 * @param firstMax f32, log2 domain, scalar or `[GP]`: running maximum before the first piece; finite
 * @param firstSum f32 scalar: sum of exponentials before the first piece
 * @returns f32 `[GP, D]`
 */
export function mergePieces(
  { partial, lse, D }: PieceTensors,
  { h, g, first, end }: Omit<PiecePlace, "s">,
  { GP, BJ, stages }: { readonly GP: Dim; readonly BJ: Dim<"BJ">; readonly stages: number },
  firstMax: number,
  firstSum: number,
): number {
  let m = full("f32", 0, GP) + firstMax;
  let l = full("f32", firstSum, GP);
  let acc = zeros("f32", GP, D);
  for (const j of range(first, end, BJ, { stages })) {
    const x = load(lse, [span(j, BJ, end), h, span(g, GP)], { fill: -Infinity });
    const part = load(partial, [span(j, BJ, end), h, span(g, GP), all(D)]);
    const next = maximum(m, max(x, "BJ"));
    const w = exp2(x - next);
    const alpha = exp2(m - next);
    l = l * alpha + sum(w, "BJ");
    acc = acc * alpha + sum(w * part, "BJ");
    m = next;
  }
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
