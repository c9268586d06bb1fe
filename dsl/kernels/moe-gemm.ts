/** [dsl/kernels] Products of rows with the weights of their experts, over slots that are sorted by expert (moe-align.ts). */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  all,
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
import { defineKernelEntry } from "./define-kernel-entry.ts";
import {
  expertBytes,
  expertFlops,
  expertInputs,
  expertProblems,
  expertReference,
  expertSpots,
} from "./moe-gemm-samples.ts";

/**
 * Row `slot` of y is the product of row floor(slot / (S / R)) of x with the weight of the slot's expert, accumulated in f32: with S = R each
 * slot has its own row, with S = R · topk the slots of a token share one. A weight of two halves (G = 2) gives
 * y = join(x · w₀ᵀ, x · w₁ᵀ), the halves' sums (with their biases) in f32. Rows of x are gathered, so they come by cp.async and not by TMA.
 * @param x `[R, K]`; S is a multiple of R
 * @param w `[E, G, N, K]`, as checkpoints store the halves: gate, then up; G is 1 or 2
 * @param bias `[E, B, N]`, added to the sums in f32; B is G, or 0 for none
 * @param rows i32 `[PB, BM]`: the slots of a block, -1 for none; each slot at most once
 * @param expertOf i32 `[PB]`: expert of each block; -1: the block is passed over
 * @param join function of gate and up, for G = 2 alone
 * @returns y `[S, N]`; rows of slots that stand in no block keep what they held
 * @source arXiv 2401.04088 (the block); "MegaBlocks", arXiv 2211.15841 (products of blocks sorted by expert)
 */
export const moeGemm = kernel(
  {
    name: "moe_gemm",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "K"),
      w: tensor("T", "E", "G", "N", "K"),
      bias: tensor("T", "E", "B", "N"),
      rows: tensor("i32", "PB", "BM"),
      expertOf: tensor("i32", "PB"),
      y: out("O", "S", "N"),
      join: fnParam((gate: number, up: number) => silu(gate) * up),
    },
    config: { BN: 64, BK: 32, stages: 3, group: 8 },
    tune: { BN: [32, 64, 128, 256], BK: [16, 32, 64], stages: [1, 2, 3, 4, 5] },
    specialize: ["G", "B", "BM"],
    grid: ({ PB, N }, { BN }) => PB * cdiv(N, BN),
  },
  (
    { x, w, bias, rows, expertOf, y, join, R, S, N, K, PB, G, B, BM, O },
    { BN, BK, stages, group },
  ) => {
    const [pm, pn] = swizzle2d(pid(0), PB, cdiv(N, BN), group);
    const e = load(expertOf, [pm]);
    if (e < 0) return;
    const slots = load(rows, [pm, all(BM)]);
    const from = floordiv(slots, floordiv(S, R));
    const columns = tile(pn, BN);
    let acc = zeros("f32", BM, BN);
    if (G === 1) {
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        acc = dot(a, load(w, [e, 0, columns, span(k, BK)]), acc);
      }
      if (B > 0) acc = acc + cast(load(bias, [e, 0, columns]), "f32");
      store(y, [gather(slots), columns], cast(acc, O));
    } else {
      let up = zeros("f32", BM, BN);
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        acc = dot(a, load(w, [e, 0, columns, span(k, BK)]), acc);
        up = dot(a, load(w, [e, 1, columns, span(k, BK)]), up);
      }
      if (B > 0) {
        acc = acc + cast(load(bias, [e, 0, columns]), "f32");
        up = up + cast(load(bias, [e, 1, columns]), "f32");
      }
      store(y, [gather(slots), columns], cast(join(acc, up), O));
    }
  },
);

export const moeGemmEntry = defineKernelEntry({
  kernel: moeGemm,
  samples: expertProblems(),
  inputs: expertInputs,
  reference: expertReference,
  bytes: expertBytes,
  flops: expertFlops,
  spots: expertSpots,
});
