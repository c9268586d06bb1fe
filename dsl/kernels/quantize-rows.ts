/** [dsl/kernels] Activations to 8 bits with scales for each row, or for groups of each row. */
import { kernel, out, tensor } from "../language.ts";
import { all, cast, load, pid, store } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { quantizeRow } from "./quantize-row.ts";
import { QUANTIZE_SHAPES, quantizeBytes, quantized, quantizeProblems } from "./quantize-samples.ts";
import { randomSource, randomTensor } from "./sample-data.ts";

/**
 * x ≈ q · scale. One row a program.
 * @param x `[R, H]`
 * @returns q `[R, H]`; scale `[HG, R]`, one for each H / HG columns of a row: HG is 1 for whole rows, H / 128 for groups of 128
 */
export const quantizeRows = kernel(
  {
    name: "quantize_rows",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: { x: tensor("T", "R", "H"), q: out("Q", "R", "H"), scale: out("f32", "HG", "R") },
    specialize: ["H", "HG"],
    grid: ({ R }) => R,
  },
  ({ x, q, scale, H, HG, Q }) => {
    const r = pid(0);
    const row = quantizeRow(cast(load(x, [r, all(H)]), "f32"), "H", H, HG, Q);
    store(q, [r, all(H)], cast(row.codes, Q));
    store(scale, [all(HG), r], row.scale);
  },
);

function reference(call: ReferenceCall) {
  const { data, shape } = tensorOf(call, "x");
  return quantized(call, data, shape[1] ?? 0);
}

export const quantizeRowsEntry = defineKernelEntry({
  kernel: quantizeRows,
  samples: quantizeProblems(QUANTIZE_SHAPES),
  inputs: (problem) => {
    const shape = [dimOf(problem, "R"), dimOf(problem, "H")];
    return {
      tensors: { x: randomTensor(randomSource(problem.seed), dtypeOf(problem, "T"), shape, 3) },
      scalars: {},
    };
  },
  reference,
  bytes: (problem) => quantizeBytes(problem, 1, 0),
  flops: (problem) => 3 * dimOf(problem, "R") * dimOf(problem, "H"),
});
