/** [runtime/conformance] Reductions, positions of extremes and running sums: each axis, odd sizes, NaN, infinities, ties. */
import {
  argmax,
  argmin,
  broadcast,
  cast,
  cdiv,
  cummax,
  cumsum,
  type DType,
  every,
  exp,
  kernel,
  load,
  max,
  min,
  out,
  pid,
  some,
  store,
  sum,
  type Tolerance,
  tensor,
  tile,
  topK,
  where,
} from "../../dsl/index.ts";
import type { HostTensor } from "../../dsl/kernels/catalogue.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

const REDUCED = ["f32", "f16", "bf16", "i32", "u32"] as const;

/** Along the last axis of a block of rows. Past the tensor's end stands a number that changes no result. */
const alongRows = kernel(
  {
    name: "reduce_rows",
    dtypes: { T: ["f32", "f16", "bf16", "i32", "u32"] },
    params: { x: tensor("T", "M", "N"), y: out("T", 3, "M"), at: out("i32", 2, "M") },
    config: { BM: 4 },
    specialize: ["N"],
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y, at, N }, { BM }) => {
    const rows = tile(pid(0), BM);
    const v = load(x, [rows, tile(0, N)]);
    store(y, [0, rows], sum(v, "N"));
    store(y, [1, rows], max(v, "N"));
    store(y, [2, rows], min(v, "N"));
    store(at, [0, rows], argmax(v, "N"));
    store(at, [1, rows], argmin(v, "N"));
  },
);

/** Along the first axis of a block, which lies across threads in another way. */
const alongColumns = kernel(
  {
    name: "reduce_columns",
    dtypes: { T: ["f32", "f16", "bf16", "i32", "u32"] },
    params: { x: tensor("T", "M", "N"), y: out("T", 3, "N"), at: out("i32", 2, "N") },
    config: { BN: 32 },
    specialize: ["M"],
    grid: ({ N }, { BN }) => cdiv(N, BN),
  },
  ({ x, y, at, M }, { BN }) => {
    const columns = tile(pid(0), BN);
    const v = load(x, [tile(0, M), columns]);
    store(y, [0, columns], sum(v, "M"));
    store(y, [1, columns], max(v, "M"));
    store(y, [2, columns], min(v, "M"));
    store(at, [0, columns], argmax(v, "M"));
    store(at, [1, columns], argmin(v, "M"));
  },
);

/** To scalars: one value for the whole program, used as such. */
const toScalars = kernel(
  {
    name: "reduce_all",
    params: { x: tensor("f32", "M", "N"), y: out("f32", "M", "N"), z: out("f32", 3) },
    config: {},
    specialize: ["M", "N"],
    grid: () => 1,
  },
  ({ x, y, z, M, N }) => {
    const v = load(x, [tile(0, M), tile(0, N)]);
    const total = sum(sum(v, "N"), "M");
    const top = max(max(v, "M"), "N");
    store(z, [0], total);
    store(z, [1], top);
    store(z, [2], min(min(v, "N"), "M"));
    store(y, [tile(0, M), tile(0, N)], where(v === top, total, v - top));
  },
);

/** The middle axis of three. */
const middle = kernel(
  {
    name: "reduce_middle",
    params: { x: tensor("f32", "A", "B", "C"), y: out("f32", "A", "C"), z: out("f32", "C", "A") },
    config: {},
    specialize: ["A", "B", "C"],
    grid: () => 1,
  },
  ({ x, y, z, A, B, C }) => {
    const v = load(x, [tile(0, A), tile(0, B), tile(0, C)]);
    store(y, [tile(0, A), tile(0, C)], sum(v, "B"));
    store(z, [tile(0, C), tile(0, A)], broadcast(max(v, "B"), C, A));
  },
);

const masks = kernel(
  {
    name: "reduce_masks",
    params: { x: tensor("i32", "M", "N"), y: out("i32", 4, "M") },
    config: { BM: 8 },
    specialize: ["N"],
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y, N }, { BM }) => {
    const rows = tile(pid(0), BM);
    const v = load(x, [rows, tile(0, N)]);
    store(y, [0, rows], where(some(v > 0, "N"), 1, 0));
    store(y, [1, rows], where(every(v > 0, "N"), 1, 0));
    store(y, [2, rows], where(some(v === 5, "N") || every(v < 0, "N"), 1, 0));
    store(y, [3, rows], sum(where(v > 0, 1, 0), "N"));
  },
);

