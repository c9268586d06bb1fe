/** [runtime/conformance] Loads and stores: every dtype, bounds, spans, fills, limits, masks, untouched elements, large grids. */
import {
  broadcast,
  cast,
  cdiv,
  DTYPE_NAMES,
  inout,
  iota,
  kernel,
  load,
  numPrograms,
  out,
  pid,
  scalar,
  span,
  store,
  tensor,
  tile,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

const copy = kernel(
  {
    name: "copy",
    dtypes: {
      T: DTYPE_NAMES,
    },
    params: { x: tensor("T", "N"), y: out("T", "N") },
    config: { B: 64 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    store(y, [tile(pid(0), B)], load(x, [tile(pid(0), B)]));
  },
);

const transpose = kernel(
  {
    name: "transpose",
    dtypes: { T: ["f32", "f16", "u8"] },
    params: { x: tensor("T", "M", "N"), y: inout("T", "N", "M") },
    config: { BM: 16, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, y }, { BM, BN }) => {
    const block = load(x, [tile(pid(0), BM), tile(pid(1), BN)]);
    store(y, [tile(pid(1), BN), tile(pid(0), BM)], broadcast(block, BN, BM));
  },
);

/** Reads a window that may begin before the tensor and end past it, or at `end`; writes it to a window of its own. */
const windows = kernel(
  {
    name: "windows",
    dtypes: { T: ["f32", "f16", "i8"] },
    params: {
      x: tensor("T", "R", "N"),
      y: inout("T", "R", "L"),
      from: scalar("i32"),
      end: scalar("i32"),
      to: scalar("i32"),
      last: scalar("i32"),
    },
    config: { B: 32 },
    grid: ({ R }) => R,
  },
  ({ x, y, from, end, to, last }, { B }) => {
    const r = pid(0);
    const part = load(x, [r, span(from, B, end)], { fill: 5 });
    store(y, [r, span(to, B, last)], part);
  },
);

const masked = kernel(
  {
    name: "masked",
    params: {
      x: tensor("f32", "M", "N"),
      keep: tensor("i32", "N"),
      y: inout("f32", "M", "N"),
      limit: scalar("i32"),
    },
    config: { BM: 8, BN: 16 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, keep, y, limit }, { BM, BN }) => {
    const columns = tile(pid(0), BN);
    const kept = load(keep, [columns]) > 0; // [BN]
    const odd = (pid(1) * BM + iota(BM)) % 2 === 1; // [BM]
    const block = load(x, [tile(pid(1), BM), columns], { mask: kept, fill: -3 });
    const row = load(x, [0, columns], { limit, fill: 0 });
    store(y, [tile(pid(1), BM), columns], block + row, { mask: kept || odd });
  },
);

/** One scalar of a tensor of rank 3 for every program, and a run along its middle dim. */
const middle = kernel(
  {
    name: "middle",
    params: {
      x: tensor("f32", "A", "B", "C"),
      y: out("f32", "A", "C", "B"),
      z: out("f32", "A", "C"),
    },
    config: { W: 8 },
    grid: ({ A, C, B }, { W }) => [C, A, cdiv(B, W)],
  },
  ({ x, y, z }, { W }) => {
    const run = load(x, [pid(1), tile(pid(2), W), pid(0)]);
    store(y, [pid(1), pid(0), tile(pid(2), W)], run);
    if (pid(2) === 0) store(z, [pid(1), pid(0)], load(x, [pid(1), 0, pid(0)]));
  },
);

/** Every program writes its place in the grid and the grid's sizes. */
const places = kernel(
  {
    name: "places",
    params: { y: out("i32", "Z", "Y", "X", 4) },
    config: {},
    grid: ({ X, Y, Z }) => [X, Y, Z],
  },
  ({ y }) => {
    const [i, j, k] = [pid(0), pid(1), pid(2)];
    store(y, [k, j, i, 0], i + 1000 * j + 100000000 * k);
    store(y, [k, j, i, 1], numPrograms(0));
    store(y, [k, j, i, 2], numPrograms(1));
    store(y, [k, j, i, 3], numPrograms(2));
  },
);

/** One element each: far more programs than one dimension of a dispatch takes on some drivers. */
const spread = kernel(
  {
    name: "spread",
    params: { x: tensor("i32", "N"), y: out("i32", "N") },
    config: {},
    grid: ({ N }) => N,
  },
  ({ x, y }) => {
    store(y, [pid(0)], load(x, [pid(0)]) * 3 + pid(0));
  },
);

/** Scalars of each type reach the kernel unchanged. */
const scalars = kernel(
  {
    name: "scalars",
    params: {
      y: out("f32", 3),
      z: out("u32", 3),
      f: scalar("f32"),
      i: scalar("i32"),
      u: scalar("u32"),
    },
    config: {},
    grid: () => 1,
  },
  ({ y, z, f, i, u }) => {
    store(y, [0], f);
    store(y, [1], cast(i, "f32"));
    store(y, [2], f * 2);
    store(z, [0], u);
    store(z, [1], u + 1);
    store(z, [2], cast(i, "u32"));
  },
);

const SIZES = [0, 1, 2, 61, 63, 64, 65, 200] as const;

const copies: readonly CaseSpec[] = DTYPE_NAMES.flatMap((T) =>
  SIZES.map((n) => ({
    name: `${n} × ${T}`,
    kernel: copy,
    dtypes: { T },
    tensors: { x: randomTensorOf(T, [n], n + 1), y: outputOf(T, [n]) },
  })),
);

/** Stores of 4-bit elements: rows that begin inside a byte, ends and masks that cut one, single elements, transposed tiles. */
const halves = kernel(
  {
    name: "half_bytes",
    dtypes: { T: ["i4", "u4", "f4e2m1", "nf4"] },
    params: {
      x: tensor("T", "M", "N"),
      y: inout("T", "M", "N"),
      t: inout("T", "N", "M"),
      d: inout("T", "M"),
      end: scalar("i32"),
      skip: scalar("i32"),
    },
    config: { BM: 16, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, y, t, d, end, skip }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = span(pid(1) * BN, BN, end);
    const block = load(x, [rows, tile(pid(1), BN)]);
    const kept = (pid(1) * BN + iota(BN)) % skip !== 0; // [BN]
    store(y, [rows, columns], block, { mask: kept });
    store(t, [tile(pid(1), BN), rows], broadcast(block, BN, BM));
    if (pid(1) === 0 && pid(0) === 0) store(d, [0], load(x, [0, 0]));
  },
);

const halfCases: readonly CaseSpec[] = (["i4", "u4", "f4e2m1", "nf4"] as const).flatMap((T) =>
  [
    [16, 32, 32, 3],
    [7, 64, 45, 2],
    [33, 61, 60, 5],
    [2, 5, 9, 4],
  ].map(([m = 0, n = 0, end = 0, skip = 0]) => ({
    name: `${m} × ${n} up to ${end}, without every ${skip}th, ${T}`,
    kernel: halves,
    dtypes: { T },
    tensors: {
      x: randomTensorOf(T, [m, n], 8),
      y: randomTensorOf(T, [m, n], 9),
      t: outputOf(T, [n, m]),
      d: randomTensorOf(T, [m], 10),
    },
    scalars: { end, skip },
  })),
);

/** Numbers whose bits a copy must not change: signs of zero, subnormal numbers, infinities, NaN, the largest and least. */
const SPECIAL = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** -149,
  -(2 ** -130),
  2 ** -126,
  2 ** -24,
  2 ** -20,
  65504,
  3e38,
  -3e38,
];
const specialCopies: readonly CaseSpec[] = (
  ["f32", "f16", "bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4"] as const
).map((T) => ({
  name: `special numbers, ${T}`,
  kernel: copy,
  dtypes: { T },
  tensors: { x: tensorOf(T, [SPECIAL.length], SPECIAL), y: outputOf(T, [SPECIAL.length]) },
}));

const transposes: readonly CaseSpec[] = (["f32", "f16", "u8"] as const).flatMap((T) =>
  [
    [0, 5],
    [1, 1],
    [16, 32],
    [15, 33],
    [37, 101],
  ].map(([m = 0, n = 0]) => ({
    name: `${m} × ${n}, ${T}`,
    kernel: transpose,
    dtypes: { T },
    tensors: { x: randomTensorOf(T, [m, n], m + n), y: outputOf(T, [n, m]) },
  })),
);

const WINDOWS = [
  ["inside", { from: 3, end: 35, to: 0, last: 32 }],
  ["before the start", { from: -7, end: 100, to: 4, last: 100 }],
  ["past the end", { from: 30, end: 100, to: 8, last: 20 }],
  ["wholly outside", { from: 70, end: 100, to: 0, last: 40 }],
  ["empty", { from: 0, end: 0, to: 5, last: 9 }],
  ["ends before they start", { from: 9, end: 3, to: -3, last: 12 }],
] as const;
const windowCases: readonly CaseSpec[] = (["f32", "f16", "i8"] as const).flatMap((T) =>
  WINDOWS.map(([name, scalars]) => ({
    name: `${name}, ${T}`,
    kernel: windows,
    dtypes: { T },
    tensors: { x: randomTensorOf(T, [3, 41], 7), y: outputOf(T, [3, 43]) },
    scalars,
  })),
);

const maskCases: readonly CaseSpec[] = [
  [0, 16, 3],
  [1, 1, 1],
  [8, 16, 16],
  [9, 17, 5],
  [23, 47, 0],
].map(([m = 0, n = 0, limit = 0]) => ({
  name: `${m} × ${n}, limit ${limit}`,
  kernel: masked,
  tensors: {
    x: randomTensorOf("f32", [m, n], 3),
    keep: tensorOf("i32", [n], (i) => i % 3),
    y: outputOf("f32", [m, n]),
  },
  scalars: { limit },
}));

const middleCases: readonly CaseSpec[] = [
  [1, 1, 1],
  [3, 7, 5],
  [2, 8, 3],
  [5, 9, 2],
].map(([a = 0, b = 0, c = 0]) => ({
  name: `${a} × ${b} × ${c}`,
  kernel: middle,
  tensors: {
    x: randomTensorOf("f32", [a, b, c], 4),
    y: outputOf("f32", [a, c, b]),
    z: outputOf("f32", [a, c]),
  },
}));

const GRIDS = [
  [1, 1, 1],
  [0, 3, 2],
  [3, 0, 2],
  [7, 5, 3],
  [2, 300, 2],
] as const;
const placeCases: readonly CaseSpec[] = GRIDS.map(([x, y, z]) => ({
  name: `grid ${x} × ${y} × ${z}`,
  kernel: places,
  tensors: { y: outputOf("i32", [z, y, x, 4]) },
}));

/** Above 65535 programs along an axis, where drivers fold the grid. */
const foldedCases: readonly CaseSpec[] = [
  {
    name: "65535 programs",
    kernel: spread,
    tensors: { x: randomTensorOf("i32", [65535], 5), y: outputOf("i32", [65535]) },
  },
  {
    name: "65536 programs",
    kernel: spread,
    tensors: { x: randomTensorOf("i32", [65536], 5), y: outputOf("i32", [65536]) },
  },
  {
    name: "131101 programs",
    kernel: spread,
    tensors: { x: randomTensorOf("i32", [131101], 5), y: outputOf("i32", [131101]) },
  },
  {
    name: "grid 2 × 65537 × 1",
    kernel: places,
    tensors: { y: outputOf("i32", [1, 65537, 2, 4]) },
  },
];

const scalarCases: readonly CaseSpec[] = [
  [0, 0, 0],
  [-1.5, -7, 4294967295],
  [3.25e38, 2147483647, 2147483648],
  [Number.NaN, -2147483648, 1],
].map(([f = 0, i = 0, u = 0]) => ({
  name: `${f}, ${i}, ${u}`,
  kernel: scalars,
  tensors: { y: outputOf("f32", [3]), z: outputOf("u32", [3]) },
  scalars: { f, i, u },
}));

export const memoryCases = defineCases("memory", [
  ...copies,
  ...specialCopies,
  ...halfCases,
  ...transposes,
  ...windowCases,
  ...maskCases,
  ...middleCases,
  ...placeCases,
  ...foldedCases,
  ...scalarCases,
]);
