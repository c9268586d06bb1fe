/** [runtime/conformance] Contractions: every operand dtype, odd sizes, accumulators, chains, axis orders, batches of rows. */
import {
  broadcast,
  cast,
  cdiv,
  type DType,
  dot,
  kernel,
  load,
  out,
  pid,
  range,
  rename,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, tensorOf, uniform } from "./case.ts";

/** x · wᵀ in blocks, float operands. */
const floats = kernel(
  {
    name: "dot_floats",
    dtypes: { T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 16, BN: 16, BK: 16, stages: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK, stages }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages }))
      acc = dot(
        load(x, [tile(pid(1), BM), span(k, BK)]),
        load(w, [tile(pid(0), BN), span(k, BK)]),
        acc,
      );
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], acc);
  },
);

/** The same over integers, with wrapping-free sums in i32. */
const integers = kernel(
  {
    name: "dot_integers",
    dtypes: { T: ["i8", "u8", "i32"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("i32", "M", "N") },
    config: { BM: 16, BN: 16, BK: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK }) => {
    let acc: number = zeros("i32", BM, BN);
    for (const k of range(0, K, BK))
      acc = dot(
        load(x, [tile(pid(1), BM), span(k, BK)]),
        load(w, [tile(pid(0), BN), span(k, BK)]),
        acc,
      );
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], acc);
  },
);

/** Both operands with the contracted axis first, so that they are read the other way round. */
const transposed = kernel(
  {
    name: "dot_transposed",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { a: tensor("T", "K", "M"), b: tensor("T", "K", "N"), y: out("f32", "N", "M") },
    config: { BM: 32, BN: 16, BK: 32, stages: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ a, b, y, K }, { BM, BN, BK, stages }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages }))
      acc = dot(
        load(a, [span(k, BK), tile(pid(1), BM)]),
        load(b, [span(k, BK), tile(pid(0), BN)]),
        acc,
      );
    store(y, [tile(pid(0), BN), tile(pid(1), BM)], broadcast(acc, BN, BM));
  },
);

/** Whole tiles of any size, nothing masked: sizes of no power of two are padded by the compiler. */
const whole = kernel(
  {
    name: "dot_whole",
    dtypes: { T: ["f32", "f16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
      c: tensor("f32", "M", "N"),
      y: out("f32", "M", "N"),
    },
    config: {},
    specialize: ["M", "N", "K"],
    grid: () => 1,
  },
  ({ x, w, c, y, M, N, K }) => {
    const start = load(c, [tile(0, M), tile(0, N)]);
    const product = dot(
      load(x, [tile(0, M), tile(0, K)]),
      load(w, [tile(0, N), tile(0, K)]),
      start,
    );
    store(y, [tile(0, M), tile(0, N)], product * 2 - start);
  },
);

/** A product of three: the first result, rounded, is an operand of the second, as in attention. */
const chain = kernel(
  {
    name: "dot_chain",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "M", "D"),
      k: tensor("T", "L", "D"),
      v: tensor("T", "L", "D"),
      y: out("f32", "M", "D"),
    },
    config: { BM: 16, BL: 32 },
    specialize: ["D"],
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ q, k, v, y, L, D, T }, { BM, BL }) => {
    const rows = load(q, [tile(pid(0), BM), tile(0, D)]);
    let acc = zeros("f32", BM, D);
    for (const l of range(0, L, BL)) {
      const scores = dot(rows, load(k, [span(l, BL), tile(0, D)])); // [BM, BL]
      acc = dot(cast(scores * 0.125, T), load(v, [span(l, BL), tile(0, D)]), acc);
    }
    store(y, [tile(pid(0), BM), tile(0, D)], acc);
  },
);

/** A tile times itself: rows against rows under another name. */
const gram = kernel(
  {
    name: "dot_gram",
    dtypes: { T: ["f32", "f16"] },
    params: { x: tensor("T", "M", "K"), y: out("f32", 32, 32) },
    config: { BM: 32, BN: 32, BK: 16 },
    grid: () => 1,
  },
  ({ x, y, K }, { BM, BN, BK }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK)) {
      const rows = load(x, [span(0, BM), span(k, BK)]);
      acc = dot(rows, rename(rows, "BM", BN), acc);
    }
    store(y, [span(0, BM), span(0, BN)], acc);
  },
);

/** Rows and a single vector: one operand has no axis but the contracted one. */
const vector = kernel(
  {
    name: "dot_vector",
    dtypes: { T: ["f32", "f16"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "K"), y: out("f32", "M") },
    config: { BM: 16, BK: 32 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, w, y, K }, { BM, BK }) => {
    let acc = zeros("f32", BM);
    for (const k of range(0, K, BK))
      acc = dot(load(x, [tile(pid(0), BM), span(k, BK)]), load(w, [span(k, BK)]), acc);
    store(y, [tile(pid(0), BM)], acc);
  },
);

const operand = (T: DType, shape: readonly number[], seed: number) => {
  const at = uniform(seed);
  const top = T === "u8" ? 255 : T === "i8" ? 127 : 100;
  const isFloat = T.startsWith("f") || T.startsWith("b");
  return tensorOf(T, shape, (i) =>
    isFloat ? (at(i) - 0.5) * 2 : Math.floor(at(i) * top * 2) - (T === "u8" ? 0 : top),
  );
};

const close = (length: number) => ({ y: { kind: "rounding", length, scale: length / 2 } }) as const;

