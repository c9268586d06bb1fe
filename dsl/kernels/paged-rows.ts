/** [dsl/kernels] What one program of the kernels over lists of row blocks does, as a function that they inline, and what they share. Not a kernel. */
import { out, scalar, tensor } from "../language.ts";
import {
  all,
  axis,
  cast,
  cdiv,
  dot,
  floordiv,
  full,
  gather,
  iota,
  load,
  maximum,
  merge,
  minimum,
  mod,
  pid,
  range,
  span,
  store,
  tanh,
  where,
  zeros,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments } from "../typing.ts";
import { lazySoftmax } from "./lazy-softmax.ts";

/** Meaning of each: paged-attention.ts. */
export const LISTED_PARAMS = {
  q: tensor("T", "N", "HQ", "D"),
  kCache: tensor("T", "NB", "PAGE", "HKV", "D"),
  vCache: tensor("T", "NB", "PAGE", "HKV", "D"),
  table: tensor("i32", "S", "MAXB"),
  blocks: tensor("i32", "B", 6),
  o: out("T", "N", "HQ", "D"),
  scale: scalar("f32"),
  window: scalar("i32"),
} as const;

export const LISTED_CONFIG = {
  BM: 16,
  BN: 16,
  stages: 2,
  heads: 0,
  SOFTCAP: 0,
  WINDOW: 0,
} as const;

/** Query head of this program. */
export function listedHead({
  blocks,
  HQ,
}: BodyArguments<typeof LISTED_PARAMS, { readonly T: readonly ["f32", "f16", "bf16"] }>): number {
  return minimum(load(blocks, [pid(1), 5]) + pid(0), HQ - 1);
}

/**
 * Attention of the row block of this program, as paged-attention.ts describes it.
 * @param h query head
 * @param firstMax f32 scalar: running maximum of the scores, times 1/c of `lazySoftmax`, before the first key; finite
 * @param firstSum f32 scalar: sum of exponentials before the first key
 */
export function attendBlock(
  args: BodyArguments<typeof LISTED_PARAMS, { readonly T: readonly ["f32", "f16", "bf16"] }>,
  config: ConfigArguments<typeof LISTED_CONFIG>,
  h: number,
  firstMax: number,
  firstSum: number,
): void {
  const { q, kCache, vCache, table, blocks, o, scale, window, HQ, HKV, D, PAGE, T } = args;
  const { BM, BN, stages, SOFTCAP, WINDOW } = config;
  const b = pid(1);
  const s = load(blocks, [b, 0]);
  const row = load(blocks, [b, 1]);
  const rowEnd = load(blocks, [b, 2]);
  const p0 = load(blocks, [b, 3]); // position of the first query
  const len = load(blocks, [b, 4]);
  const kvHead = floordiv(h, floordiv(HQ, HKV));
  const rows = span(row, BM, rowEnd);
  const c = (SOFTCAP === 0 ? scale : SOFTCAP) * Math.LOG2E;
  const qpos = p0 + iota(BM);
  const qt = load(q, [rows, h, all(D)]);
  let m = full("f32", firstMax, BM);
  let l = full("f32", firstSum, BM);
  let acc = zeros("f32", BM, D);
  const step = Math.min(PAGE, BN);
  const low = WINDOW === 0 ? 0 : floordiv(maximum(p0 - window + 1, 0), step) * step;
  // At least one trip, whose keys are masked where there are none: programs then overlap.
  const end = maximum(minimum(len, p0 + BM), low + 1);
  for (const n of range(low, end, BN, { stages })) {
    // Pages of this trip, and the first slot in them.
    const pages = load(
      table,
      [s, span(floordiv(n, PAGE), axis("PP", cdiv(BN, PAGE)), cdiv(len, PAGE))],
      {
        fill: -1,
      },
    );
    const slots = span(PAGE <= BN ? 0 : mod(n, PAGE), axis("PS", step));
    const kt = merge(load(kCache, [gather(pages), slots, kvHead, all(D)]), BN, {
      limit: len - n,
    });
    const scores = dot(qt, kt);
    const kpos = n + iota(BN);
    const seen = WINDOW === 0 ? kpos <= qpos : kpos <= qpos && kpos > qpos - window;
    const x = SOFTCAP === 0 ? scores : tanh(scores * (scale / SOFTCAP));
    const masked = where(seen, x, -Infinity); // [BM, BN]
    const trip = lazySoftmax(masked, "BM", { m, l, acc }, c, 0);
    m = trip.m;
    l = trip.l;
    const vt = merge(load(vCache, [gather(pages), slots, kvHead, all(D)]), BN, {
      limit: len - n,
    });
    acc = dot(cast(trip.p, T), vt, trip.acc);
  }
  store(o, [rows, h, all(D)], cast(acc * (1 / maximum(l, 1e-30)), T));
}
