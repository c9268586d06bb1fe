/** [dsl/kernels] Products of rows with the weights of their experts, stored in 4 or 8 bits with scales. Weights of floats are in moe-gemm.ts. */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  all,
  assert,
  axis,
  cast,
  cdiv,
  dequant,
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
import { groupTrip } from "./group-trip.ts";
import {
  quantizedExpertBytes,
  quantizedExpertInputs,
  quantizedExpertProblems,
  quantizedExpertReference,
} from "./moe-gemm-quantized-samples.ts";
import { expertFlops } from "./moe-gemm-samples.ts";
import { zeroOf } from "./w4-samples.ts";

/**
 * `moeGemm` with the weight (w - zero) · scale, rounded to T.
 * @param x `[R, K]`; S is a multiple of R
 * @param w `[E, G, N, K]`: gate, then up; G is 1 or 2
 * @param scale `[E, KG, G, N]`, one for each K / KG columns of a row; K is a multiple of KG, and that a power of two up to BK or a multiple of 16
 * @param zero u4 `[E, Z, G, N]`; Z is KG, or 0 where the zero is at 8 (u4) or 0
 * @param bias `[E, B, N]`, added to the sums in f32; B is G, or 0 for none
 * @param rows i32 `[PB, BM]`: the slots of a block, -1 for none; each slot at most once
 * @param expertOf i32 `[PB]`: expert of each block; -1: the block is passed over
 * @param join function of gate and up, for G = 2 alone
 * @returns y `[S, N]`; rows of slots that stand in no block keep what they held
 */
export const moeGemmQuantized = kernel(
  {
    name: "moe_gemm_quantized",
    dtypes: {
      T: ["bf16", "f16", "f32"],
      W: ["u4", "nf4", "f4e2m1", "f8e4m3", "i8"],
      SC: ["bf16", "f16", "f32", "f8e8m0"],
      O: ["bf16", "f16", "f32"],
    },
    params: {
      x: tensor("T", "R", "K"),
      w: tensor("W", "E", "G", "N", "K"),
      scale: tensor("SC", "E", "KG", "G", "N"),
      zero: tensor("u4", "E", "Z", "G", "N"),
      bias: tensor("T", "E", "B", "N"),
      rows: tensor("i32", "PB", "BM"),
      expertOf: tensor("i32", "PB"),
      y: out("O", "S", "N"),
      join: fnParam((gate: number, up: number) => silu(gate) * up),
    },
    config: { BN: 64, BK: 32, stages: 2, group: 8 },
    tune: { BN: [32, 64, 128], BK: [32, 64, 128], stages: [1, 2, 3, 4] },
    specialize: ["K", "KG", "Z", "G", "B", "BM"],
    grid: ({ PB, N }, { BN }) => PB * cdiv(N, BN),
  },
  (
    { x, w, scale, zero, bias, rows, expertOf, y, join, R, S, N, K, KG, Z, PB, G, B, BM, T, W, O },
    { BN, BK, stages, group },
  ) => {
    const [pm, pn] = swizzle2d(pid(0), PB, cdiv(N, BN), group);
    const e = load(expertOf, [pm]);
    if (e < 0) return;
    const slots = load(rows, [pm, all(BM)]);
    const from = floordiv(slots, floordiv(S, R));
    const columns = tile(pn, BN);
    const size = K / KG;
    const trip = axis("BK", KG === 1 ? BK : groupTrip(size, BK));
    assert(K % KG === 0, "K is a multiple of KG");
    assert(
      KG === 1 || size % trip === 0 || trip % size === 0,
      "a group is a power of two or a multiple of 16",
    );
    // A group holds whole trips, or a trip whole groups.
    const isWhole = KG === 1 || size >= trip;
    const GB = axis("GB", isWhole ? 1 : trip / size);
    const plain = (half: number, k: number) => {
      const codes = load(w, [e, half, columns, span(k, trip)], { evict: "first" });
      const at = floordiv(k, size);
      if (isWhole) {
        const z = Z > 0 ? load(zero, [e, at, half, columns]) : zeroOf(W);
        return dequant(codes, load(scale, [e, at, half, columns]), { zero: z, to: T });
      }
      const z = Z > 0 ? load(zero, [e, span(at, GB), half, columns]) : zeroOf(W);
      const scales = load(scale, [e, span(at, GB), half, columns]);
      return dequant(codes, scales, { group: size, zero: z, to: T });
    };
    let acc = zeros("f32", BM, BN);
    if (G === 1) {
      for (const k of range(0, K, trip, { stages }))
        acc = dot(load(x, [gather(from), span(k, trip)]), plain(0, k), acc);
      if (B > 0) acc = acc + cast(load(bias, [e, 0, columns]), "f32");
      store(y, [gather(slots), columns], cast(acc, O));
    } else {
      let up = zeros("f32", BM, BN);
      for (const k of range(0, K, trip, { stages })) {
        const a = load(x, [gather(from), span(k, trip)]);
        acc = dot(a, plain(0, k), acc);
        up = dot(a, plain(1, k), up);
      }
      if (B > 0) {
        acc = acc + cast(load(bias, [e, 0, columns]), "f32");
        up = up + cast(load(bias, [e, 1, columns]), "f32");
      }
      store(y, [gather(slots), columns], cast(join(acc, up), O));
    }
  },
);

export const moeGemmQuantizedEntry = defineKernelEntry({
  kernel: moeGemmQuantized,
  samples: quantizedExpertProblems(),
  inputs: quantizedExpertInputs,
  reference: quantizedExpertReference,
  bytes: quantizedExpertBytes,
  flops: expertFlops,
});
