/** [dsl/kernels] What a program of the decodes over pages does with its share of the line of keys, as functions that the kernels inline. Not a kernel. */
import { scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  dot,
  floordiv,
  full,
  gather,
  iota,
  load,
  log2,
  maximum,
  minimum,
  mod,
  pid,
  range,
  span,
  sum,
  tanh,
  where,
  zeros,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments, Dim, KernelTensor } from "../typing.ts";
import { type CACHE_DTYPES, isDType, rowPowers } from "./cache-dtypes.ts";
import {
  blocksSeen,
  type Cut,
  cutLine,
  firstSeen,
  lineLength,
  sequenceAt,
  shareStart,
} from "./decode-line.ts";
import { LOWEST, lazyExponentials } from "./lazy-softmax.ts";

/** Meaning of each: paged-decode.ts. */
export const DECODE_PARAMS = {
  q: tensor("T", "S", "HKV", "G", "D"),
  kCache: tensor("C", "NB", "PAGE", "HKV", "D"),
  vCache: tensor("C", "NB", "PAGE", "HKV", "D"),
  table: tensor("i32", "S", "MAXB"),
  lens: tensor("i32", "S"),
  scale: scalar("f32"),
  vScale: scalar("f32"),
  window: scalar("i32"),
} as const;

export const DECODE_CONFIG = { GP: 16, BN: 16, BS: 32, LEAST: 1, stages: 2, SOFTCAP: 0 } as const;

export const DECODE_TUNE = {
  GP: [1, 2, 4, 8, 16],
  BN: [16, 32, 64, 128],
  stages: [1, 2, 3, 4, 5],
} as const;

export type DecodeArguments = BodyArguments<
  typeof DECODE_PARAMS,
  { readonly T: readonly ["f32", "f16", "bf16"]; readonly C: typeof CACHE_DTYPES }
>;
type DecodeConfigArguments = ConfigArguments<typeof DECODE_CONFIG>;

/** Of a launch: what is shared out, and among how many. */
export interface Line {
  /** Rows of queries of a sequence and kv head. */
  readonly rows: number;
  /** Positions that any of a sequence's queries attends to, from its last one on; 0 for all. */
  readonly window: number;
  /** Programs of GP rows. */
  readonly programs: number;
}

/** A program's part of the line, and its rows. */
export interface Share {
  /** kv head, and the first row of queries. */
  readonly h: number;
  readonly g: number;
  readonly share: number;
  readonly cut: Cut;
  /** Blocks of the share: from `lo` to before `hi`. */
  readonly lo: number;
  readonly hi: number;
}

/** Lengths of what lies on the line: of sequences, or of what sequences share. */
interface LengthArguments {
  readonly lens: KernelTensor<"i32", readonly [string]>;
  readonly S: Dim;
}

export function shareOfProgram(
  { lens, S }: LengthArguments,
  { GP, BN, BS, LEAST }: DecodeConfigArguments,
  { rows, window, programs }: Line,
): Share {
  const h = floordiv(pid(0), cdiv(rows, GP));
  const g = mod(pid(0), cdiv(rows, GP)) * GP;
  const share = pid(1);
  const length = lineLength(lens, window, S, BN, BS);
  const cut = cutLine(length, programs, S, LEAST);
  const lo = shareStart(minimum(share, cut.shares), cut);
  const hi = shareStart(minimum(share + 1, cut.shares), cut);
  return { h, g, share, cut, lo, hi };
}

/** Keys of one sequence that a program has. */
export interface Reach {
  readonly s: number;
  /** The first block of the sequence on the line, and how many it has. */
  readonly begin: number;
  readonly blocks: number;
  /** Positions, from a multiple of BN to before another. */
  readonly from: number;
  readonly to: number;
}

