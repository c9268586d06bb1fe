/** [runtime/conformance] Data-dependent indices: rows, pages, pairs of gathers, -1, scatters, and atomics. */
import {
  all,
  atomicAdd,
  atomicMax,
  atomicMin,
  cdiv,
  type DType,
  floordiv,
  gather,
  inout,
  iota,
  kernel,
  load,
  merge,
  mod,
  out,
  pid,
  scalar,
  span,
  store,
  tensor,
  tile,
  where,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

const rows = kernel(
  {
    name: "gather_rows",
    dtypes: { T: ["f32", "f16", "i8"] },
    params: { at: tensor("i32", "N"), x: tensor("T", "R", "H"), y: out("T", "N", "H") },
    config: { BN: 8, BH: 32 },
    grid: ({ N, H }, { BN, BH }) => [cdiv(H, BH), cdiv(N, BN)],
  },
  ({ at, x, y }, { BN, BH }) => {
    const which = load(at, [tile(pid(1), BN)], { fill: -1 });
    const block = load(x, [gather(which, BN), tile(pid(0), BH)], { fill: -2 });
    store(y, [tile(pid(1), BN), tile(pid(0), BH)], block);
  },
);

/** Two gathers that share an axis go through it together: a diagonal walk; and a gather along the last dim. */
const diagonal = kernel(
  {
    name: "gather_pairs",
    params: {
      a: tensor("i32", "N"),
      b: tensor("i32", "N"),
      x: tensor("f32", "R", "C"),
      y: out("f32", "N"),
      z: out("f32", "R", "N"),
    },
    config: { B: 16, BR: 4 },
    grid: ({ N, R }, { B, BR }) => [cdiv(N, B), cdiv(R, BR)],
  },
  ({ a, b, x, y, z }, { B, BR }) => {
    const i = load(a, [tile(pid(0), B)], { fill: -1 });
    const j = load(b, [tile(pid(0), B)], { fill: -1 });
    if (pid(1) === 0) store(y, [tile(pid(0), B)], load(x, [gather(i), gather(j)], { fill: 7 }));
    store(
      z,
      [tile(pid(1), BR), tile(pid(0), B)],
      load(x, [tile(pid(1), BR), gather(j)], { fill: -7 }),
    );
  },
);

/** Tokens of a sequence through its table of pages; what lies past its length is never read. */
const pages = kernel(
  {
    name: "gather_pages",
    params: {
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      cache: tensor("f32", "NB", "PAGE", "D"),
      y: out("f32", "S", "L", "D"),
    },
    config: { BN: 16 },
    specialize: ["PAGE", "D"],
    grid: ({ S, L }, { BN }) => [S, cdiv(L, BN)],
  },
  ({ table, lens, cache, y, PAGE, D }, { BN }) => {
    const [s, j] = [pid(0), pid(1)];
    const len = load(lens, [s]);
    const position = j * BN + iota(BN);
    const which = load(table, [s, gather(where(position < len, floordiv(position, PAGE), -1))], {
      fill: -1,
    });
    const tokens = load(cache, [gather(which), gather(mod(position, PAGE)), all(D)]);
    store(y, [s, span(j * BN, BN), all(D)], tokens);
  },
);

/** Whole pages at once, fused to one axis of tokens. */
const wholePages = kernel(
  {
    name: "merge_pages",
    params: {
      table: tensor("i32", "MAXB"),
      cache: tensor("f32", "NB", "PAGE", "D"),
      y: out("f32", "L", "D"),
      len: scalar("i32"),
    },
    config: { PPT: 4, BN: 32 },
    specialize: ["PAGE", "D"],
    grid: ({ L }, { BN }) => cdiv(L, BN),
  },
  ({ table, cache, y, len, PAGE, D }, { PPT, BN }) => {
    const j = pid(0);
    const which = load(table, [tile(j, PPT)], { limit: cdiv(len, PAGE), fill: -1 });
    const tokens = merge(load(cache, [gather(which, PPT), all(PAGE), all(D)]), BN, {
      limit: len - j * BN,
    });
    store(y, [span(j * BN, BN), all(D)], tokens);
  },
);

const scatter = kernel(
  {
    name: "scatter_rows",
    dtypes: { T: ["f32", "f16", "u8"] },
    params: { at: tensor("i32", "N"), x: tensor("T", "N", "H"), y: inout("T", "R", "H") },
    config: { BN: 8, BH: 16 },
    grid: ({ N, H }, { BN, BH }) => [cdiv(H, BH), cdiv(N, BN)],
  },
  ({ at, x, y }, { BN, BH }) => {
    const to = load(at, [tile(pid(1), BN)], { fill: -1 });
    store(y, [gather(to), tile(pid(0), BH)], load(x, [tile(pid(1), BN), tile(pid(0), BH)]));
  },
);

/** Counts and sums by bin; old values where each program has an element of its own. */
const sums = kernel(
  {
    name: "atomic_sums",
    dtypes: { T: ["f32", "i32", "u32"] },
    params: {
      bin: tensor("i32", "N"),
      x: tensor("T", "N"),
      totals: inout("T", "R"),
      own: inout("T", "P"),
      old: out("T", "P"),
    },
    config: { B: 32 },
    grid: ({ P }) => P,
  },
  ({ bin, x, totals, own, old }, { B }) => {
    const at = load(bin, [tile(pid(0), B)], { fill: -1 });
    const v = load(x, [tile(pid(0), B)]);
    atomicAdd(totals, [gather(at)], v);
    store(old, [pid(0)], atomicAdd(own, [pid(0)], load(x, [pid(0)])));
  },
);

/** Greatest and least by bin. */
const extremes = kernel(
  {
    name: "atomic_extremes",
    dtypes: { T: ["i32", "u32"] },
    params: {
      bin: tensor("i32", "N"),
      x: tensor("T", "N"),
      tops: inout("T", "R"),
      lows: inout("T", "R"),
    },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ bin, x, tops, lows }, { B }) => {
    const at = load(bin, [tile(pid(0), B)], { fill: -1 });
    const v = load(x, [tile(pid(0), B)]);
    atomicMax(tops, [gather(at)], v);
    atomicMin(lows, [gather(at)], v);
  },
);

