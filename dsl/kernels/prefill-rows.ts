/** [dsl/kernels] What one program of the prefill kernels does, as a function that they inline, and what they share. Not a kernel. */
import { out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  dot,
  exp2,
  floordiv,
  full,
  gather,
  iota,
  load,
  max,
  maximum,
  minimum,
  mod,
  pid,
  range,
  span,
  store,
  sum,
  tanh,
  where,
  zeros,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments } from "../typing.ts";
import { type CACHE_DTYPES, isDType, rowPowers } from "./cache-dtypes.ts";
import { sequencesBegun } from "./row-blocks.ts";

/** Window of a launch without one: larger than any length. */
const NO_WINDOW = 1073741824;

/** Meaning of each: prefill-attention.ts. */
export const PREFILL_PARAMS = {
  q: tensor("T", "N", "HQ", "D"),
  kCache: tensor("C", "NB", "PAGE", "HKV", "D"),
  vCache: tensor("C", "NB", "PAGE", "HKV", "D"),
  table: tensor("i32", "S", "MAXB"),
  queryStart: tensor("i32", "S1"),
  lens: tensor("i32", "S"),
  o: out("T", "N", "HQ", "D"),
  scale: scalar("f32"),
  vScale: scalar("f32"),
  window: scalar("i32"),
} as const;

export const PREFILL_CONFIG = { BM: 16, BN: 16, BS: 128, stages: 2, SOFTCAP: 0 } as const;

/**
 * Attention of the BM queries of this program, as prefill-attention.ts describes it.
 * @param firstMax f32 scalar: running maximum of the scores (times log2 e) before the first key; finite, so that a row without keys
 *   gives exp2(-inf - firstMax) = 0 and not NaN
 * @param firstSum f32 scalar: sum of exponentials before the first key
 */
export function attendRows(
  args: BodyArguments<
    typeof PREFILL_PARAMS,
    { readonly T: readonly ["f32", "f16", "bf16"]; readonly C: typeof CACHE_DTYPES }
  >,
  config: ConfigArguments<typeof PREFILL_CONFIG>,
  firstMax: number,
  firstSum: number,
): void {
  const { q, kCache, vCache, table, queryStart, lens, o, scale, vScale, window } = args;
  const { HQ, HKV, S, D, PAGE, T, C } = args;
  const { BM, BN, BS, stages, SOFTCAP } = config;
  const h = pid(0);
  const block = pid(1);
  const begun = sequencesBegun(queryStart, block, S, BM, BS);
  if (begun > 0) {
    const s = begun - 1;
    const rowStart = load(queryStart, [s]);
    const rowEnd = load(queryStart, [s + 1]);
    const m0 = (block - floordiv(rowStart, BM) - s) * BM;
    if (m0 < rowEnd - rowStart) {
      const len = load(lens, [s]);
      const kvHead = floordiv(h, floordiv(HQ, HKV));
      const rows = span(rowStart + m0, BM, rowEnd);
      const p0 = len - (rowEnd - rowStart) + m0; // position of the first query
      const reach = where(window > 0, window, NO_WINDOW);
      const low = maximum(p0 - reach + 1, 0); // first position that any of the queries sees
      const qpos = p0 + iota(BM);
      const qt = load(q, [rows, h, all(D)]);
      // Bytes become f16 at half the price of bf16, and lose nothing by it.
      const hasBytes = isDType(C, "f8e4m3");
      const isWide = hasBytes && isDType(T, "bf16");
      const P = isWide ? "f16" : T;
      const power = isWide ? rowPowers(qt) : 1;
      const queries = isWide ? cast(cast(qt, "f32") * (1 / power), P) : qt;
      const factor = SOFTCAP === 0 ? scale * Math.LOG2E : scale / SOFTCAP;
      const own = isWide ? power * factor : factor;
      let m = full("f32", firstMax, BM);
      let l = full("f32", firstSum, BM);
      let acc = zeros("f32", BM, D);
      const begin = floordiv(low, BN) * BN;
      for (const n of range(begin, minimum(len, p0 + BM), BN, { stages })) {
        const kpos = n + iota(BN);
        const pages = load(
          table,
          [s, gather(where(kpos >= low && kpos < len, floordiv(kpos, PAGE), -1))],
          {
            fill: -1,
          },
        );
        const slot = mod(kpos, PAGE);
        const kt = load(kCache, [gather(pages), gather(slot), kvHead, all(D)]);
        const scores = dot(queries, cast(kt, P));
        const x = SOFTCAP === 0 ? scores * own : tanh(scores * own) * (SOFTCAP * Math.LOG2E);
        const seen = kpos <= qpos && kpos > qpos - reach;
        const masked = where(seen, x, -Infinity); // [BM, BN]
        const mNew = maximum(m, max(masked, "BN"));
        const p = exp2(masked - mNew);
        const alpha = exp2(m - mNew);
        l = l * alpha + sum(p, "BN");
        const vt = load(vCache, [gather(pages), gather(slot), kvHead, all(D)]);
        acc = dot(cast(p, P), cast(vt, P), acc * alpha);
        m = mNew;
      }
      store(o, [rows, h, all(D)], cast(acc * ((hasBytes ? vScale : 1) / maximum(l, 1e-30)), T));
    }
  }
}
