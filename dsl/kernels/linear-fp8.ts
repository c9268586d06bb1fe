/** [dsl/kernels] Matrix multiplication of 8-bit floats with a scale for each row of x and of w. One scale a tensor is in linear-fp8-tensor.ts, blocks in linear-fp8-block.ts. */
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
import { defineKernelEntry, dimOf, type Problem } from "./define-kernel-entry.ts";
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
 * @param xScale `[M]`, of each row of x
 * @param wScale `[N]`, of each row of w
 * @param bias `[N]`, zeros where a layer has none
 * @param epilogue function of the scaled f32 sum
 * @returns y `[M, N]`
 */
export const linearFp8 = kernel(
  {
    name: "linear_fp8",
    dtypes: { O: ["bf16", "f16", "f32"] },
    params: {
      x: tensor("f8e4m3", "M", "K"),
      w: tensor("f8e4m3", "N", "K"),
      xScale: tensor("f32", "M"),
      wScale: tensor("f32", "N"),
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
    const scaled = acc * load(xScale, [rows]) * load(wScale, [columns]);
    store(y, [rows, columns], cast(epilogue(scaled + load(bias, [columns])), O));
  },
);

export const linearFp8Entry = defineKernelEntry({
  kernel: linearFp8,
  samples: scaledProblems(SCALED_PROBLEMS),
  inputs: (problem: Problem) =>
    scaledInputs(problem, "f8e4m3", { x: [dimOf(problem, "M")], w: [dimOf(problem, "N")] }),
  reference: scaledReference,
  bytes: scaledBytes,
  flops: linearFlops,
});