/** Atomics through a mask and a limit; all programs add to one scalar. */
const tickets = kernel(
  {
    name: "atomic_masks",
    params: { x: tensor("i32", "N"), total: inout("i32", 3), limit: scalar("i32") },
    config: { B: 16 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, total, limit }, { B }) => {
    const v = load(x, [tile(pid(0), B)]);
    atomicAdd(total, [0], pid(0) + 1);
    atomicAdd(total, [gather(where(v > 0, 1, -1))], v, { mask: v % 2 === 0 });
    atomicMax(total, [2], limit * pid(0));
  },
);

const ids = (values: readonly number[]) => tensorOf("i32", [values.length], values);
const IDS = [3, -1, 0, 0, 12, 5, -1, 11, 2, 3, 7];

const binned = (T: DType) => ({
  bin: tensorOf("i32", [150], (i) => ((i * 7) % 11) - 1),
  x: tensorOf(T, [150], (i) => (T === "u32" ? (i * 37) % 101 : ((i * 37) % 101) - 50)),
});

const rowCases: readonly CaseSpec[] = (["f32", "f16", "i8"] as const).flatMap((T) =>
  [1, 31, 32, 45].map((h) => ({
    name: `11 rows of ${h}, ${T}`,
    kernel: rows,
    dtypes: { T },
    tensors: { at: ids(IDS), x: randomTensorOf(T, [13, h], h), y: outputOf(T, [11, h]) },
  })),
);

const others: readonly CaseSpec[] = [
  {
    name: "no rows",
    kernel: rows,
    dtypes: { T: "f32" },
    tensors: {
      at: ids([]),
      x: randomTensorOf("f32", [2, 8], 1),
      y: outputOf("f32", [0, 8]),
    },
  },
  {
    name: "pairs with -1 on either side",
    kernel: diagonal,
    tensors: {
      a: ids([0, 1, -1, 3, 4, -1, 6, 2, 2]),
      b: ids([8, -1, 2, 3, 0, -1, 7, 7, 1]),
      x: randomTensorOf("f32", [7, 9], 2),
      y: outputOf("f32", [9]),
      z: outputOf("f32", [7, 9]),
    },
  },
  {
    name: "ragged sequences",
    kernel: pages,
    tensors: {
      table: tensorOf(
        "i32",
        [3, 6],
        [5, 2, 0, 7, -1, -1, 1, -1, -1, -1, -1, -1, 6, 4, 3, -1, -1, -1],
      ),
      lens: ids([14, 1, 12]),
      cache: tensorOf("f32", [8, 4, 5], (i) => i),
      y: outputOf("f32", [3, 20, 5]),
    },
  },
  ...[0, 1, 31, 32, 33, 61].map((len) => ({
    name: `${len} tokens`,
    kernel: wholePages,
    tensors: {
      table: ids([3, 1, 0, 7, 6, 5, 2, 4, -1]),
      cache: tensorOf("f32", [8, 8, 6], (i) => i + 1),
      y: outputOf("f32", [64, 6]),
    },
    scalars: { len },
  })),
  ...(["f32", "f16", "u8"] as const).map((T) => ({
    name: T,
    kernel: scatter,
    dtypes: { T },
    tensors: {
      at: ids([3, -1, 0, 12, 5, -1, 11, 2, 7]),
      x: randomTensorOf(T, [9, 37], 3),
      y: outputOf(T, [13, 37]),
    },
  })),
  ...(["f32", "i32", "u32"] as const).map((T) => ({
    name: T,
    kernel: sums,
    dtypes: { T },
    tensors: {
      ...binned(T),
      totals: tensorOf(T, [10], 5000),
      own: tensorOf(T, [5], (i) => i + 1000),
      old: outputOf(T, [5]),
    },
  })),
  ...(["i32", "u32"] as const).map((T) => ({
    name: T,
    kernel: extremes,
    dtypes: { T },
    tensors: {
      ...binned(T),
      tops: tensorOf(T, [10], (i) => i * 10),
      lows: tensorOf(T, [10], (i) => (i < 5 ? 1000 : 0)),
    },
  })),
  {
    name: "masked",
    kernel: tickets,
    tensors: {
      x: tensorOf("i32", [100], (i) => ((i * 13) % 37) - 18),
      total: tensorOf("i32", [3], 0),
    },
    scalars: { limit: 3 },
  },
];

export const gatherCases = defineCases("gather", [...rowCases, ...others]);
