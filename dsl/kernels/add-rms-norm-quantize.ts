/** [dsl/kernels] Residual addition fused with the RMS normalisation that follows it, whose result leaves in 8 bits with scales. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out, scalar, tensor } from "../language.ts";
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
import { normInput } from "./rms-norm.ts";
import { normalizeRows } from "./rms-norm-quantize.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * residual = residual + x, rounded to T; residual / sqrt(mean(residual²) + eps) · w ≈ q · scale, of the rounded sum. One row a program.
 * @param x `[R, H]`, what the last block of layers gave
 * @param residual `[R, H]`, updated in place
 * @param w `[H]`
 * @returns q `[R, H]`; scale `[HG, R]`, one for each H / HG columns of a row
 */
export const addRmsNormQuantize = kernel(
  {
    name: "add_rms_norm_quantize",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: {
      x: tensor("T", "R", "H"),
      residual: inout("T", "R", "H"),
      w: tensor("T", "H"),
      q: out("Q", "R", "H"),
      scale: out("f32", "HG", "R"),
      eps: scalar("f32"),
    },
    specialize: ["H", "HG"],
    grid: ({ R }) => R,
  },
  ({ x, residual, w, q, scale, eps, H, HG, T, Q }) => {
    const r = pid(0);
    const added = cast(
      cast(load(x, [r, all(H)]), "f32") + cast(load(residual, [r, all(H)]), "f32"),
      T,
    );
    store(residual, [r, all(H)], added);
    const v = cast(added, "f32");
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
      residual: normInput(problem, 1),
      w: randomTensor(random, dtypeOf(problem, "T"), [dimOf(problem, "H")]),
    },
    scalars: { eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const [x, before, w] = [tensorOf(call, "x"), tensorOf(call, "residual"), tensorOf(call, "w")];
  const residual = editable(before);
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++)
    for (let h = 0; h < width; h++)
      residual.set(Math.fround(elementAt(x, r, h) + elementAt(before, r, h)), r, h);
  const values = normalizeRows(residual.data, w.data, scalarOf(call, "eps"));
  return {
    residual: { data: residual.data, tolerance: { kind: "exact" as const } },
    ...quantized(call, values, width, 2 ** -18),
  };
}

export const addRmsNormQuantizeEntry = defineKernelEntry({
  kernel: addRmsNormQuantize,
  samples: quantizeProblems(QUANTIZE_SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    quantizeBytes(problem, 2, dimOf(problem, "H")) +
    storageBytes(dtypeOf(problem, "T"), dimOf(problem, "R") * dimOf(problem, "H")),
  flops: (problem) => 9 * dimOf(problem, "R") * dimOf(problem, "H"),
});
