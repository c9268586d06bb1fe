/** [dsl/kernels] Residual addition fused with the RMS normalisation that follows it. */
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
import { NORM_SHAPES, normalizeRow, normInput } from "./rms-norm.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * residual = residual + x, rounded to T; y = residual / sqrt(mean(residual²) + eps) · w, of the rounded sum. One row a program.
 * @param x `[R, H]`, what the last block of layers gave
 * @param residual `[R, H]`, updated in place
 * @param w `[H]`
 * @returns y `[R, H]`
 * @source arXiv 1910.07467 (RMSNorm)
 */
export const addRmsNorm = kernel(
  {
    name: "add_rms_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      residual: inout("T", "R", "H"),
      w: tensor("T", "H"),
      y: out("T", "R", "H"),
      eps: scalar("f32"),
    },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, residual, w, y, eps, H, T }) => {
    const r = pid(0);
    const added = cast(
      cast(load(x, [r, all(H)]), "f32") + cast(load(residual, [r, all(H)]), "f32"),
      T,
    );
    store(residual, [r, all(H)], added);
    const v = cast(added, "f32");
    const scale = rsqrt(sum(v * v, "H") / H + eps);
    store(y, [r, all(H)], cast(v * scale * cast(load(w, [all(H)]), "f32"), T));
  },
);

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  return {
    tensors: {
      x: normInput(problem, 0),
      residual: normInput(problem, 1),
      w: randomTensor(random, dtypeOf(problem, "T"), [dimOf(problem, "H")]),
    },
    scalars: { eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const before = tensorOf(call, "residual");
  const residual = editable(before);
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let h = 0; h < width; h++) {
      residual.set(Math.fround(elementAt(x, r, h) + elementAt(before, r, h)), r, h);
    }
    const row = residual.data.subarray(r * width, (r + 1) * width);
    y.setRow(normalizeRow(row, tensorOf(call, "w").data, scalarOf(call, "eps")), r);
  }
  return {
    // One f32 addition and one rounding: every device gets the same bits.
    residual: { data: residual.data, tolerance: { kind: "exact" as const } },
    y: { data: y.data, tolerance: { kind: "rounding" as const, length: width } },
  };
}

export const addRmsNormEntry = defineKernelEntry({
  kernel: addRmsNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], NORM_SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (4 * dimOf(problem, "R") + 1) * dimOf(problem, "H")),
  flops: (problem) => 6 * dimOf(problem, "R") * dimOf(problem, "H"),
});
