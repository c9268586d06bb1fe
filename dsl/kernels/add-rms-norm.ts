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
import { NORM_SHAPES, normalizeRow, normInput, weightOffset } from "./rms-norm.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * residual = residual + x · SCALE, rounded to T; y = residual / sqrt(mean(residual²) + eps) · w, of the rounded sum. One row a program.
 * @param x `[R, H]`, what the last block of layers gave
 * @param residual `[R, H]`, updated in place
 * @param w `[H]`; config OFFSET is added to it, in f32
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
    config: { OFFSET: 0, SCALE: 1 },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, residual, w, y, eps, H, T }, { OFFSET, SCALE }) => {
    const r = pid(0);
    const update = cast(load(x, [r, all(H)]), "f32");
    const added = cast(
      (SCALE === 1 ? update : update * SCALE) + cast(load(residual, [r, all(H)]), "f32"),
      T,
    );
    store(residual, [r, all(H)], added);
    const v = cast(added, "f32");
    const scale = rsqrt(sum(v * v, "H") / H + eps);
    const weight = cast(load(w, [all(H)]), "f32");
    store(y, [r, all(H)], cast(v * scale * (OFFSET === 0 ? weight : weight + OFFSET), T));
  },
);

const VARIANTS: readonly Omit<Problem, "dtypes">[] = [
  { name: "offset", seed: 10, dims: { R: 3, H: 64 }, config: { OFFSET: 1 } },
  { name: "scaled", seed: 11, dims: { R: 2, H: 96 }, config: { SCALE: 0.22 } },
  ...NORM_SHAPES,
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
  const y = editable(tensorOf(call, "y"));
  const scale = Math.fround(Number(call.problem.config?.["SCALE"] ?? 1));
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let h = 0; h < width; h++) {
      const update = scale === 1 ? elementAt(x, r, h) : Math.fround(elementAt(x, r, h) * scale);
      residual.set(Math.fround(update + elementAt(before, r, h)), r, h);
    }
    const row = residual.data.subarray(r * width, (r + 1) * width);
    const [weight, offset] = [tensorOf(call, "w").data, weightOffset(call.problem)];
    y.setRow(normalizeRow(row, weight, scalarOf(call, "eps"), offset), r);
  }
  return {
    // One f32 addition and one rounding: every device gets the same bits. A product before it may be fused with it.
    residual: {
      data: residual.data,
      tolerance:
        scale === 1 ? { kind: "exact" as const } : { kind: "rounding" as const, length: 2 },
    },
    y: { data: y.data, tolerance: { kind: "rounding" as const, length: width } },
  };
}

export const addRmsNormEntry = defineKernelEntry({
  kernel: addRmsNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], VARIANTS),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (4 * dimOf(problem, "R") + 1) * dimOf(problem, "H")),
  flops: (problem) => 6 * dimOf(problem, "R") * dimOf(problem, "H"),
});
