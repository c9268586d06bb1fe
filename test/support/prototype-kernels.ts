/** [test/support] The six kernels that the language was designed on: GEMM, prefill, paged decode, W4A16, MoE GEMM, RMSNorm. No test here. */
import {
  all,
  cast,
  cdiv,
  dequant,
  dot,
  exp2,
  floordiv,
  fnParam,
  full,
  gather,
  iota,
  kernel,
  load,
  log2,
  max,
  maximum,
  merge,
  out,
  pid,
  range,
  rsqrt,
  scalar,
  silu,
  span,
  store,
  sum,
  swizzle2d,
  tensor,
  tile,
  where,
  zeros,
} from "../../dsl/language.ts";

// 1. GEMM with epilogue: C = f(A · Bᵀ)
export const gemm = kernel(
  {
    name: "gemm",
    params: {
      a: tensor("f16", "M", "K"),
      b: tensor("f16", "N", "K"),
      c: out("f16", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 128, BN: 256, BK: 64, stages: 4, group: 8 },
    tune: { BM: [64, 128, 256], BN: [64, 128, 256], BK: [64, 128], stages: [3, 4, 5, 6] },
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ a, b, c, epilogue, M, N, K }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      acc = dot(load(a, [tile(pm, BM), span(k, BK)]), load(b, [tile(pn, BN), span(k, BK)]), acc);
    }
    store(c, [tile(pm, BM), tile(pn, BN)], cast(epilogue(acc), "f16"));
  },
);

// 2. Flash attention prefill, varlen, causal, GQA
export const prefill = kernel(
  {
    name: "attn_prefill",
    params: {
      q: tensor("bf16", "T", "HQ", "D"),
      k: tensor("bf16", "T", "HKV", "D"),
      v: tensor("bf16", "T", "HKV", "D"),
      cu: tensor("i32", "S1"),
      o: out("bf16", "T", "HQ", "D"),
      scale: scalar("f32"),
    },
    config: { BM: 128, BN: 128, stages: 2, causal: true },
    specialize: ["D"],
    grid: ({ T, HQ, S1 }, { BM }) => [cdiv(T, BM), HQ, S1 - 1],
  },
  ({ q, k, v, cu, o, scale, HQ, HKV, D }, { BM, BN, stages, causal }) => {
    const s = pid(2),
      h = pid(1),
      hk = floordiv(h, floordiv(HQ, HKV));
    const base = load(cu, [s]),
      len = load(cu, [s + 1]) - base,
      m0 = pid(0) * BM;
    if (m0 >= len) return;
    const qt = load(q, [span(base + m0, BM), h, all(D)]);
    const qpos = m0 + iota(BM);
    let m = full("f32", -Infinity, BM),
      l = zeros("f32", BM),
      acc = zeros("f32", BM, D);
    const end = causal ? Math.min(len, m0 + BM) : len;
    for (const n of range(0, end, BN, { stages })) {
      const kt = load(k, [span(base + n, BN), hk, all(D)]);
      const kpos = n + iota(BN);
      let x = dot(qt, kt) * (scale * Math.LOG2E); // [BM, BN]: contracts D
      x = where(kpos < len && (!causal || qpos >= kpos), x, -Infinity); // outer compare by label, no [:, None]
      const mNew = maximum(m, max(x, "BN"));
      const p = exp2(x - mNew),
        alpha = exp2(m - mNew);
      l = l * alpha + sum(p, "BN");
      acc = dot(cast(p, "bf16"), load(v, [span(base + n, BN), hk, all(D)]), acc * alpha);
      m = mNew;
    }
    store(o, [span(base + m0, BM, base + len), h, all(D)], cast(acc / l, "bf16")); // `end` keeps the tail off the next sequence
  },
);

