/** [dsl/kernels] Matrix multiplication for few rows, bound by reading the weight once. The variant with a bias is in linear-bias-small.ts. */
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
import { defineKernelEntry, type Problem } from "./define-kernel-entry.ts";
import {
  linearBytes,
  linearFlops,
  linearInputs,
  linearProblems,
  linearReference,
} from "./linear-samples.ts";

/**
 * y = epilogue(x · wᵀ), accumulated in f32, for M up to a few times BM. Each program owns BN rows of the weight and streams
 * them once for BM rows of x. The step of BK columns is KL lanes times KV neighbouring elements: only the KV part is summed inside the
 * loop, so that no lane waits for another until the loop is over.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param epilogue function of the f32 sum
 * @returns y `[M, N]`
 */
export const linearSmall = kernel(
  {
    name: "linear_small",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
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
  ({ x, w, y, epilogue, K, O }, { BM, BN, BK, KL, KV, stages }) => {
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
    store(y, [rows, columns], cast(epilogue(sum(acc, "KL")), O));
  },
);

const NARROW = { BK: 32, KL: 8, KV: 4 };

/** Problems for the kernels for few rows; also those of linear-bias-small.ts. */
export const LINEAR_SMALL_PROBLEMS: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, N: 16, K: 16 } },
  { name: "one of one", seed: 2, dims: { M: 1, N: 1, K: 1 }, config: { BM: 1, BN: 1, ...NARROW } },
  {
    name: "prime sizes",
    seed: 3,
    dims: { M: 3, N: 23, K: 37 },
    config: { BM: 4, BN: 4, ...NARROW },
  },
  { name: "block - 1", seed: 4, dims: { M: 7, N: 15, K: 255 } },
  { name: "block + 1", seed: 5, dims: { M: 9, N: 17, K: 257 } },
  {
    name: "one row, silu",
    seed: 6,
    dims: { M: 1, N: 40, K: 520 },
    config: { BM: 1, BN: 4 },
    options: { silu: 1 },
  },
  { name: "two rows", seed: 7, dims: { M: 2, N: 64, K: 96 }, config: { BM: 2, BN: 16, ...NARROW } },
];

export const linearSmallEntry = defineKernelEntry({
  kernel: linearSmall,
  samples: linearProblems(LINEAR_SMALL_PROBLEMS),
  inputs: (problem) => linearInputs(problem, false),
  reference: linearReference,
  bytes: linearBytes,
  flops: linearFlops,
});
