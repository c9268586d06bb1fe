/** [dsl/kernels] Matrix multiplication of 8-bit floats with one scale for x and one for w. A scale for each row is in linear-fp8.ts. */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  cast,
  cdiv,
  dot,
  load,
  pid,
  range,
  span,
  store,
  swizzle2d,
  tile,
  zeros,
} from "../ops/catalogue.ts";
import { defineKernelEntry, type Problem } from "./define-kernel-entry.ts";
import { linearFlops } from "./linear-samples.ts";
import {
  SCALED_PROBLEMS,
  scaledBytes,
  scaledInputs,
  scaledProblems,
  scaledReference,
} from "./scaled-samples.ts";

/**
 * y = epilogue((x · wᵀ) · xScale · wScale + bias), summed in f32.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param xScale `[1]`
 * @param wScale `[1]`
 * @param bias `[N]`, zeros where a layer has none
 * @param epilogue function of the scaled f32 sum
 * @returns y `[M, N]`
 */
export const linearFp8Tensor = kernel(
  {
    name: "linear_fp8_tensor",
    dtypes: { O: ["bf16", "f16", "f32"] },
    params: {
      x: tensor("f8e4m3", "M", "K"),
      w: tensor("f8e4m3", "N", "K"),
      xScale: tensor("f32", 1),
      wScale: tensor("f32", 1),
      bias: tensor("f32", "N"),
      y: out("O", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 64, BN: 64, BK: 64, stages: 3, group: 8 },
    tune: {
      BM: [16, 32, 64, 128],
      BN: [32, 64, 96, 128, 160, 192],
      BK: [32, 64, 128],
      stages: [1, 2, 3, 4, 5, 6, 8],
    },
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, xScale, wScale, bias, y, epilogue, M, N, K, O }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    const [rows, columns] = [tile(pm, BM), tile(pn, BN)];
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      acc = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]), acc);
    }
    const scaled = acc * (load(xScale, [0]) * load(wScale, [0]));
    store(y, [rows, columns], cast(epilogue(scaled + load(bias, [columns])), O));
  },
);

export const linearFp8TensorEntry = defineKernelEntry({
  kernel: linearFp8Tensor,
  samples: scaledProblems(SCALED_PROBLEMS),
  inputs: (problem: Problem) => scaledInputs(problem, "f8e4m3", { x: [1], w: [1] }),
  reference: scaledReference,
  bytes: scaledBytes,
  flops: linearFlops,
});
