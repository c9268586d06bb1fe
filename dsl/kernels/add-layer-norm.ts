/** [dsl/kernels] Residual addition fused with the layer normalisation that follows it. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out, scalar, tensor } from "../language.ts";
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
import { layerNormalizeRow, layerNormWeights } from "./layer-norm.ts";
import { FEW_NORM_SHAPES, normInput } from "./rms-norm.ts";
import { editable, elementAt } from "./sample-data.ts";

/**
 * residual = residual + x, rounded to T; y = layer norm of the rounded sum. One row a program.
 * @param x `[R, H]`, what the last layer gave
 * @param residual `[R, H]`, updated in place
 * @param w `[H]`
 * @param b `[H]`
 * @param eps added to the variance
 * @returns y `[R, H]`
 * @source arXiv 1607.06450 (layer normalisation)
 */
export const addLayerNorm = kernel(
  {
    name: "add_layer_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      residual: inout("T", "R", "H"),
      w: tensor("T", "H"),
      b: tensor("T", "H"),
      y: out("T", "R", "H"),
      eps: scalar("f32"),
    },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, residual, w, b, y, eps, H, T }) => {
    const r = pid(0);
    const added = cast(
      cast(load(x, [r, all(H)]), "f32") + cast(load(residual, [r, all(H)]), "f32"),
      T,
    );
    store(residual, [r, all(H)], added);
    const v = cast(added, "f32");
    const centred = v - sum(v, "H") / H;
    const scale = rsqrt(sum(centred * centred, "H") / H + eps);
    const weight = cast(load(w, [all(H)]), "f32");
    const bias = cast(load(b, [all(H)]), "f32");
    store(y, [r, all(H)], cast(centred * scale * weight + bias, T));
  },
);

function inputs(problem: Problem): KernelInputs {
  return {
    tensors: {
      x: normInput(problem, 0),
      residual: normInput(problem, 1),
      ...layerNormWeights(problem),
    },
    scalars: { eps: Math.fround(1e-5) },
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const before = tensorOf(call, "residual");
  const residual = editable(before);
  const y = editable(tensorOf(call, "y"));
  const [w, b] = [tensorOf(call, "w").data, tensorOf(call, "b").data];
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let h = 0; h < width; h++) {
      residual.set(Math.fround(elementAt(x, r, h) + elementAt(before, r, h)), r, h);
    }
    const row = residual.data.subarray(r * width, (r + 1) * width);
    y.setRow(layerNormalizeRow(row, w, b, scalarOf(call, "eps")), r);
  }
  return {
    // One f32 addition and one rounding: every device gets the same bits.
    residual: { data: residual.data, tolerance: { kind: "exact" as const } },
    y: { data: y.data, tolerance: { kind: "rounding" as const, length: width, scale: 4 } },
  };
}

export const addLayerNormEntry = defineKernelEntry({
  kernel: addLayerNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], FEW_NORM_SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (4 * dimOf(problem, "R") + 2) * dimOf(problem, "H")),
  flops: (problem) => 9 * dimOf(problem, "R") * dimOf(problem, "H"),
});
