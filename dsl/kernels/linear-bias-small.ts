/** [dsl/kernels] Matrix multiplication with a bias for few rows. The variant without a bias, and why it looks so, is in linear-small.ts. */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  cast,
  cdiv,
  load,
  pid,
  range,
  span,
  split,
  store,
  sum,
  tile,
  zeros,
} from "../ops/catalogue.ts";
import { defineKernelEntry } from "./define-kernel-entry.ts";
import {
  linearBytes,
  linearFlops,
  linearInputs,
  linearProblems,
  linearReference,
} from "./linear-samples.ts";
import { LINEAR_SMALL_PROBLEMS } from "./linear-small.ts";

/**
 * y = epilogue(x · wᵀ + bias), accumulated in f32, for M up to a few times BM.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param bias `[N]`
 * @param epilogue function of the f32 sum
 * @returns y `[M, N]`
 */
export const linearBiasSmall = kernel(
  {
    name: "linear_bias_small",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
      bias: tensor("T", "N"),
      y: out("O", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 8, BN: 8, BK: 256, KL: 32, KV: 8, stages: 1 },
    tune: {
      BM: [1, 2, 4, 8],
      BN: [1, 2, 4, 8, 16],
      BK: [128, 256, 512, 1024],
      KL: [32, 64, 128],
      KV: [4, 8],
      stages: [1, 2, 3],
    },
    when: ({ BK, KL, KV }) => BK === KL * KV,
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, bias, y, epilogue, K, O }, { BM, BN, BK, KL, KV, stages }) => {
    const rows = tile(pid(1), BM);
    const columns = tile(pid(0), BN);
    let acc = zeros("f32", BM, BN, KL);
    for (const k of range(0, K, BK, { stages })) {
      const a = split(cast(load(x, [rows, span(k, BK)]), "f32"), "BK", KL, KV);
      const b = split(
        cast(load(w, [columns, span(k, BK)], { evict: "first" }), "f32"),
        "BK",
        KL,
        KV,
      );
      acc = acc + sum(a * b, "KV");
    }
    const biased = sum(acc, "KL") + cast(load(bias, [columns]), "f32");
    store(y, [rows, columns], cast(epilogue(biased), O));
  },
);

export const linearBiasSmallEntry = defineKernelEntry({
  kernel: linearBiasSmall,
  samples: linearProblems(LINEAR_SMALL_PROBLEMS),
  inputs: (problem) => linearInputs(problem, true),
  reference: linearReference,
  bytes: linearBytes,
  flops: linearFlops,
});
