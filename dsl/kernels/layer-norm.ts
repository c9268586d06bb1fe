/** [dsl/kernels] Row-wise layer normalisation with scale and shift. The variant with a residual is in add-layer-norm.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, cast, load, pid, rsqrt, store, sum } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { FEW_NORM_SHAPES, normInput } from "./rms-norm.ts";
import { editable, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y = (x - mean(x)) / sqrt(var(x) + eps) · w + b, row by row, in f32 and rounded once. One row a program.
 * @param x `[R, H]`
 * @param w `[H]`
 * @param b `[H]`
 * @param eps added to the variance; unitless, > 0 where a row may be constant
 * @returns y `[R, H]`
 * @source arXiv 1607.06450 (layer normalisation)
 */
export const layerNorm = kernel(
  {
    name: "layer_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      w: tensor("T", "H"),
      b: tensor("T", "H"),
      y: out("T", "R", "H"),
      eps: scalar("f32"),
    },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, w, b, y, eps, H, T }) => {
    const r = pid(0);
    const v = cast(load(x, [r, all(H)]), "f32");
    const centred = v - sum(v, "H") / H;
    const scale = rsqrt(sum(centred * centred, "H") / H + eps);
    const weight = cast(load(w, [all(H)]), "f32");
    const bias = cast(load(b, [all(H)]), "f32");
    store(y, [r, all(H)], cast(centred * scale * weight + bias, T));
  },
);

/** Normalises one row of plain numbers. */
export function layerNormalizeRow(
  row: ArrayLike<number>,
  weight: ArrayLike<number>,
  bias: ArrayLike<number>,
  eps: number,
): readonly number[] {
  const values = Array.from(row);
  const mean = values.reduce((total, v) => total + v, 0) / values.length;
  const variance = values.reduce((total, v) => total + (v - mean) ** 2, 0) / values.length;
  return values.map(
    (v, i) =>
      ((v - mean) / Math.sqrt(variance + eps)) * (weight[i] ?? Number.NaN) +
      (bias[i] ?? Number.NaN),
  );
}

/** Weight and bias of a problem. */
export function layerNormWeights(problem: Problem) {
  const random = randomSource(problem.seed);
  const [dtype, shape] = [dtypeOf(problem, "T"), [dimOf(problem, "H")]];
  return { w: randomTensor(random, dtype, shape), b: randomTensor(random, dtype, shape) };
}

function inputs(problem: Problem): KernelInputs {
  return {
    tensors: { x: normInput(problem, 0), ...layerNormWeights(problem) },
    scalars: { eps: Math.fround(1e-5) },
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const [w, b] = [tensorOf(call, "w").data, tensorOf(call, "b").data];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    const row = x.data.subarray(r * width, (r + 1) * width);
    y.setRow(layerNormalizeRow(row, w, b, scalarOf(call, "eps")), r);
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: width, scale: 4 } } };
}

export const layerNormEntry = defineKernelEntry({
  kernel: layerNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], FEW_NORM_SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (2 * dimOf(problem, "R") + 2) * dimOf(problem, "H")),
  flops: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "H"),
});
