/** [dsl/kernels] Matrix multiplication with a bias and an epilogue. The variant without a bias is in linear.ts. */
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
import { defineKernelEntry } from "./define-kernel-entry.ts";
import { LINEAR_PROBLEMS } from "./linear.ts";
import {
  linearBytes,
  linearFlops,
  linearInputs,
  linearProblems,
  linearReference,
} from "./linear-samples.ts";

/**
 * y = epilogue(x · wᵀ + bias), accumulated in f32.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param bias `[N]`
 * @param epilogue function of the f32 sum
 * @returns y `[M, N]`
 */
export const linearBias = kernel(
  {
    name: "linear_bias",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
      bias: tensor("T", "N"),
      y: out("O", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 64, BN: 64, BK: 32, stages: 3, group: 8 },
    tune: {
      BM: [16, 32, 64, 128, 256],
      BN: [32, 64, 96, 128, 160, 192, 208, 224, 256],
      BK: [16, 32, 64],
      stages: [1, 2, 3, 4, 5, 6, 8],
    },
    when: ({ BM, BN }) => BM * BN <= 256 * 208,
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, bias, y, epilogue, M, N, K, O }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pm, BM), span(k, BK)]);
      const b = load(w, [tile(pn, BN), span(k, BK)]);
      acc = dot(a, b, acc);
    }
    const biased = acc + cast(load(bias, [tile(pn, BN)]), "f32");
    store(y, [tile(pm, BM), tile(pn, BN)], cast(epilogue(biased), O));
  },
);

export const linearBiasEntry = defineKernelEntry({
  kernel: linearBias,
  samples: linearProblems(LINEAR_PROBLEMS),
  inputs: (problem) => linearInputs(problem, true),
  reference: linearReference,
  bytes: linearBytes,
  flops: linearFlops,
});
