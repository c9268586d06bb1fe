/** [dsl/kernels] The gate of a gated MLP whose result leaves in 8 bits with scales. The plain gate is in silu-and-mul.ts. */
import { kernel, out, tensor } from "../language.ts";
import { all, cast, load, pid, silu, store } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { quantizeRow } from "./quantize-row.ts";
import { QUANTIZE_SHAPES, quantizeBytes, quantized, quantizeProblems } from "./quantize-samples.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * silu(x[:, 0]) · x[:, 1] ≈ q · scale, in f32 up to the rounding to q. One row a program.
 * @param x `[R, 2, I]`: gate, then up
 * @returns q `[R, I]`; scale `[HG, R]`, one for each I / HG columns of a row
 */
export const siluAndMulQuantize = kernel(
  {
    name: "silu_and_mul_quantize",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: { x: tensor("T", "R", 2, "I"), q: out("Q", "R", "I"), scale: out("f32", "HG", "R") },
    specialize: ["I", "HG"],
    grid: ({ R }) => R,
  },
  ({ x, q, scale, I, HG, Q }) => {
    const r = pid(0);
    const gate = cast(load(x, [r, 0, all(I)]), "f32");
    const up = cast(load(x, [r, 1, all(I)]), "f32");
    const row = quantizeRow(silu(gate) * up, "I", I, HG, Q);
    store(q, [r, all(I)], cast(row.codes, Q));
    store(scale, [all(HG), r], row.scale);
  },
);

const SHAPES = QUANTIZE_SHAPES.map(({ dims: { R = 0, H = 0, HG = 1 }, ...problem }) => ({
  ...problem,
  dims: { R, I: H, HG },
}));

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "R"), 2, dimOf(problem, "I")];
  return {
    tensors: { x: randomTensor(randomSource(problem.seed), dtypeOf(problem, "T"), shape, 2) },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const [rows = 0, , width = 0] = x.shape;
  const values = new Float64Array(rows * width);
  for (let r = 0; r < rows; r++)
    for (let i = 0; i < width; i++) {
      const gate = elementAt(x, r, 0, i);
      values[r * width + i] = (gate / (1 + Math.exp(-gate))) * elementAt(x, r, 1, i);
    }
  return quantized(call, values, width, 2 ** -18);
}

export const siluAndMulQuantizeEntry = defineKernelEntry({
  kernel: siluAndMulQuantize,
  samples: quantizeProblems(SHAPES),
  inputs,
  reference,
  bytes: (problem) => quantizeBytes(problem, 2, 0),
  flops: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "I"),
});