// 3. Paged decode, block tables, GQA, split-KV (partials + LSE; a small merge kernel follows)
export const pagedDecode = kernel(
  {
    name: "paged_decode",
    params: {
      q: tensor("bf16", "S", "HKV", "G", "D"),
      kc: tensor("bf16", "NB", "PAGE", "HKV", "D"),
      vc: tensor("bf16", "NB", "PAGE", "HKV", "D"),
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      po: out("f32", "S", "HKV", "SPLIT", "G", "D"),
      lse: out("f32", "S", "HKV", "SPLIT", "G"),
      scale: scalar("f32"),
    },
    config: { GP: 16, PPT: 4, BN: 64, stages: 4 }, // GP pads G up to one MMA tile; BN = PPT * PAGE
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, SPLIT }) => [SPLIT, HKV, S],
  },
  ({ q, kc, vc, table, lens, po, lse, scale, D, PAGE, SPLIT }, { GP, PPT, BN, stages }) => {
    const sp = pid(0),
      h = pid(1),
      s = pid(2),
      len = load(lens, [s]);
    const per = cdiv(cdiv(len, BN), SPLIT),
      lo = sp * per,
      hi = Math.min(lo + per, cdiv(len, BN));
    const qt = load(q, [s, h, span(0, GP), all(D)]); // rows past G read as 0: bounds come from the tensor
    let m = full("f32", -1e30, GP),
      l = zeros("f32", GP),
      acc = zeros("f32", GP, D);
    for (const j of range(lo, hi, 1, { stages })) {
      const pages = load(table, [s, tile(j, PPT)], { limit: cdiv(len, PAGE), fill: -1 }); // page ids, one stage ahead; -1 reads 0
      const kt = merge(load(kc, [gather(pages, PPT), all(PAGE), h, all(D)]), BN, {
        limit: len - j * BN,
      }); // one TMA box per page
      const vt = merge(load(vc, [gather(pages, PPT), all(PAGE), h, all(D)]), BN, {
        limit: len - j * BN,
      }); // tails never read: no 0·NaN
      let x = dot(qt, kt) * (scale * Math.LOG2E);
      x = where(j * BN + iota(BN) < len, x, -Infinity);
      const mNew = maximum(m, max(x, "BN")),
        p = exp2(x - mNew),
        alpha = exp2(m - mNew);
      l = l * alpha + sum(p, "BN");
      acc = dot(cast(p, "bf16"), vt, acc * alpha);
      m = mNew;
    }
    store(po, [s, h, sp, span(0, GP), all(D)], acc / maximum(l, 1e-30));
    store(lse, [s, h, sp, span(0, GP)], m + log2(maximum(l, 1e-30)));
  },
);

// 4. W4A16 GEMM, group scales; i4 is a first-class storage dtype
export const w4a16 = kernel(
  {
    name: "w4a16",
    params: {
      x: tensor("f16", "M", "K"),
      w: tensor("u4", "N", "K"),
      s: tensor("f16", "N", "KG"),
      y: out("f32", "SK", "M", "N"),
    },
    config: { BM: 64, BN: 128, BK: 128, GB: 1, stages: 4 },
    grid: ({ M, N, SK }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN), SK],
  },
  ({ x, w, s, y, K, SK }, { BM, BN, BK, GB, stages }) => {
    const pm = pid(0),
      pn = pid(1),
      sk = pid(2),
      per = cdiv(cdiv(K, BK), SK),
      lo = sk * per;
    let acc = zeros("f32", BM, BN);
    for (const k of range(lo, Math.min(lo + per, cdiv(K, BK)), 1, { stages })) {
      const wq = load(w, [tile(pn, BN), tile(k, BK)]); // [BN, BK] of u4
      const sc = load(s, [tile(pn, BN), tile(k, GB)]); // [BN, GB] scales
      acc = dot(
        load(x, [tile(pm, BM), tile(k, BK)]),
        dequant(wq, sc, { group: 128, zero: 8, to: "f16" }),
        acc,
      );
    }
    store(y, [sk, tile(pm, BM), tile(pn, BN)], acc); // SK partials; merge kernel sums and casts
  },
);

// 5. MoE grouped GEMM over expert-sorted token rows
export const moeGemm = kernel(
  {
    name: "moe_gemm",
    params: {
      x: tensor("bf16", "T", "K"),
      w: tensor("bf16", "E", "N", "K"),
      rows: tensor("i32", "P"),
      expertOf: tensor("i32", "PB"),
      y: out("bf16", "P", "N"),
      topk: scalar("i32"),
    },
    config: { BM: 64, BN: 128, BK: 64, stages: 4 },
    grid: ({ PB, N }, { BN }) => [PB, cdiv(N, BN)],
  },
  ({ x, w, rows, expertOf, y, topk, K }, { BM, BN, BK, stages }) => {
    const pm = pid(0),
      pn = pid(1),
      e = load(expertOf, [pm]);
    if (e < 0) return; // padding block
    const r = floordiv(load(rows, [tile(pm, BM)], { fill: -1 }), topk); // token row per slot; -1 stays out of range: reads 0
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const xt = load(x, [gather(r, BM), span(k, BK)]); // row gather -> cp.async producer warps
      acc = dot(xt, load(w, [e, tile(pn, BN), span(k, BK)]), acc); // dense tile -> TMA
    }
    store(y, [tile(pm, BM), tile(pn, BN)], cast(acc, "bf16"));
  },
);

// 6. RMSNorm (+ residual), one row per program
export const rmsNorm = kernel(
  {
    name: "rms_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      w: tensor("T", "H"),
      y: out("T", "R", "H"),
      eps: scalar("f32"),
    },
    config: {},
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, w, y, eps, H, T }) => {
    const r = pid(0);
    const v = cast(load(x, [r, all(H)]), "f32");
    store(
      y,
      [r, all(H)],
      cast(v * rsqrt(sum(v * v, "H") / H + eps) * cast(load(w, [all(H)]), "f32"), T),
    );
  },
);

export const gemmSilu = { kernel: gemm, functions: { epilogue: silu } };
