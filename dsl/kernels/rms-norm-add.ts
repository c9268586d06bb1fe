/** [dsl/kernels] RMS normalisation of what a layer gave, added to the residual stream: the norm that stands after a layer. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, scalar, tensor } from "../language.ts";
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
import { FEW_NORM_SHAPES, normalizeRow, normInput, weightOffset } from "./rms-norm.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * residual = residual + x / sqrt(mean(x²) + eps) · w, in f32 and rounded once. One row a program.
 * @param x `[R, H]`, what the layer gave
 * @param residual `[R, H]`, updated in place
 * @param w `[H]`; config OFFSET is added to it, in f32
 * @param eps added to the mean square
 * @source arXiv 2501.00656 (OLMo 2: norms after the layers)
 */
export const rmsNormAdd = kernel(
  {
    name: "rms_norm_add",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      residual: inout("T", "R", "H"),
      w: tensor("T", "H"),
      eps: scalar("f32"),
    },
    config: { OFFSET: 0 },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, residual, w, eps, H, T }, { OFFSET }) => {
    const r = pid(0);
    const v = cast(load(x, [r, all(H)]), "f32");
    const scale = rsqrt(sum(v * v, "H") / H + eps);
    const weight = cast(load(w, [all(H)]), "f32");
    const normal = v * scale * (OFFSET === 0 ? weight : weight + OFFSET);
    store(residual, [r, all(H)], cast(cast(load(residual, [r, all(H)]), "f32") + normal, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "offset", seed: 10, dims: { R: 3, H: 64 }, config: { OFFSET: 1 } },
  ...FEW_NORM_SHAPES,
];

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
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    const row = x.data.subarray(r * width, (r + 1) * width);
    const [weight, offset] = [tensorOf(call, "w").data, weightOffset(call.problem)];
    const normal = normalizeRow(row, weight, scalarOf(call, "eps"), offset);
    residual.setRow(
      normal.map((value, h) => value + elementAt(before, r, h)),
      r,
    );
  }
  const tolerance = { kind: "rounding" as const, length: width, scale: 4 };
  return { residual: { data: residual.data, tolerance } };
}

export const rmsNormAddEntry = defineKernelEntry({
  kernel: rmsNormAdd,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (3 * dimOf(problem, "R") + 1) * dimOf(problem, "H")),
  flops: (problem) => 6 * dimOf(problem, "R") * dimOf(problem, "H"),
});