const scans = kernel(
  {
    name: "scans",
    dtypes: { T: ["f32", "i32"] },
    params: {
      x: tensor("T", "M", "N"),
      sums: out("T", "M", "N"),
      tops: out("T", "M", "N"),
      down: out("T", "M", "N"),
    },
    config: {},
    specialize: ["M", "N"],
    grid: () => 1,
  },
  ({ x, sums, tops, down, M, N }) => {
    const v = load(x, [tile(0, M), tile(0, N)]);
    store(sums, [tile(0, M), tile(0, N)], cumsum(v, "N"));
    store(tops, [tile(0, M), tile(0, N)], cummax(v, "N"));
    store(down, [tile(0, M), tile(0, N)], cumsum(v, "M"));
  },
);

const greatest = kernel(
  {
    name: "top_k",
    params: { x: tensor("f32", "M", "N"), values: out("f32", "M", 4), at: out("i32", "M", 4) },
    config: { K: 4 },
    specialize: ["N"],
    grid: ({ M }) => M,
  },
  ({ x, values, at, N }, { K }) => {
    const found = topK(load(x, [pid(0), tile(0, N)]), "N", K);
    store(values, [pid(0), tile(0, K)], found.values);
    store(at, [pid(0), tile(0, K)], found.indices);
  },
);

/** A softmax: two reductions, the second of what the first gave. */
const softmax = kernel(
  {
    name: "softmax",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "M", "N"), y: out("T", "M", "N") },
    config: {},
    specialize: ["N"],
    grid: ({ M }) => M,
  },
  ({ x, y, N, T }) => {
    const v = cast(load(x, [pid(0), tile(0, N)]), "f32");
    const e = exp(v - max(v, "N"));
    store(y, [pid(0), tile(0, N)], cast(e / sum(e, "N"), T));
  },
);

const WIDTHS = [1, 2, 7, 31, 32, 33, 64, 96, 127, 300] as const;
/** For the other dtypes, whose code differs in the combining instruction alone. */
const SOME_WIDTHS = [7, 32, 33, 300] as const;

/** Sums of integers and of floats whose sums are exact in any order are compared exactly. */
function toleranceOf(T: string, length: number): Readonly<Record<string, Tolerance>> {
  return T.startsWith("i") || T.startsWith("u") ? {} : { y: { kind: "rounding", length } };
}

function plain(T: DType, shape: readonly number[], seed: number): HostTensor {
  return randomTensorOf(T, shape, seed);
}

const rowCases: readonly CaseSpec[] = REDUCED.flatMap((T) =>
  (T === "f32" ? WIDTHS : SOME_WIDTHS).map((n) => ({
    name: `9 × ${n}, ${T}`,
    kernel: alongRows,
    dtypes: { T },
    tensors: { x: plain(T, [9, n], n), y: outputOf(T, [3, 9]), at: outputOf("i32", [2, 9]) },
    tolerance: toleranceOf(T, n),
  })),
);

const columnCases: readonly CaseSpec[] = REDUCED.flatMap((T) =>
  [1, 5, 32, 80].map((m) => ({
    name: `${m} × 37, ${T}`,
    kernel: alongColumns,
    dtypes: { T },
    tensors: { x: plain(T, [m, 37], m), y: outputOf(T, [3, 37]), at: outputOf("i32", [2, 37]) },
    tolerance: toleranceOf(T, m),
  })),
);

const [NAN, INF] = [Number.NaN, Number.POSITIVE_INFINITY];

/** Rows of 8 where the rules for NaN, ties and infinities show. */
const SPECIAL_ROWS = [
  [1, 5, 2, 5, 5, 0, 0, 1],
  [NAN, 1, NAN, 3, 3, NAN, -2, -2],
  [NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN],
  [-INF, -INF, -INF, -INF, -INF, -INF, -INF, -INF],
  [INF, 1, INF, 2, -INF, 2, INF, -INF],
  [NAN, -INF, NAN, NAN, -INF, NAN, NAN, NAN],
  [0, -0, 0, -0, 0, -0, -0, 0],
  [-7, -7, -7, -7, -7, -7, -7, -7],
];
const specialCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).flatMap((T) => [
  {
    name: `NaN, ties and infinities, ${T}`,
    kernel: alongRows,
    dtypes: { T },
    tensors: {
      x: tensorOf(T, [8, 8], SPECIAL_ROWS.flat()),
      y: outputOf(T, [3, 8]),
      at: outputOf("i32", [2, 8]),
    },
  },
  {
    name: `NaN, ties and infinities, ${T}`,
    kernel: alongColumns,
    dtypes: { T },
    tensors: {
      x: tensorOf(T, [8, 8], (i) => SPECIAL_ROWS[i % 8]?.[Math.floor(i / 8)] ?? 0),
      y: outputOf(T, [3, 8]),
      at: outputOf("i32", [2, 8]),
    },
  },
]);

