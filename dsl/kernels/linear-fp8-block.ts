/** [dsl/kernels] Matrix multiplication of 8-bit floats with scales for 128 columns of each row of x and for blocks of 128 × 128 of w. */
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  axis,
  broadcast,
  cast,
  cdiv,
  dot,
  floordiv,
  iota,
  load,
  merge,
  minimum,
  pid,
  range,
  span,
  store,
  swizzle2d,
  tile,
  where,
  zeros,
} from "../ops/catalogue.ts";
import { defineKernelEntry, dimOf, type Problem } from "./define-kernel-entry.ts";
import { linearFlops } from "./linear-samples.ts";
import {
  BLOCK_PROBLEMS,
  scaledBytes,
  scaledInputs,
  scaledProblems,
  scaledReference,
} from "./scaled-samples.ts";

/** Columns, and rows of w, that share a scale. */
const GROUP = 128;

/** The greatest power of two up to a group that divides BN. */
function commonPart(columns: number): number {
  return Math.min(GROUP, columns & -columns);
}

/**
 * y = epilogue(Σ (x · wᵀ of a group) · xScale · wScale + bias): what 128 columns give, or BK of them, is scaled and added in f32.
 * @param x `[M, K]`
 * @param w `[N, K]`
 * @param xScale `[KG, M]`, KG = cdiv(K, 128)
 * @param wScale `[NG, KG]`, NG = cdiv(N, 128)
 * @param bias `[N]`, zeros where a layer has none
 * @param epilogue function of the scaled f32 sum
 * @returns y `[M, N]`
 */
export const linearFp8Block = kernel(
  {
    name: "linear_fp8_block",
    dtypes: { O: ["bf16", "f16", "f32"] },
    params: {
      x: tensor("f8e4m3", "M", "K"),
      w: tensor("f8e4m3", "N", "K"),
      xScale: tensor("f32", "KG", "M"),
      wScale: tensor("f32", "NG", "KG"),
      bias: tensor("f32", "N"),
      y: out("O", "M", "N"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 64, BN: 64, BK: 128, stages: 3, group: 8 },
    tune: {
      BM: [16, 32, 64, 128],
      BN: [32, 64, 96, 112, 128, 160, 192],
      BK: [32, 64, 128],
      stages: [1, 2, 3, 4, 5, 6, 8],
    },
    // No tile spans three blocks of columns.
    when: ({ BN, BK }) => GROUP % BK === 0 && BN <= GROUP + commonPart(BN),
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, xScale, wScale, bias, y, epilogue, M, N, K, NG, O }, { BM, BN, BK, stages, group }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), group);
    const [rows, columns] = [tile(pm, BM), tile(pn, BN)];
    // Columns that share a scale wherever the tile begins; it lies in one block of w or in two.
    const part = axis("BP", commonPart(BN));
    const parts = axis("BG", BN / part);
    const first = floordiv(pn * BN, GROUP);
    const isFirst = floordiv(pn * BN + iota(parts) * part, GROUP) === first;
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const product = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]));
      const at = floordiv(k, GROUP);
      const ofRows = load(xScale, [at, rows]);
      const ofFirst = load(wScale, [first, at]);
      if (GROUP % BN === 0) acc = acc + product * (ofRows * ofFirst);
      else {
        const ofParts = where(isFirst, ofFirst, load(wScale, [minimum(first + 1, NG - 1), at]));
        acc = acc + product * (ofRows * merge(broadcast(ofParts, parts, part), BN));
      }
    }
    store(y, [rows, columns], cast(epilogue(acc + load(bias, [columns])), O));
  },
);

export const linearFp8BlockEntry = defineKernelEntry({
  kernel: linearFp8Block,
  samples: scaledProblems(BLOCK_PROBLEMS),
  inputs: (problem: Problem) =>
    scaledInputs(problem, "f8e4m3", {
      x: [dimOf(problem, "KG"), dimOf(problem, "M")],
      w: [dimOf(problem, "NG"), dimOf(problem, "KG")],
    }),
  reference: scaledReference,
  bytes: scaledBytes,
  flops: linearFlops,
});
