/** [dsl/kernels] Sample problems of products of 8-bit rows with 8-bit experts: inputs, reference, cost. No kernel is defined here. */
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
import { alignedBlocks } from "./moe-align.ts";
import { clampedGate } from "./moe-gates.ts";
import { expertReference, routing, sortedInputs } from "./moe-gemm-samples.ts";
import { elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

interface Shape {
  readonly name: string;
  readonly seed: number;
  readonly rows: number;
  readonly topK: number;
  readonly experts: number;
  readonly blockRows: number;
  /** The dims K, KG, G, B, N. */
  readonly sizes: Readonly<Record<"K" | "KG" | "G" | "B" | "N", number>>;
  readonly config?: Problem["config"];
  readonly functions?: Problem["functions"];
  /** Dtypes Q and O. */
  readonly of: readonly (readonly [DType, DType])[];
}

const SHAPES: readonly Shape[] = [
  {
    name: "whole rows of a prime size",
    seed: 1,
    rows: 7,
    topK: 2,
    experts: 5,
    blockRows: 8,
    sizes: { K: 37, KG: 1, G: 1, B: 0, N: 23 },
    config: { BN: 16, BK: 16 },
    of: [
      ["i8", "f32"],
      ["f8e4m3", "bf16"],
    ],
  },
  {
    name: "clamped gate, biases",
    seed: 2,
    rows: 6,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 96, KG: 1, G: 2, B: 2, N: 24 },
    config: { BN: 32, BK: 32 },
    functions: { join: clampedGate },
    of: [
      ["f8e4m3", "f32"],
      ["i8", "f16"],
    ],
  },
  {
    name: "groups of 128, a row for each slot",
    seed: 3,
    rows: 21,
    topK: 1,
    experts: 3,
    blockRows: 16,
    sizes: { K: 384, KG: 3, G: 1, B: 1, N: 40 },
    of: [
      ["f8e4m3", "f32"],
      ["i8", "bf16"],
    ],
  },
  {
    name: "groups of 128, gate and up",
    seed: 4,
    rows: 11,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 256, KG: 2, G: 2, B: 0, N: 72 },
    config: { BK: 128 },
    of: [
      ["f8e4m3", "f16"],
      ["f8e4m3", "bf16"],
    ],
  },
  {
    name: "whole rows",
    seed: 5,
    rows: 13,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 192, KG: 1, G: 2, B: 0, N: 72 },
    of: [
      ["i8", "bf16"],
      ["f8e4m3", "bf16"],
    ],
  },
];

export function scaledExpertProblems(): readonly Problem[] {
  return SHAPES.flatMap(({ name, seed, rows, topK, experts, blockRows, sizes, of, ...more }) => {
    const slots = rows * topK;
    const places = { PB: alignedBlocks(slots, experts, blockRows), BM: blockRows, S: slots };
    const { config, functions } = more;
    return of.map(([Q, O]) => ({
      name: `${name}, Q=${Q} O=${O}`,
      seed,
      dims: { R: rows, E: experts, ...sizes, ...places },
      dtypes: { Q, O },
      ...(config === undefined ? {} : { config }),
      ...(functions === undefined ? {} : { functions }),
    }));
  });
}

/** Deviation of the codes. */
const SPREAD: Readonly<Partial<Record<DType, number>>> = { i8: 70, f8e4m3: 4 };

export function scaledExpertInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const Q = dtypeOf(problem, "Q");
  const spread = SPREAD[Q] ?? 1;
  const shapeOf = (...dims: readonly string[]) => dims.map((dim) => dimOf(problem, dim));
  const codes = (shape: readonly number[]): HostTensor =>
    Q === "i8"
      ? hostTensor(Q, shape, () => random.integer(-127, 128))
      : randomTensor(random, Q, shape, spread);
  /** Of up to twice what gives numbers of this deviation; some are 0. */
  const scales = (shape: readonly number[], deviation: number): HostTensor =>
    hostTensor("f32", shape, (i) =>
      i % 37 === 36 ? 0 : (2 ** random.uniform() * deviation) / spread,
    );
  return {
    tensors: {
      x: codes(shapeOf("R", "K")),
      xScale: scales(shapeOf("KG", "R"), 1),
      w: codes(shapeOf("E", "G", "N", "K")),
      scale: scales(shapeOf("E", "KG", "G", "N"), 1 / Math.sqrt(dimOf(problem, "K"))),
      bias: randomTensor(random, dtypeOf(problem, "O"), shapeOf("E", "B", "N")),
      ...sortedInputs(problem).tensors,
    },
    scalars: {},
  };
}

/** Codes times their scales, in doubles. @param scaleAt of row and group of columns */
function plain(
  { shape, data }: HostTensor,
  groups: number,
  scaleAt: (row: number, group: number) => number,
): HostTensor {
  const length = shape.at(-1) ?? 1;
  const size = length / groups;
  return {
    dtype: "f32",
    shape,
    data: Float64Array.from(
      data,
      (code, i) => code * scaleAt(Math.floor(i / length), Math.floor((i % length) / size)),
    ),
  };
}

export function scaledExpertReference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const [xScale, scale] = [tensorOf(call, "xScale"), tensorOf(call, "scale")];
  const [, halves = 1, columns = 1] = w.shape;
  const [groups = 1] = xScale.shape;
  const weightScale = (row: number, group: number): number => {
    const [n, half] = [row % columns, Math.floor(row / columns) % halves];
    return elementAt(scale, Math.floor(row / (columns * halves)), group, half, n);
  };
  const { y } = expertReference({
    ...call,
    tensors: {
      ...call.tensors,
      x: plain(x, groups, (row, group) => elementAt(xScale, group, row)),
      w: plain(w, groups, weightScale),
    },
  });
  // Tensor cores add 8-bit floats with about as many bits as f16 has.
  const inner = x.dtype === "i8" ? ({} as const) : ({ inner: "f16" } as const);
  return { y: { data: y.data, tolerance: { ...y.tolerance, ...inner } } };
}

/** The weights of as many experts as the problem's routing takes. */
export function scaledExpertBytes(problem: Problem): number {
  const [rows, k, n] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "N")];
  const weights = new Set(routing(problem)).size * dimOf(problem, "G") * n;
  const scales = (rows + weights) * dimOf(problem, "KG");
  return (
    (rows + weights) * k +
    storageBytes("f32", scales) +
    storageBytes(dtypeOf(problem, "O"), dimOf(problem, "S") * n)
  );
}
