/** [dsl/kernels] Sample problems of products with quantized experts: inputs, reference, cost. No kernel is defined here. */
import { type DType, storageBytes } from "../core/dtype.ts";
import { roundTo } from "../core/rounding.ts";
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
import { expertReference, routing, sortedInputs } from "./moe-gemm-samples.ts";
import { elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";
import { zeroOf } from "./w4-samples.ts";

interface Shape {
  readonly name: string;
  readonly seed: number;
  readonly rows: number;
  readonly topK: number;
  readonly experts: number;
  readonly blockRows: number;
  /** The dims K, KG, Z, G, B, N. */
  readonly sizes: Readonly<Record<"K" | "KG" | "Z" | "G" | "B" | "N", number>>;
  readonly config?: Problem["config"];
  /** Dtypes T, W and SC. */
  readonly of: readonly (readonly [DType, DType, DType])[];
}

const SHAPES: readonly Shape[] = [
  {
    name: "whole columns of a prime size",
    seed: 1,
    rows: 7,
    topK: 2,
    experts: 5,
    blockRows: 8,
    sizes: { K: 37, KG: 1, Z: 0, G: 1, B: 0, N: 23 },
    config: { BN: 16, BK: 16 },
    of: [
      ["f32", "i8", "f32"],
      ["f16", "u4", "f32"],
      ["bf16", "u4", "bf16"],
    ],
  },
  {
    name: "groups of 32, biases",
    seed: 2,
    rows: 6,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 96, KG: 3, Z: 0, G: 2, B: 2, N: 24 },
    config: { BN: 32 },
    of: [
      ["f32", "f4e2m1", "f8e8m0"],
      ["bf16", "f4e2m1", "f8e8m0"],
    ],
  },
  {
    name: "groups of 32 in trips of 64",
    seed: 3,
    rows: 9,
    topK: 1,
    experts: 3,
    blockRows: 16,
    sizes: { K: 128, KG: 4, Z: 4, G: 1, B: 0, N: 40 },
    config: { BK: 64 },
    of: [["f16", "u4", "f16"]],
  },
  {
    name: "groups of 96, which no trip of 64 fits",
    seed: 6,
    rows: 5,
    topK: 2,
    experts: 3,
    blockRows: 16,
    sizes: { K: 192, KG: 2, Z: 2, G: 1, B: 0, N: 24 },
    config: { BK: 64 },
    of: [["f32", "u4", "f32"]],
  },
  {
    name: "groups of 128, zero points",
    seed: 4,
    rows: 11,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 256, KG: 2, Z: 2, G: 2, B: 0, N: 72 },
    of: [
      ["f32", "u4", "f16"],
      ["bf16", "u4", "bf16"],
    ],
  },
  {
    name: "groups of 64",
    seed: 5,
    rows: 13,
    topK: 2,
    experts: 4,
    blockRows: 16,
    sizes: { K: 128, KG: 2, Z: 0, G: 2, B: 0, N: 72 },
    of: [
      ["f32", "nf4", "f32"],
      ["f16", "f8e4m3", "f32"],
      ["bf16", "u4", "bf16"],
    ],
  },
];

export function quantizedExpertProblems(): readonly Problem[] {
  return SHAPES.flatMap(({ name, seed, rows, topK, experts, blockRows, sizes, config, of }) => {
    const slots = rows * topK;
    const places = { PB: alignedBlocks(slots, experts, blockRows), BM: blockRows, S: slots };
    return of.map(([T, W, SC]) => ({
      name: `${name}, T=${T} W=${W} SC=${SC}`,
      seed,
      dims: { R: rows, E: experts, ...sizes, ...places },
      dtypes: { T, W, SC, O: T },
      ...(config === undefined ? {} : { config }),
    }));
  });
}

/** Numbers of a spread that suits the dtype, rounded to it. */
function codesOf(W: DType, shape: readonly number[], seed: number): HostTensor {
  const random = randomSource(seed);
  const value = (): number => {
    if (W === "u4") return random.integer(0, 16);
    if (W === "i8") return random.integer(-127, 128);
    return random.normal() * (W === "nf4" ? 0.4 : 2);
  };
  const { data } = hostTensor("f32", shape, value);
  return { dtype: W, shape, data: data.map((x) => roundTo(W, x)) };
}

export function quantizedExpertInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [T, W, SC] = [dtypeOf(problem, "T"), dtypeOf(problem, "W"), dtypeOf(problem, "SC")];
  const shapeOf = (...dims: readonly string[]) => dims.map((dim) => dimOf(problem, dim));
  const spread = { u4: 4, i8: 70 }[W as "u4" | "i8"] ?? 2;
  const deviation = 1 / Math.sqrt(dimOf(problem, "K")) / spread;
  const scales = hostTensor(
    "f32",
    shapeOf("E", "KG", "G", "N"),
    () => deviation * 2 ** random.uniform(),
  );
  return {
    tensors: {
      x: randomTensor(random, T, shapeOf("R", "K")),
      w: codesOf(W, shapeOf("E", "G", "N", "K"), problem.seed + 1),
      scale: { dtype: SC, shape: scales.shape, data: scales.data.map((x) => roundTo(SC, x)) },
      zero: codesOf("u4", shapeOf("E", "Z", "G", "N"), problem.seed + 2),
      bias: randomTensor(random, T, shapeOf("E", "B", "N")),
      ...sortedInputs(problem).tensors,
    },
    scalars: {},
  };
}

/** The weight as numbers of T. */
function plainWeight(call: ReferenceCall): HostTensor {
  const [w, scale, zero] = [tensorOf(call, "w"), tensorOf(call, "scale"), tensorOf(call, "zero")];
  const T = dtypeOf(call.problem, "T");
  const [, halves = 1, columns = 1, length = 1] = w.shape;
  const size = length / (scale.shape[1] ?? 1);
  const hasZeros = (zero.shape[1] ?? 0) > 0;
  const data = w.data.map((code, i) => {
    const [k, n] = [i % length, Math.floor(i / length) % columns];
    const half = Math.floor(i / (length * columns)) % halves;
    const expert = Math.floor(i / (length * columns * halves));
    const at = [expert, Math.floor(k / size), half, n] as const;
    const middle = hasZeros ? elementAt(zero, ...at) : zeroOf(w.dtype);
    return roundTo(T, (code - middle) * elementAt(scale, ...at));
  });
  return { dtype: T, shape: w.shape, data };
}

export function quantizedExpertReference(call: ReferenceCall) {
  const { y } = expertReference({
    ...call,
    tensors: { ...call.tensors, w: plainWeight(call) },
  });
  // A product of code and scale that lies in the middle of two numbers of T may go either way.
  const tolerance = { ...y.tolerance, inner: dtypeOf(call.problem, "T") };
  return { y: { data: y.data, tolerance } };
}

/** The weights of as many experts as the problem's routing takes. */
export function quantizedExpertBytes(problem: Problem): number {
  const [rows, k, n] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "N")];
  const weights = new Set(routing(problem)).size * dimOf(problem, "G") * n;
  return (
    storageBytes(dtypeOf(problem, "T"), rows * k) +
    storageBytes(dtypeOf(problem, "W"), weights * k) +
    storageBytes(dtypeOf(problem, "SC"), weights * dimOf(problem, "KG")) +
    storageBytes(dtypeOf(problem, "O"), dimOf(problem, "S") * n)
  );
}
