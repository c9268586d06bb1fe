/** [dsl/kernels] What the kernels that quantize activations share: sample problems, reference, cost. No kernel is defined here. */
import { type DType, storageBytes } from "../core/dtype.ts";
import {
  dimOf,
  dtypeOf,
  type ExpectedTensor,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, roundTo } from "./sample-data.ts";

/** Rows of one and of several groups, with sizes that are no power of two, and a row of zeros. */
export const QUANTIZE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, H: 64, HG: 1 } },
  { name: "one of one", seed: 2, dims: { R: 1, H: 1, HG: 1 } },
  { name: "prime", seed: 3, dims: { R: 3, H: 61, HG: 1 } },
  { name: "groups of 128", seed: 4, dims: { R: 5, H: 384, HG: 3 } },
  { name: "model row", seed: 5, dims: { R: 2, H: 512, HG: 1 } },
];

/** Each shape in one pair of dtypes, the last in all that matter. */
export function quantizeProblems(shapes: readonly Omit<Problem, "dtypes">[]): readonly Problem[] {
  const pairs = [
    { T: "bf16", Q: "f8e4m3" },
    { T: "f16", Q: "i8" },
    { T: "f32", Q: "f8e4m3" },
    { T: "f32", Q: "i8" },
  ] as const;
  return shapes.flatMap((shape, i) => {
    const isLast = i === shapes.length - 1;
    const chosen = isLast ? pairs : pairs.filter((_, p) => p === i % 2);
    return chosen.map((dtypes) => ({
      ...shape,
      name: `${shape.name}, T=${dtypes.T} Q=${dtypes.Q}`,
      dtypes,
    }));
  });
}

/**
 * Codes and scales that must come out of rows of plain numbers.
 * @param values row-major, before they are quantized
 * @param slack relative error that the values may have on a device
 */
export function quantized(
  call: ReferenceCall,
  values: ArrayLike<number>,
  width: number,
  slack = 2 ** -22,
): Readonly<Record<"q" | "scale", ExpectedTensor>> {
  const dtype = dtypeOf(call.problem, "Q");
  const most = dtype === "i8" ? 127 : 448;
  const q = editable(tensorOf(call, "q"));
  const scale = editable(tensorOf(call, "scale"));
  const [rows, groups] = [dimOf(call.problem, "R"), dimOf(call.problem, "HG")];
  const size = width / groups;
  const allowed: (readonly number[])[] = [];
  for (let r = 0; r < rows; r++) {
    for (let g = 0; g < groups; g++) {
      const at = (i: number): number => values[r * width + g * size + i] ?? Number.NaN;
      let greatest = 0;
      for (let i = 0; i < size; i++) greatest = Math.max(greatest, Math.abs(at(i)));
      scale.set(greatest === 0 ? 1 : greatest / most, g, r);
      for (let i = 0; i < size; i++) {
        const scaled = greatest === 0 ? 0 : (at(i) * most) / greatest;
        const step = Math.max(Math.abs(scaled), 1) * slack;
        q.set(codeOf(dtype, scaled), r, g * size + i);
        // Near the middle of two codes either is right.
        allowed.push([codeOf(dtype, scaled - step), codeOf(dtype, scaled + step)]);
      }
    }
  }
  return {
    q: { data: q.data, tolerance: { kind: "choice", allowed } },
    scale: { data: scale.data, tolerance: { kind: "rounding", length: width } },
  };
}

/** The code of a value over its scale. */
export function codeOf(dtype: DType, scaled: number): number {
  return dtype === "i8"
    ? Math.max(-128, Math.min(127, Math.round(scaled)))
    : roundTo("f8e4m3", scaled);
}

/** Bytes of `reads` rows of activations, `weights` elements besides, codes and scales. */
export function quantizeBytes(problem: Problem, reads: number, weights: number): number {
  const [rows, width] = [dimOf(problem, "R"), problem.dims["H"] ?? dimOf(problem, "I")];
  const read = storageBytes(dtypeOf(problem, "T"), reads * rows * width + weights);
  return read + rows * width + 4 * rows * dimOf(problem, "HG");
}