/** Ties far apart: the first of equal extremes wins across lanes, warps and registers. */
const tieCases: readonly CaseSpec[] = [256, 1000].map((n) => ({
  name: `ties far apart, ${n}`,
  kernel: alongRows,
  dtypes: { T: "f32" as const },
  tensors: {
    x: tensorOf("f32", [5, n], (i) => {
      const [row, column] = [Math.floor(i / n), i % n];
      return column % 64 === row * 13 ? 9 : column % 50 === 49 - row ? -9 : (column * 7) % 5;
    }),
    y: outputOf("f32", [3, 5]),
    at: outputOf("i32", [2, 5]),
  },
}));

const wholeCases: readonly CaseSpec[] = [
  [1, 1],
  [3, 5],
  [16, 64],
  [33, 20],
].map(([m = 0, n = 0]) => ({
  name: `${m} × ${n}`,
  kernel: toScalars,
  tensors: {
    x: tensorOf("f32", [m, n], (i) => ((i * 37) % 101) - 50),
    y: outputOf("f32", [m, n]),
    z: outputOf("f32", [3]),
  },
}));

const middleCases: readonly CaseSpec[] = [
  [1, 1, 1],
  [2, 17, 3],
  [4, 32, 8],
  [5, 3, 33],
].map(([a = 0, b = 0, c = 0]) => ({
  name: `${a} × ${b} × ${c}`,
  kernel: middle,
  tensors: {
    x: tensorOf("f32", [a, b, c], (i) => ((i * 29) % 83) - 41),
    y: outputOf("f32", [a, c]),
    z: outputOf("f32", [c, a]),
  },
}));

const maskCases: readonly CaseSpec[] = [1, 5, 40].map((n) => ({
  name: `11 × ${n}`,
  kernel: masks,
  tensors: {
    x: tensorOf("i32", [11, n], (i) => (Math.floor(i / n) < 3 ? 1 : ((i * 13) % 11) - 5)),
    y: outputOf("i32", [4, 11]),
  },
}));

const scanCases: readonly CaseSpec[] = (["f32", "i32"] as const).flatMap((T) =>
  [
    [1, 1],
    [3, 7],
    [4, 64],
    [7, 100],
    [33, 20],
  ].map(([m = 0, n = 0]) => ({
    name: `${m} × ${n}, ${T}`,
    kernel: scans,
    dtypes: { T },
    tensors: {
      x: tensorOf(T, [m, n], (i) => ((i * 31) % 41) - 20),
      sums: outputOf(T, [m, n]),
      tops: outputOf(T, [m, n]),
      down: outputOf(T, [m, n]),
    },
  })),
);
const specialScans: readonly CaseSpec[] = [
  {
    name: "NaN and infinities",
    kernel: scans,
    dtypes: { T: "f32" },
    tensors: {
      x: tensorOf("f32", [8, 8], SPECIAL_ROWS.flat()),
      sums: outputOf("f32", [8, 8]),
      tops: outputOf("f32", [8, 8]),
      down: outputOf("f32", [8, 8]),
    },
  },
];

const topCases: readonly CaseSpec[] = [5, 64, 130].map((n) => ({
  name: `3 × ${n}`,
  kernel: greatest,
  tensors: {
    x: tensorOf("f32", [3, n], (i) => (i * 23) % 17),
    values: outputOf("f32", [3, 4]),
    at: outputOf("i32", [3, 4]),
  },
}));

const softmaxCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).flatMap((T) =>
  [1, 33, 256, 1000].map((n) => ({
    name: `4 × ${n}, ${T}`,
    kernel: softmax,
    dtypes: { T },
    tensors: { x: randomTensorOf(T, [4, n], n), y: outputOf(T, [4, n]) },
    tolerance: { y: { kind: "rounding", length: n } } as const,
  })),
);

export const reductionCases = defineCases("reductions", [
  ...rowCases,
  ...columnCases,
  ...specialCases,
  ...tieCases,
  ...wholeCases,
  ...middleCases,
  ...maskCases,
  ...scanCases,
  ...specialScans,
  ...topCases,
  ...softmaxCases,
]);
