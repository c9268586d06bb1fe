/** [dsl/kernels] RMS normalisation of rows that are gated by silu first. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, cast, load, pid, rsqrt, silu, span, store, sum } from "../ops/catalogue.ts";
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
import { normalizeRow } from "./rms-norm.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y = v / sqrt(mean(v²) + eps) · w with v = x · silu(gate), row by row, in f32 and rounded once. One row a program.
 * @param x `[R, H]`
 * @param gate `[R, W]`; its columns from `column` on count
 * @param w `[H]`
 * @param column first column of the gate
 * @param eps added to the mean square
 * @returns y `[R, H]`
 * @source arXiv 2405.21060 section 7 (the norm before the output projection of Mamba-2)
 */
export const gatedRmsNorm = kernel(
  {
    name: "gated_rms_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      gate: tensor("T", "R", "W"),
      w: tensor("T", "H"),
      y: out("T", "R", "H"),
      column: scalar("i32"),
      eps: scalar("f32"),
    },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, gate, w, y, column, eps, H, T }) => {
    const r = pid(0);
    const open = silu(cast(load(gate, [r, span(column, H)]), "f32"));
    const v = cast(load(x, [r, all(H)]), "f32") * open;
    const scale = rsqrt(sum(v * v, "H") / H + eps);
    store(y, [r, all(H)], cast(v * scale * cast(load(w, [all(H)]), "f32"), T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, H: 64, W: 64 } },
  { name: "one of one", seed: 2, dims: { R: 1, H: 1, W: 3 }, options: { column: 2 } },
  { name: "prime", seed: 3, dims: { R: 3, H: 61, W: 100 }, options: { column: 30 } },
  { name: "model row", seed: 4, dims: { R: 2, H: 1536, W: 3352 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [r, h, w] = [dimOf(problem, "R"), dimOf(problem, "H"), dimOf(problem, "W")];
  const column = problem.options?.["column"] ?? 0;
  const isRead = (i: number) => i % w >= column && i % w < column + h;
  return {
    tensors: {
      x: randomTensor(random, dtype, [r, h]),
      gate: hostTensor(dtype, [r, w], (i) => (isRead(i) ? random.normal() : Number.NaN)),
      w: randomTensor(random, dtype, [h]),
    },
    scalars: { column, eps: Math.fround(1e-5) },
  };
}

function reference(call: ReferenceCall) {
  const [x, gate] = [tensorOf(call, "x"), tensorOf(call, "gate")];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, width = 0] = x.shape;
  const column = scalarOf(call, "column");
  for (let r = 0; r < rows; r++) {
    const gated = Array.from({ length: width }, (_, h) => {
      const g = elementAt(gate, r, column + h);
      return (elementAt(x, r, h) * g) / (1 + Math.exp(-g));
    });
    y.setRow(normalizeRow(gated, tensorOf(call, "w").data, scalarOf(call, "eps")), r);
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: width } } };
}

export const gatedRmsNormEntry = defineKernelEntry({
  kernel: gatedRmsNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (3 * dimOf(problem, "R") + 1) * dimOf(problem, "H")),
  flops: (problem) => 9 * dimOf(problem, "R") * dimOf(problem, "H"),
});
