/** [dsl/kernels] Row-wise RMS normalisation whose result leaves in 8 bits with scales. The variant with a residual is in add-rms-norm-quantize.ts. */
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, cast, load, pid, rsqrt, store, sum } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { quantizeRow } from "./quantize-row.ts";
import { QUANTIZE_SHAPES, quantizeBytes, quantized, quantizeProblems } from "./quantize-samples.ts";
import { normalizeRow, normInput } from "./rms-norm.ts";
import { randomSource, randomTensor } from "./sample-data.ts";

/**
 * x / sqrt(mean(x²) + eps) · w ≈ q · scale, in f32 up to the rounding to q. One row a program.
 * @param x `[R, H]`
 * @param w `[H]`
 * @param eps added to the mean square; unitless, > 0 where a row may be all zeros
 * @returns q `[R, H]`; scale `[HG, R]`, one for each H / HG columns of a row
 */
export const rmsNormQuantize = kernel(
  {
    name: "rms_norm_quantize",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: {
      x: tensor("T", "R", "H"),
      w: tensor("T", "H"),
      q: out("Q", "R", "H"),
      scale: out("f32", "HG", "R"),
      eps: scalar("f32"),
    },
    specialize: ["H", "HG"],
    grid: ({ R }) => R,
  },
  ({ x, w, q, scale, eps, H, HG, Q }) => {
    const r = pid(0);
    const v = cast(load(x, [r, all(H)]), "f32");
    const normal = v * rsqrt(sum(v * v, "H") / H + eps) * cast(load(w, [all(H)]), "f32");
    const row = quantizeRow(normal, "H", H, HG, Q);
    store(q, [r, all(H)], cast(row.codes, Q));
    store(scale, [all(HG), r], row.scale);
  },
);

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  return {
    tensors: {
      x: normInput(problem, 0),
      w: randomTensor(random, dtypeOf(problem, "T"), [dimOf(problem, "H")]),
    },
    scalars: { eps: Math.fround(1e-5) },
  };
}

/** Rows of plain numbers, normalised, end to end. */
export function normalizeRows(
  rows: ArrayLike<number>,
  weight: ArrayLike<number>,
  eps: number,
): Float64Array {
  const values = Float64Array.from(rows);
  const width = weight.length;
  for (let at = 0; at < values.length; at += width)
    values.set(normalizeRow(values.slice(at, at + width), weight, eps), at);
  return values;
}

function reference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const values = normalizeRows(x.data, w.data, scalarOf(call, "eps"));
  return quantized(call, values, x.shape[1] ?? 0, 2 ** -18);
}

export const rmsNormQuantizeEntry = defineKernelEntry({
  kernel: rmsNormQuantize,
  samples: quantizeProblems(QUANTIZE_SHAPES),
  inputs,
  reference,
  bytes: (problem) => quantizeBytes(problem, 1, dimOf(problem, "H")),
  flops: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "H"),
});
