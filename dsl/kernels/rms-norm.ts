/** [dsl/kernels] Row-wise RMS normalisation. The variant with a residual is in add-rms-norm.ts. */
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
import { editable, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y = x / sqrt(mean(x²) + eps) · w, row by row, in f32 and rounded once. One row a program.
 * @param x `[R, H]`
 * @param w `[H]`; config OFFSET is added to it, in f32
 * @param eps added to the mean square; unitless, > 0 where a row may be all zeros
 * @returns y `[R, H]`
 * @source arXiv 1910.07467 (RMSNorm)
 */
export const rmsNorm = kernel(
  {
    name: "rms_norm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "H"),
      w: tensor("T", "H"),
      y: out("T", "R", "H"),
      eps: scalar("f32"),
    },
    config: { OFFSET: 0 },
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, w, y, eps, H, T }, { OFFSET }) => {
    const r = pid(0);
    const v = cast(load(x, [r, all(H)]), "f32");
    const scale = rsqrt(sum(v * v, "H") / H + eps);
    const weight = cast(load(w, [all(H)]), "f32");
    store(y, [r, all(H)], cast(v * scale * (OFFSET === 0 ? weight : weight + OFFSET), T));
  },
);

/** Row sizes of real models, and sizes that fit no block: 1, a prime, 172 = 4 · 43. */
export const NORM_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, H: 64 } },
  { name: "one of one", seed: 2, dims: { R: 1, H: 1 } },
  { name: "prime", seed: 3, dims: { R: 3, H: 61 } },
  { name: "not a power of two", seed: 4, dims: { R: 2, H: 172 } },
  { name: "block", seed: 5, dims: { R: 5, H: 128 } },
  { name: "block - 1", seed: 6, dims: { R: 2, H: 255 } },
  { name: "block + 1", seed: 7, dims: { R: 2, H: 257 } },
  { name: "zero row", seed: 8, dims: { R: 2, H: 96 }, options: { zeroRow: 0 } },
  { name: "model row", seed: 9, dims: { R: 1, H: 5120 } },
];

/** For kernels that differ from this one in little: a prime, a row of zeros, one past a block, the last as in models. */
export const FEW_NORM_SHAPES = NORM_SHAPES.filter(({ name }) =>
  ["prime", "zero row", "block + 1", "model row"].includes(name),
);

/** Of kernels whose weight takes an offset. */
const OFFSET_SHAPE = { name: "offset", seed: 10, dims: { R: 3, H: 64 }, config: { OFFSET: 1 } };

/** Random rows; row `options.zeroRow` is all zeros, which only `eps` keeps from dividing by zero. */
export function normInput(problem: Problem, seedOffset: number) {
  const random = randomSource(problem.seed * 31 + seedOffset);
  const rows = randomTensor(random, dtypeOf(problem, "T"), [
    dimOf(problem, "R"),
    dimOf(problem, "H"),
  ]);
  const zeroRow = problem.options?.["zeroRow"];
  if (zeroRow === undefined) return rows;
  const h = dimOf(problem, "H");
  return {
    ...rows,
    data: rows.data.map((value, i) => (Math.floor(i / h) === zeroRow ? 0 : value)),
  };
}

/** What a problem adds to the weights of its norm. */
export function weightOffset(problem: Problem): number {
  return Number(problem.config?.["OFFSET"] ?? 0);
}

/** Normalises one row of plain numbers. */
export function normalizeRow(
  row: ArrayLike<number>,
  weight: ArrayLike<number>,
  eps: number,
  offset = 0,
): readonly number[] {
  const values = Array.from(row);
  const meanSquare = values.reduce((total, v) => total + v * v, 0) / values.length;
  return values.map(
    (v, i) => (v / Math.sqrt(meanSquare + eps)) * (offset + (weight[i] ?? Number.NaN)),
  );
}

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

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const w = tensorOf(call, "w");
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    const row = x.data.subarray(r * width, (r + 1) * width);
    y.setRow(normalizeRow(row, w.data, scalarOf(call, "eps"), weightOffset(call.problem)), r);
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: width } } };
}

export const rmsNormEntry = defineKernelEntry({
  kernel: rmsNorm,
  samples: forDTypes("T", ["f32", "f16", "bf16"], [OFFSET_SHAPE, ...NORM_SHAPES]),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), (2 * dimOf(problem, "R") + 1) * dimOf(problem, "H")),
  flops: (problem) => 5 * dimOf(problem, "R") * dimOf(problem, "H"),
});