const SIZES = [
  [0, 4, 4],
  [1, 1, 1],
  [16, 16, 16],
  [17, 15, 37],
  [33, 47, 64],
  [5, 70, 129],
] as const;

const floatCases: readonly CaseSpec[] = (
  ["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] as const
).flatMap((T) =>
  SIZES.map(([m, n, k]) => ({
    name: `${m} × ${n} × ${k}, ${T}`,
    kernel: floats,
    dtypes: { T },
    tensors: { x: operand(T, [m, k], 1), w: operand(T, [n, k], 2), y: outputOf("f32", [m, n]) },
    tolerance: close(k),
  })),
);

/** Block sizes that dot instructions meet in several ways. */
const BLOCKS = [
  { BM: 32, BN: 8, BK: 16 },
  { BM: 64, BN: 32, BK: 32, stages: 3 },
  { BM: 16, BN: 64, BK: 8, stages: 1 },
  { BM: 8, BN: 16, BK: 64 },
  { BM: 48, BN: 24, BK: 16 },
  { BM: 32, BN: 32, BK: 16, warps: 1 },
] as const;
const blockCases: readonly CaseSpec[] = (["f32", "f16"] as const).flatMap((T) =>
  BLOCKS.map((config) => ({
    name: `blocks ${Object.entries(config).join(" ").replaceAll(",", "=")}, ${T}`,
    kernel: floats,
    dtypes: { T },
    config,
    tensors: {
      x: operand(T, [65, 40], 1),
      w: operand(T, [33, 40], 2),
      y: outputOf("f32", [65, 33]),
    },
    tolerance: close(40),
  })),
);

const integerCases: readonly CaseSpec[] = (["i8", "u8", "i32"] as const).flatMap((T) =>
  SIZES.map(([m, n, k]) => ({
    name: `${m} × ${n} × ${k}, ${T}`,
    kernel: integers,
    dtypes: { T },
    tensors: { x: operand(T, [m, k], 1), w: operand(T, [n, k], 2), y: outputOf("i32", [m, n]) },
  })),
);

const transposedCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).flatMap((T) =>
  [
    [32, 16, 32],
    [33, 17, 41],
    [64, 48, 96],
  ].map(([m = 0, n = 0, k = 0]) => ({
    name: `${m} × ${n} × ${k}, ${T}`,
    kernel: transposed,
    dtypes: { T },
    tensors: { a: operand(T, [k, m], 1), b: operand(T, [k, n], 2), y: outputOf("f32", [n, m]) },
    tolerance: close(k),
  })),
);

const wholeCases: readonly CaseSpec[] = (["f32", "f16"] as const).flatMap((T) =>
  [
    [1, 1, 1],
    [16, 8, 16],
    [7, 12, 20],
    [16, 80, 24],
    [24, 16, 96],
  ].map(([m = 0, n = 0, k = 0]) => ({
    name: `${m} × ${n} × ${k}, ${T}`,
    kernel: whole,
    dtypes: { T },
    tensors: {
      x: operand(T, [m, k], 1),
      w: operand(T, [n, k], 2),
      c: operand("f32", [m, n], 3),
      y: outputOf("f32", [m, n]),
    },
    tolerance: close(k),
  })),
);

const chainCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).flatMap((T) =>
  [
    [1, 1, 8],
    [16, 32, 16],
    [19, 45, 64],
    [8, 100, 80],
  ].map(([m = 0, l = 0, d = 0]) => ({
    name: `${m} × ${l} × ${d}, ${T}`,
    kernel: chain,
    dtypes: { T },
    tensors: {
      q: operand(T, [m, d], 1),
      k: operand(T, [l, d], 2),
      v: operand(T, [l, d], 3),
      y: outputOf("f32", [m, d]),
    },
    tolerance: { y: { kind: "rounding", length: d + l, inner: T, scale: l } } as const,
  })),
);

const gramCases: readonly CaseSpec[] = (["f32", "f16"] as const).map((T) => ({
  name: `31 × 20, ${T}`,
  kernel: gram,
  dtypes: { T },
  tensors: { x: operand(T, [31, 20], 1), y: outputOf("f32", [32, 32]) },
  tolerance: close(20),
}));

const vectorCases: readonly CaseSpec[] = (["f32", "f16"] as const).flatMap((T) =>
  [1, 33, 100].map((k) => ({
    name: `19 × ${k}, ${T}`,
    kernel: vector,
    dtypes: { T },
    tensors: { x: operand(T, [19, k], 1), w: operand(T, [k], 2), y: outputOf("f32", [19]) },
    tolerance: close(k),
  })),
);

/** Infinities and NaN in one row and one column go where the definition puts them, and zeros times them give NaN. */
const specialCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).map((T) => ({
  name: `NaN and infinities, ${T}`,
  kernel: floats,
  dtypes: { T },
  tensors: {
    x: tensorOf(T, [17, 18], (i) =>
      i === 20 ? Number.NaN : i === 40 ? Number.POSITIVE_INFINITY : i % 18 === 3 ? 0 : 1,
    ),
    w: tensorOf(T, [16, 18], (i) => (i === 3 ? Number.NEGATIVE_INFINITY : i % 5)),
    y: outputOf("f32", [17, 16]),
  },
}));

export const dotCases = defineCases("dot", [
  ...floatCases,
  ...blockCases,
  ...integerCases,
  ...transposedCases,
  ...wholeCases,
  ...chainCases,
  ...gramCases,
  ...vectorCases,
  ...specialCases,
]);
