/** [dsl/kernels] Products of rows of 8 bits with the weights of their experts, of 8 bits too, each with scales. Rows of floats are in moe-gemm-quantized.ts. */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  all,
  assert,
  cast,
  cdiv,
  dot,
  floordiv,
  gather,
  load,
  pid,
  range,
  silu,
  span,
  store,
  swizzle2d,
  tile,
  zeros,
} from "../ops/catalogue.ts";
import type { DTypeArgument } from "../typing.ts";
import { defineKernelEntry } from "./define-kernel-entry.ts";
import { expertFlops } from "./moe-gemm-samples.ts";
import {
  scaledExpertBytes,
  scaledExpertInputs,
  scaledExpertProblems,
  scaledExpertReference,
} from "./moe-gemm-scaled-samples.ts";

/** Dtype in which products of codes are added. */
function sumsOf(codes: DTypeArgument): "i32" | "f32" {
  return codes === "i8" ? "i32" : "f32";
}

/**
 * `moeGemm` of x · xScale with w · scale: codes are multiplied, integers summed exactly; what K / KG columns give is scaled in f32.
 * @param x `[R, K]`; S is a multiple of R
 * @param xScale `[KG, R]`, one for each K / KG columns of a row; KG is 1, or K / KG a multiple of BK
 * @param w `[E, G, N, K]`: gate, then up; G is 1 or 2
 * @param scale `[E, KG, G, N]`
 * @param bias `[E, B, N]`, added to the scaled sums in f32; B is G, or 0 for none
 * @param rows i32 `[PB, BM]`: the slots of a block, -1 for none; each slot at most once
 * @param expertOf i32 `[PB]`: expert of each block; -1: the block is passed over
 * @param join function of gate and up, for G = 2 alone
 * @returns y `[S, N]`; rows of slots that stand in no block keep what they held
 */
export const moeGemmScaled = kernel(
  {
    name: "moe_gemm_scaled",
    dtypes: { Q: ["f8e4m3", "i8"], O: ["bf16", "f16", "f32"] },
    params: {
      x: tensor("Q", "R", "K"),
      xScale: tensor("f32", "KG", "R"),
      w: tensor("Q", "E", "G", "N", "K"),
      scale: tensor("f32", "E", "KG", "G", "N"),
      bias: tensor("O", "E", "B", "N"),
      rows: tensor("i32", "PB", "BM"),
      expertOf: tensor("i32", "PB"),
      y: out("O", "S", "N"),
      join: fnParam((gate: number, up: number) => silu(gate) * up),
    },
    config: { BN: 64, BK: 64, stages: 2, group: 8 },
    tune: { BN: [32, 64, 128], BK: [32, 64, 128], stages: [1, 2, 3, 4] },
    specialize: ["K", "KG", "G", "B", "BM"],
    grid: ({ PB, N }, { BN }) => PB * cdiv(N, BN),
  },
  (
    { x, xScale, w, scale, bias, rows, expertOf, y, join, R, S, N, K, KG, PB, G, B, BM, Q, O },
    { BN, BK, stages, group },
  ) => {
    const [pm, pn] = swizzle2d(pid(0), PB, cdiv(N, BN), group);
    const e = load(expertOf, [pm]);
    if (e < 0) return;
    const slots = load(rows, [pm, all(BM)]);
    const from = floordiv(slots, floordiv(S, R));
    const columns = tile(pn, BN);
    const size = K / KG;
    assert(KG === 1 || size % BK === 0, "a group of scales is of whole trips");
    const scaled = (sums: number, at: number, half: number) =>
      cast(sums, "f32") * load(xScale, [at, gather(from)]) * load(scale, [e, at, half, columns]);
    const biased = (sums: number, half: number) =>
      B > 0 ? sums + cast(load(bias, [e, half, columns]), "f32") : sums;
    const weight = (half: number, k: number) => load(w, [e, half, columns, span(k, BK)]);
    if (KG === 1) {
      let acc: number = zeros(sumsOf(Q), BM, BN);
      let up: number = zeros(sumsOf(Q), BM, BN);
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        acc = dot(a, weight(0, k), acc);
        if (G === 2) up = dot(a, weight(1, k), up);
      }
      const gate = biased(scaled(acc, 0, 0), 0);
      const joined = G === 1 ? gate : join(gate, biased(scaled(up, 0, 1), 1));
      store(y, [gather(slots), columns], cast(joined, O));
    } else {
      let acc = zeros("f32", BM, BN);
      let up = zeros("f32", BM, BN);
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        const at = floordiv(k, size);
        acc = acc + scaled(dot(a, weight(0, k)), at, 0);
        if (G === 2) up = up + scaled(dot(a, weight(1, k)), at, 1);
      }
      const gate = biased(acc, 0);
      const joined = G === 1 ? gate : join(gate, biased(up, 1));
      store(y, [gather(slots), columns], cast(joined, O));
    }
  },
);

export const moeGemmScaledEntry = defineKernelEntry({
  kernel: moeGemmScaled,
  samples: scaledExpertProblems(),
  inputs: scaledExpertInputs,
  reference: scaledExpertReference,
  bytes: scaledExpertBytes,
  flops: expertFlops,
});
