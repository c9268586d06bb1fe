/** [dsl/kernels] What one program of the kernels that merge shared pieces with others does, as a function that they inline, and what they share. Not a kernel. */
import { out, tensor } from "../language.ts";
import {
  all,
  cast,
  floordiv,
  load,
  maximum,
  mod,
  pid,
  span,
  store,
  where,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments } from "../typing.ts";
import { linePieces, noPieces, PIECE_CONFIG, sumPieces } from "./merge-pieces.ts";

/** Meaning of each: shared-prefix-merge.ts. */
export const SHARED_PIECE_PARAMS = {
  prefix: tensor("f32", "PB", "HKV", "R", "D"),
  prefixLse: tensor("f32", "PB", "HKV", "R"),
  tileLens: tensor("i32", "B"),
  partial: tensor("f32", "P", "HKV", "G", "D"),
  lse: tensor("f32", "P", "HKV", "G"),
  own: tensor("i32", "S"),
  place: tensor("i32", "S"),
  o: out("T", "S", "HKV", "G", "D"),
} as const;

/** BN, BS and LEAST are those of the `sharedSuffixDecode` that wrote its pieces; SN that of the `sharedPrefixDecode`, whose BS and LEAST are the same. */
export const SHARED_MERGE_CONFIG = { ...PIECE_CONFIG, SN: 16 } as const;

/** GP heads of a sequence. @param firstMax, firstSum as of `mergePieces` */
export function mergeSharedHeads(
  args: BodyArguments<typeof SHARED_PIECE_PARAMS, { readonly T: readonly ["f32", "f16", "bf16"] }>,
  { BN, BS, LEAST, GP, SN, BJ, stages }: ConfigArguments<typeof SHARED_MERGE_CONFIG>,
  firstMax: number,
  firstSum: number,
): void {
  const { prefix, prefixLse, tileLens, own, place, o, PB, B, P, S, R, G, D, T } = args;
  const [g, h, s] = [pid(0) * GP, pid(1), pid(2)];
  const at = load(place, [s], { when: "early" });
  const most = floordiv(R, G);
  const tile = floordiv(maximum(at, 0), most);
  const tiles = { lens: tileLens, S: B, window: 0, programs: PB - B };
  const begun = linePieces(tiles, { BN: SN, BS, LEAST }, tile);
  const row = mod(maximum(at, 0), most) * G;
  const rows = span(row + g, GP, row + G); // those behind are of another sequence
  const shared = { h, first: begun.first, end: where(at < 0, begun.first, begun.end) };
  const step = { BJ, stages };
  const start = noPieces(GP, D, firstMax, firstSum);
  const before = sumPieces({ partial: prefix, lse: prefixLse, D }, shared, rows, step, start);
  const ended = linePieces({ lens: own, S, window: 0, programs: P - S }, { BN, BS, LEAST }, s);
  const { l, acc } = sumPieces(args, { h, ...ended }, span(g, GP), step, before);
  store(o, [s, h, span(g, GP), all(D)], cast(acc / maximum(l, 1e-30), T));
}
