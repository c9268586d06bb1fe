/** [dsl/kernels] What the linear kernels with 8-bit operands and scales share: problems, inputs, reference, cost. No kernel is defined here. */
import { type DType, storageBytes } from "../core/dtype.ts";
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

const SMALL = { BM: 16, BN: 16, BK: 16 };

/** Sizes for the kernels with a scale for each row or tensor. */
export const SCALED_PROBLEMS: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, N: 16, K: 16 } },
  { name: "prime sizes", seed: 2, dims: { M: 17, N: 23, K: 37 }, config: SMALL },
  {
    name: "one row, silu",
    seed: 3,
    dims: { M: 1, N: 40, K: 48 },
    config: SMALL,
    options: { silu: 1 },
  },
  { name: "rows of 128 bytes", seed: 4, dims: { M: 65, N: 72, K: 272 }, config: { BK: 128 } },
  { name: "default blocks", seed: 5, dims: { M: 70, N: 136, K: 208 } },
];

/** Problems for the kernel with scales by blocks of 128; `KG` and `NG` count them. */
export const BLOCK_PROBLEMS: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, N: 16, K: 16 } },
  { name: "prime sizes", seed: 2, dims: { M: 17, N: 131, K: 257 }, config: SMALL },
  {
    name: "two trips a group, silu",
    seed: 3,
    dims: { M: 3, N: 72, K: 272 },
    config: { BK: 64 },
    options: { silu: 1 },
  },
  {
    name: "tiles of two blocks",
    seed: 5,
    dims: { M: 17, N: 200, K: 272 },
    config: { BM: 16, BN: 48, BK: 64 },
  },
  { name: "default blocks", seed: 4, dims: { M: 65, N: 264, K: 400 } },
].map(({ dims, ...problem }) => ({
  ...problem,
  dims: { ...dims, NG: Math.ceil(dims.N / 128), KG: Math.ceil(dims.K / 128) },
}));

/** Most problems in bf16, one in each of the other dtypes of the result. */
export function scaledProblems(problems: readonly Omit<Problem, "dtypes">[]): readonly Problem[] {
  const bound = (problem: Omit<Problem, "dtypes">, O: DType): Problem => ({
    ...problem,
    name: `${problem.name}, O=${O}`,
    dtypes: { O },
    ...(problem.options?.["silu"] === 1 ? { functions: { epilogue: siluEpilogue } } : {}),
  });
  const others = problems.filter(({ config }) => config !== undefined).slice(0, 1);
  return [
    ...others.flatMap((problem) => (["f32", "f16"] as const).map((O) => bound(problem, O))),
    ...problems.map((problem) => bound(problem, "bf16")),
  ];
}

/** Shapes of both scales: `xScale` and `wScale`. */
export interface ScaleShapes {
  readonly x: readonly number[];
  readonly w: readonly number[];
}

/** Inputs of a kernel with operands of `dtype`: scales of a quarter to four, some of 0. */
export function scaledInputs(
  problem: Problem,
  dtype: "f8e4m3" | "i8",
  shapes: ScaleShapes,
): KernelInputs {
  const random = randomSource(problem.seed);
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  const operand = (shape: readonly number[]): HostTensor =>
    dtype === "i8"
      ? hostTensor(dtype, shape, () => random.integer(-127, 128))
      : randomTensor(random, dtype, shape, 4);
  const scale = (shape: readonly number[], deviation: number): HostTensor =>
    hostTensor("f32", shape, (i) =>
      i % 37 === 36 ? 0 : 4 ** (2 * random.uniform() - 1) * deviation,
    );
  return {
    tensors: {
      x: operand([m, k]),
      w: operand([n, k]),
      xScale: scale(shapes.x, 1 / 8),
      wScale: scale(shapes.w, 1 / Math.sqrt(Math.max(1, k))),
      bias: randomTensor(random, "f32", [n]),
    },
    scalars: {},
  };
}

/** The scale of an element: one for all, one a row, or of a group of 128 columns: of each row (x) or of each 128 rows (w). */
function scaleAt(scale: HostTensor, of: "x" | "w", row: number, k: number): number {
  const group = Math.floor(k / 128);
  if (scale.shape.length === 1) return elementAt(scale, scale.shape[0] === 1 ? 0 : row);
  return of === "x" ? elementAt(scale, group, row) : elementAt(scale, Math.floor(row / 128), group);
}

/** y = epilogue(Σ x·xScale · w·wScale + bias), element by element. */
export function scaledReference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const [xScale, wScale] = [tensorOf(call, "xScale"), tensorOf(call, "wScale")];
  const bias = tensorOf(call, "bias");
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, length = 0] = x.shape;
  const [columns = 0] = w.shape;
  const isSilu = call.problem.options?.["silu"] === 1;
  let scale = 0;
  for (let m = 0; m < rows; m++) {
    for (let n = 0; n < columns; n++) {
      let total = elementAt(bias, n);
      let magnitude = Math.abs(total);
      for (let k = 0; k < length; k++) {
        const factor = scaleAt(xScale, "x", m, k) * scaleAt(wScale, "w", n, k);
        const term = elementAt(x, m, k) * elementAt(w, n, k) * factor;
        total += term;
        magnitude += Math.abs(term);
      }
      scale = Math.max(scale, magnitude);
      y.set(isSilu ? total / (1 + Math.exp(-total)) : total, m, n);
    }
  }
  // Tensor cores add 8-bit floats with about as many bits as f16 has.
  const inner = x.dtype === "i8" ? ({} as const) : ({ inner: "f16" } as const);
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length, scale, ...inner } } };
}

export function scaledBytes(problem: Problem): number {
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  return m * k + n * k + storageBytes(dtypeOf(problem, "O"), m * n);
}
