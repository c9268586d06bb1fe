/** [dsl/kernels] What the linear kernels with 4-bit weights share: problems, inputs, reference, cost. No kernel is defined here. */
import { type DType, storageBytes } from "../core/dtype.ts";
import { roundTo } from "../core/rounding.ts";
import type { DTypeArgument } from "../typing.ts";
import {
  dimOf,
  dtypeOf,
  type HostTensor,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { siluEpilogue } from "./linear-samples.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/** The code that stands for 0 in a weight without zero points. */
export function zeroOf(weight: DTypeArgument): number {
  return weight === "u4" ? 8 : 0;
}

type Shape = Omit<Problem, "dtypes"> & { readonly of: readonly (readonly [DType, DType, DType])[] };

/** Groups of 32, 64, 128 and whole columns, in the dtypes T, W and S of the formats that have them. */
const SHAPES: readonly Shape[] = [
  { name: "no rows", seed: 1, dims: { M: 0, N: 16, K: 64, KG: 1 }, of: [["f16", "u4", "f16"]] },
  {
    name: "whole columns of a prime size",
    seed: 2,
    dims: { M: 5, N: 23, K: 37, KG: 1 },
    config: { BN: 16, BK: 16 },
    of: [
      ["f32", "u4", "f32"],
      ["bf16", "u4", "bf16"],
    ],
  },
  {
    name: "groups of 32, silu",
    seed: 3,
    dims: { M: 3, N: 40, K: 96, KG: 3 },
    options: { silu: 1 },
    of: [
      ["f32", "f4e2m1", "f8e8m0"],
      ["bf16", "f4e2m1", "f8e8m0"],
    ],
  },
  {
    name: "groups of 96, which no trip of 64 fits",
    seed: 6,
    dims: { M: 4, N: 24, K: 192, KG: 2 },
    of: [["f32", "u4", "f32"]],
  },
  {
    name: "groups of 128",
    seed: 4,
    dims: { M: 17, N: 72, K: 256, KG: 2 },
    of: [
      ["f32", "u4", "f16"],
      ["bf16", "u4", "bf16"],
    ],
  },
  {
    name: "groups of 64",
    seed: 5,
    dims: { M: 18, N: 136, K: 192, KG: 3 },
    of: [
      ["f16", "nf4", "f32"],
      ["f32", "nf4", "f32"],
      ["bf16", "u4", "bf16"],
    ],
  },
];

/** @param hasZeros leaves out what has no zero points: all but u4 */
export function w4Problems(hasZeros: boolean): readonly Problem[] {
  return SHAPES.flatMap(({ of, ...shape }) =>
    (hasZeros ? [...of.filter(([, W]) => W === "u4")] : of).map(([T, W, S]): Problem => {
      const dtypes = hasZeros ? { T, S, O: T } : { T, W, S, O: T };
      const functions =
        shape.options === undefined ? {} : { functions: { epilogue: siluEpilogue } };
      return { ...shape, ...functions, name: `${shape.name}, T=${T} W=${W} S=${S}`, dtypes };
    }),
  );
}

export function w4Inputs(problem: Problem, hasZeros: boolean): KernelInputs {
  const random = randomSource(problem.seed);
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  const groups = dimOf(problem, "KG");
  const weight = hasZeros ? "u4" : dtypeOf(problem, "W");
  const [T, S] = [dtypeOf(problem, "T"), dtypeOf(problem, "S")];
  const codes = (shape: readonly number[]): HostTensor =>
    hostTensor("u4", shape, () => random.integer(0, 16));
  const values = (shape: readonly number[]): HostTensor => {
    const data = hostTensor(
      "f32",
      shape,
      () => random.normal() * (weight === "nf4" ? 0.4 : 2),
    ).data;
    return { dtype: weight, shape, data: data.map((x) => roundTo(weight, x)) };
  };
  const deviation = 1 / Math.sqrt(k) / (weight === "u4" ? 4 : 1);
  const scales = hostTensor("f32", [groups, n], () => deviation * 4 ** random.uniform()).data;
  return {
    tensors: {
      x: randomTensor(random, T, [m, k]),
      w: weight === "u4" ? codes([n, k]) : values([n, k]),
      scale: { dtype: S, shape: [groups, n], data: scales.map((x) => roundTo(S, x)) },
      ...(hasZeros ? { zero: codes([groups, n]) } : {}),
      bias: randomTensor(random, "f32", [n]),
    },
    scalars: {},
  };
}

/** y = epilogue(Σ x · (w - zero) · scale + bias), element by element, with a weight that is rounded to T. */
export function w4Reference(call: ReferenceCall) {
  const [x, w, scale] = [tensorOf(call, "x"), tensorOf(call, "w"), tensorOf(call, "scale")];
  const [bias, zeros] = [tensorOf(call, "bias"), call.tensors["zero"]];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, length = 0] = x.shape;
  const [columns = 0] = w.shape;
  const size = length / (scale.shape[0] ?? 1);
  const isSilu = call.problem.options?.["silu"] === 1;
  const weights = new Float64Array(length);
  let largest = 0;
  for (let n = 0; n < columns; n++) {
    for (let k = 0; k < length; k++) {
      const group = Math.floor(k / size);
      const zero = zeros === undefined ? zeroOf(w.dtype) : elementAt(zeros, group, n);
      const code = w.data[n * length + k] ?? Number.NaN;
      weights[k] = roundTo(x.dtype, (code - zero) * elementAt(scale, group, n));
    }
    for (let m = 0; m < rows; m++) {
      let total = elementAt(bias, n);
      let magnitude = Math.abs(total);
      const row = x.data.subarray(m * length, (m + 1) * length);
      for (let k = 0; k < length; k++) {
        const term = (row[k] ?? Number.NaN) * (weights[k] ?? 0);
        total += term;
        magnitude += Math.abs(term);
      }
      largest = Math.max(largest, magnitude);
      y.set(isSilu ? total / (1 + Math.exp(-total)) : total, m, n);
    }
  }
  // A product of code and scale that lies in the middle of two numbers of T may go either way.
  const tolerance = { kind: "rounding" as const, length, scale: largest, inner: x.dtype };
  return { y: { data: y.data, tolerance } };
}

export function w4Bytes(problem: Problem): number {
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  return (
    storageBytes(dtypeOf(problem, "T"), m * k) +
    (n * k) / 2 +
    storageBytes(dtypeOf(problem, "S"), dimOf(problem, "KG") * n) +
    storageBytes(dtypeOf(problem, "O"), m * n)
  );
}