/** Calls `visit` for each sequence of the share. */
export function walkShare(
  { lens, S }: LengthArguments,
  { BN, BS }: DecodeConfigArguments,
  { window }: Line,
  { lo, hi }: Share,
  visit: (reach: Reach) => void,
): void {
  const place = sequenceAt(lens, window, lo, S, BN, BS);
  let s = place.sequence;
  let begin = where(lo < hi, place.begin, hi);
  while (begin < hi) {
    const len = load(lens, [s]);
    const start = firstSeen(len, window);
    const blocks = blocksSeen(len, window, BN);
    const first = floordiv(start, BN) * BN;
    const from = first + maximum(lo - begin, 0) * BN;
    const to = first + minimum(blocks, hi - begin) * BN;
    if (from < to) visit({ s, begin, blocks, from, to });
    begin = begin + blocks;
    s = s + 1;
  }
}

/** What a program has of one sequence. */
export interface Piece {
  /** f32 `[GP, D]`: normalised output. */
  readonly value: number;
  /** f32 `[GP]`, log2 domain: sum of exponentials. */
  readonly logSum: number;
}

/** The queries of a program. */
export interface Queries {
  /** T `[GP, D]`; rows without a query read 0. */
  readonly qt: number;
  /** First position that any of them attends to. */
  readonly start: number;
  /** Which keys each of them attends to, of those that any does. @param seen bool `[BN]` @returns bool, `[BN]` or `[GP, BN]` */
  readonly sees: (kpos: number, seen: boolean) => boolean;
}

type KeyArguments = Pick<
  DecodeArguments,
  "kCache" | "vCache" | "table" | "lens" | "scale" | "vScale" | "D" | "PAGE" | "T" | "C"
>;

/** GP rows of queries of a sequence over its keys from `from` to before `to`, in blocks of BN. */
export function attendKeys(
  { kCache, vCache, table, lens, scale, vScale, D, PAGE, T, C }: KeyArguments,
  { GP, BN, stages, SOFTCAP }: DecodeConfigArguments,
  { s, from, to }: Reach,
  h: number,
  { qt, start, sees }: Queries,
): Piece {
  const c = (SOFTCAP === 0 ? scale : SOFTCAP) * Math.LOG2E;
  // Bytes become f16 at half the price of bf16, and lose nothing by it.
  const hasBytes = isDType(C, "f8e4m3");
  const isWide = hasBytes && isDType(T, "bf16");
  const P = isWide ? "f16" : T;
  const power = isWide ? rowPowers(qt) : 1;
  const queries = isWide ? cast(cast(qt, "f32") * (1 / power), P) : qt;
  const len = load(lens, [s]);
  let m = full("f32", LOWEST, GP);
  let l = zeros("f32", GP, BN); // of each key of a block, so that warps wait for each other once less a trip
  let acc = zeros("f32", GP, D);
  for (const n of range(from, to, BN, { stages })) {
    const kpos = n + iota(BN);
    const seen = kpos < len && kpos >= start;
    const pages = load(table, [s, gather(where(seen, floordiv(kpos, PAGE), -1))], { fill: -1 });
    const slot = mod(kpos, PAGE);
    const kt = load(kCache, [gather(pages), gather(slot), h, all(D)], { evict: "first" });
    const scores = dot(queries, cast(kt, P));
    const whole = isWide ? scores * power : scores;
    const capped = SOFTCAP === 0 ? whole : tanh(whole * (scale / SOFTCAP));
    const x = where(sees(kpos, seen), capped, -Infinity); // [GP, BN]
    const trip = lazyExponentials(x, "GP", { m, l, acc }, c, 0);
    m = trip.m;
    l = trip.l + trip.p;
    const vt = load(vCache, [gather(pages), gather(slot), h, all(D)], { evict: "first" });
    acc = dot(cast(trip.p, P), cast(vt, P), trip.acc);
  }
  const total = maximum(sum(l, "BN"), 1e-30);
  return { value: acc * ((hasBytes ? vScale : 1) / total), logSum: m * c + log2(total) };
}

/** Those of decodes: one of each of GP heads. */
export function decodeQueries(
  { q, lens, window, D }: DecodeArguments,
  { GP }: DecodeConfigArguments,
  { s }: Reach,
  { h, g }: Share,
): Queries {
  const start = firstSeen(load(lens, [s]), window);
  return { qt: load(q, [s, h, span(g, GP), all(D)]), start, sees: (_kpos, seen) => seen };
}
