/** [dsl/kernels] Matrix multiplication of activations with a weight, and an epilogue. The variant with a bias is in linear-bias.ts. */
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
import {
  linearBytes,
  linearFlops,
  linearInputs,
  linearProblems,
  linearReference,
} from "./linear-samples.ts";

/**
 * y = epilogue(x · wᵀ), accumulated in f32. Programs walk down columns of `group` row blocks, so that weights stay in the cache.
 * @param x `[M, K]`
 * @param w `[N, K]`, as checkpoints store it
 * @param epilogue function of the f32 sum
 * @returns y `[M, N]`
 */
export const linear = kernel(
  {
    name: "linear",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
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
  ({ x, w, y, epilogue, M, N, K, O }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pm, BM), span(k, BK)]);
      const b = load(w, [tile(pn, BN), span(k, BK)]);
      acc = dot(a, b, acc);
    }
    store(y, [tile(pm, BM), tile(pn, BN)], cast(epilogue(acc), O));
  },
);

const SMALL = { BM: 16, BN: 16, BK: 16 };

/** Problems for the kernels with block rows; also those of linear-bias.ts. */
export const LINEAR_PROBLEMS: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, N: 16, K: 16 } },
  { name: "one of one", seed: 2, dims: { M: 1, N: 1, K: 1 }, config: SMALL },
  { name: "prime sizes", seed: 3, dims: { M: 17, N: 23, K: 37 }, config: SMALL },
  { name: "block - 1", seed: 4, dims: { M: 31, N: 63, K: 31 }, config: { BM: 32, BN: 64 } },
  { name: "block + 1", seed: 5, dims: { M: 33, N: 65, K: 33 }, config: { BM: 32, BN: 64 } },
  {
    name: "swizzled blocks, silu",
    seed: 6,
    dims: { M: 96, N: 80, K: 48 },
    config: { ...SMALL, group: 4 },
    options: { silu: 1 },
  },
  { name: "default blocks", seed: 7, dims: { M: 70, N: 136, K: 200 } },
];

export const linearEntry = defineKernelEntry({
  kernel: linear,
  samples: linearProblems(LINEAR_PROBLEMS),
  inputs: (problem) => linearInputs(problem, false),
  reference: linearReference,
  bytes: linearBytes,
  flops: linearFlops,
});
