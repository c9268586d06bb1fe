/** [runtime/conformance] Tiles of every size and rank: sizes of no power of two, axes split, fused, renamed, repeated, reordered. */
import {
  axis,
  broadcast,
  cast,
  cdiv,
  type DType,
  iota,
  kernel,
  load,
  max,
  merge,
  out,
  pid,
  rename,
  span,
  split,
  store,
  sum,
  swizzle2d,
  tensor,
  tile,
  where,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

/** Elementwise work and two reductions over a whole tensor as one tile. */
const whole = kernel(
  {
    name: "whole_tile",
    dtypes: { T: ["f32", "f16"] },
    params: { x: tensor("T", "M", "N"), y: out("f32", "M", "N"), z: out("f32", "N") },
    config: {},
    specialize: ["M", "N"],
    grid: () => 1,
  },
  ({ x, y, z, M, N }) => {
    const v = cast(load(x, [tile(0, M), tile(0, N)]), "f32");
    const centred = v - max(v, "N") + cast(iota(M), "f32");
    store(y, [tile(0, M), tile(0, N)], centred * 2);
    store(z, [tile(0, N)], sum(v, "M"));
  },
);

/** Splits the last axis, reduces one part, fuses the rest back. */
const parts = kernel(
  {
    name: "split_and_merge",
    params: {
      x: tensor("f32", "M", 24),
      y: out("f32", "M", 6),
      z: out("f32", "M", 24),
      w: out("f32", 24, "M"),
    },
    config: { BM: 8, A: 6, B: 4, AB: 24 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y, z, w }, { BM, A, B, AB }) => {
    const rows = tile(pid(0), BM);
    const v = load(x, [rows, span(0, AB)]);
    const apart = split(v, "AB", A, B); // [BM, A, B]
    const sums = sum(apart, "B"); // [BM, A]
    store(y, [rows, span(0, A)], sums);
    const back = merge(apart - sums, AB, { axes: ["A", "B"] });
    store(z, [rows, span(0, AB)], back);
    const turned = merge(broadcast(apart, A, B, BM), AB, { axes: ["A", "B"] }); // [AB, BM]
    store(w, [span(0, AB), rows], turned);
  },
);

/** Pairs of elements change places, as in a rotation of half a head. */
const halves = kernel(
  {
    name: "halves",
    params: { x: tensor("f32", "N", "D"), y: out("f32", "N", "D"), z: out("f32", "N", "D") },
    config: {},
    specialize: ["D"],
    grid: ({ N }) => N,
  },
  ({ x, y, z, D }) => {
    const half = axis("HALF", D / 2);
    const two = axis("TWO", 2);
    const v = load(x, [pid(0), tile(0, D)]);
    const apart = split(v, "D", two, half); // [2, D/2]
    const sign = where(iota(two) === 0, -1, 1);
    const swapped = load(x, [pid(0), span(D / 2, half)]);
    const first = load(x, [pid(0), span(0, half)]);
    store(y, [pid(0), tile(0, D)], merge(apart * cast(sign, "f32"), D, { axes: ["TWO", "HALF"] }));
    store(z, [pid(0), span(0, half)], swapped);
    store(z, [pid(0), span(D / 2, half)], -first);
  },
);

/** Every order of three axes. */
const orders = kernel(
  {
    name: "orders",
    dtypes: { T: ["f32", "f16"] },
    params: {
      x: tensor("T", "A", "B", "C"),
      acb: out("T", "A", "C", "B"),
      bac: out("T", "B", "A", "C"),
      bca: out("T", "B", "C", "A"),
      cab: out("T", "C", "A", "B"),
      cba: out("T", "C", "B", "A"),
    },
    config: {},
    specialize: ["A", "B", "C"],
    grid: () => 1,
  },
  ({ x, acb, bac, bca, cab, cba, A, B, C }) => {
    const v = load(x, [tile(0, A), tile(0, B), tile(0, C)]);
    store(acb, [tile(0, A), tile(0, C), tile(0, B)], broadcast(v, A, C, B));
    store(bac, [tile(0, B), tile(0, A), tile(0, C)], broadcast(v, B, A, C));
    store(bca, [tile(0, B), tile(0, C), tile(0, A)], broadcast(v, B, C, A));
    store(cab, [tile(0, C), tile(0, A), tile(0, B)], broadcast(v, C, A, B));
    store(cba, [tile(0, C), tile(0, B), tile(0, A)], broadcast(v, C, B, A));
  },
);

/** A row against a column, rows against themselves under another name, scalars against tiles. */
const outer = kernel(
  {
    name: "outer",
    params: { x: tensor("f32", "M"), y: out("f32", "M", "M"), z: out("i32", "M", "M") },
    config: { BI: 16, BJ: 16 },
    grid: ({ M }, { BI, BJ }) => [cdiv(M, BI), cdiv(M, BJ)],
  },
  ({ x, y, z, M }, { BI, BJ }) => {
    const [i, j] = [pid(0), pid(1)];
    const a = load(x, [tile(i, BI)]);
    const b = rename(load(x, [tile(j, BI)]), "BI", BJ);
    store(y, [tile(i, BI), tile(j, BJ)], a * b + a - cast(M, "f32"));
    const isLower = i * BI + iota(BI) >= j * BJ + iota(BJ);
    store(z, [tile(i, BI), tile(j, BJ)], where(isLower, i * 100 + j, -1));
  },
);

/** Programs in a grouped order over a grid of tiles. */
const grouped = kernel(
  {
    name: "grouped_tiles",
    params: { y: out("i32", "R", "C") },
    config: { group: 3 },
    grid: ({ R, C }) => R * C,
  },
  ({ y, R, C }, { group }) => {
    const [row, column] = swizzle2d(pid(0), R, C, group);
    store(y, [row, column], pid(0));
  },
);

const ODD = [
  [1, 1],
  [1, 7],
  [5, 3],
  [16, 80],
  [3, 96],
  [2, 172],
  [7, 192],
  [1, 576],
  [31, 33],
  [80, 16],
  [1, 4000],
  [1, 13696],
  [2, 20011],
] as const;
const wholeCases: readonly CaseSpec[] = (["f32", "f16"] as const).flatMap((T) =>
  ODD.map(([m, n]) => ({
    name: `${m} × ${n}, ${T}`,
    kernel: whole,
    dtypes: { T },
    tensors: {
      x: tensorOf(T, [m, n], (i) => ((i * 29) % 64) - 31),
      y: outputOf("f32", [m, n]),
      z: outputOf("f32", [n]),
    },
  })),
);

const partCases: readonly CaseSpec[] = [1, 8, 13].map((m) => ({
  name: `${m} rows`,
  kernel: parts,
  tensors: {
    x: tensorOf("f32", [m, 24], (i) => ((i * 29) % 64) - 31),
    y: outputOf("f32", [m, 6]),
    z: outputOf("f32", [m, 24]),
    w: outputOf("f32", [24, m]),
  },
}));

const halfCases: readonly CaseSpec[] = [2, 8, 64, 80].map((d) => ({
  name: `3 × ${d}`,
  kernel: halves,
  tensors: {
    x: randomTensorOf("f32", [3, d], d),
    y: outputOf("f32", [3, d]),
    z: outputOf("f32", [3, d]),
  },
}));

const orderCases: readonly CaseSpec[] = (["f32", "f16"] as const).flatMap((T: "f32" | "f16") =>
  [
    [1, 1, 1],
    [2, 3, 4],
    [5, 16, 7],
    [8, 4, 32],
  ].map(([a = 0, b = 0, c = 0]) => ({
    name: `${a} × ${b} × ${c}, ${T}`,
    kernel: orders,
    dtypes: { T },
    tensors: {
      x: randomTensorOf(T as DType, [a, b, c], 3),
      acb: outputOf(T, [a, c, b]),
      bac: outputOf(T, [b, a, c]),
      bca: outputOf(T, [b, c, a]),
      cab: outputOf(T, [c, a, b]),
      cba: outputOf(T, [c, b, a]),
    },
  })),
);

const outerCases: readonly CaseSpec[] = [0, 1, 16, 37].map((m) => ({
  name: `${m}`,
  kernel: outer,
  tensors: {
    x: tensorOf("f32", [m], (i) => i - 5),
    y: outputOf("f32", [m, m]),
    z: outputOf("i32", [m, m]),
  },
}));

const groupCases: readonly CaseSpec[] = [
  [1, 1],
  [3, 5],
  [7, 4],
  [2, 9],
].map(([r = 0, c = 0]) => ({
  name: `${r} × ${c}`,
  kernel: grouped,
  tensors: { y: outputOf("i32", [r, c]) },
}));

export const oddShapeCases = defineCases("odd-shapes", [
  ...wholeCases,
  ...partCases,
  ...halfCases,
  ...orderCases,
  ...outerCases,
  ...groupCases,
]);
