/** [dsl/kernels] Matrix multiplication with a weight in 4 bits whose groups along K have scales and zero points, as AWQ and GPTQ make them. */
import { fnParam, kernel, out, packed, tensor } from "../language.ts";
import {
  assert,
  axis,
  cast,
  cdiv,
  dequant,
  dot,
  floordiv,
  load,
  pid,
  range,
  span,
  store,
  swizzle2d,
  tile,
  zeros,
} from "../ops/catalogue.ts";
import { defineKernelEntry } from "./define-kernel-entry.ts";
import { groupTrip } from "./group-trip.ts";
import { linearFlops } from "./linear-samples.ts";
import { w4Bytes, w4Inputs, w4Problems, w4Reference } from "./w4-samples.ts";

/**
 * y = epilogue(x · ((w - zero) · scale)ᵀ + bias), summed in f32; the weight is rounded to T.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param scale `[KG, N]`, one for each K / KG columns of a row; K is a multiple of KG, and that a power of two up to BK or a multiple of 16
 * @param zero `[KG, N]`
 * @param bias `[N]`, zeros where a layer has none
 * @param epilogue function of the f32 sum
 * @returns y `[M, N]`
 */
export const linearW4Zeros = kernel(
  {
    name: "linear_w4_zeros",
    dtypes: {
      T: ["bf16", "f16", "f32"],
      S: ["bf16", "f16", "f32"],
      O: ["bf16", "f16", "f32"],
    },
    params: {
      x: tensor("T", "M", "K"),
      w: packed("u4", "N", "K"),
      scale: tensor("S", "KG", "N"),
      zero: tensor("u4", "KG", "N"),
      bias: tensor("f32", "N"),
      y: out("O", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 16, BN: 64, BK: 64, stages: 2, group: 8 },
    tune: {
      BM: [16, 32, 64, 128],
      BN: [32, 64, 128, 256],
      BK: [32, 64, 128],
      stages: [1, 2, 3, 4],
    },
    specialize: ["K", "KG"],
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, scale, zero, bias, y, epilogue, M, N, K, KG, T, O }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    const [rows, columns] = [tile(pm, BM), tile(pn, BN)];
    const size = K / KG;
    const trip = axis("BK", KG === 1 ? BK : groupTrip(size, BK));
    assert(K % KG === 0, "K is a multiple of KG");
    assert(
      KG === 1 || size % trip === 0 || trip % size === 0,
      "a group is a power of two or a multiple of 16",
    );
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, trip, { stages })) {
      const codes = load(w, [columns, span(k, trip)], { evict: "first" });
      const at = floordiv(k, size);
      // A group holds whole trips, or a trip whole groups.
      const plain =
        KG === 1 || size >= trip
          ? dequant(codes, load(scale, [at, columns]), { zero: load(zero, [at, columns]), to: T })
          : dequant(codes, load(scale, [span(at, axis("GB", trip / size)), columns]), {
              group: size,
              zero: load(zero, [span(at, axis("GB", trip / size)), columns]),
              to: T,
            });
      acc = dot(load(x, [rows, span(k, trip)]), plain, acc);
    }
    store(y, [rows, columns], cast(epilogue(acc + load(bias, [columns])), O));
  },
);

export const linearW4ZerosEntry = defineKernelEntry({
  kernel: linearW4Zeros,
  samples: w4Problems(true),
  inputs: (problem) => w4Inputs(problem, true),
  reference: w4Reference,
  bytes: w4Bytes,
  flops: linearFlops,
});
