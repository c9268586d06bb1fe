/** [runtime/conformance] Branches, loops and what they carry: scalars and tiles, zero trips, nesting, early return, bounded while, ifAny. */
import {
  bounded,
  cast,
  cdiv,
  floordiv,
  full,
  ifAny,
  iota,
  kernel,
  load,
  maximum,
  minimum,
  out,
  pid,
  range,
  scalar,
  select,
  span,
  store,
  sum,
  tensor,
  tile,
  where,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

/** Scalar arithmetic in branches that depend on the program and on memory. */
const branches = kernel(
  {
    name: "branches",
    params: { x: tensor("i32", "N"), y: out("i32", "N", 4), threshold: scalar("i32") },
    config: {},
    grid: ({ N }) => N,
  },
  ({ x, y, threshold }) => {
    const v = load(x, [pid(0)]);
    let a = 1;
    let b = v;
    if (v > threshold) {
      a = v * 2;
      if (v % 2 === 0) b = a + 1;
      else b = a - 1;
    } else if (v === threshold) {
      b = 100;
    }
    store(y, [pid(0), 0], a);
    store(y, [pid(0), 1], b);
    store(y, [pid(0), 2], v < 0 ? -v : v + 7);
    store(y, [pid(0), 3], select(v > 0 && v !== 3, 1, 0));
  },
);

/** Leaves early for some programs; what they would write stays. */
const early = kernel(
  {
    name: "early_return",
    params: { x: tensor("f32", "M", "N"), skip: tensor("i32", "M"), y: out("f32", "M", "N") },
    config: { B: 32 },
    grid: ({ M, N }, { B }) => [cdiv(N, B), M],
  },
  ({ x, skip, y }, { B }) => {
    if (load(skip, [pid(1)]) === 1) return;
    const block = load(x, [pid(1), tile(pid(0), B)]);
    if (load(skip, [pid(1)]) === 2) {
      store(y, [pid(1), tile(pid(0), B)], -block);
      return;
    }
    store(y, [pid(1), tile(pid(0), B)], block * 2);
  },
);

/** Fibonacci numbers by a loop that swaps two scalars, a nest of two loops, and a loop with a step. */
const loops = kernel(
  {
    name: "scalar_loops",
    params: { n: tensor("i32", "N"), y: out("i32", "N", 3) },
    config: {},
    grid: ({ N }) => N,
  },
  ({ n, y }) => {
    const trips = load(n, [pid(0)]);
    let a = 0;
    let b = 1;
    for (const _ of range(trips)) {
      const next = a + b;
      a = b;
      b = next;
    }
    let nested = 0;
    for (const i of range(trips)) {
      for (const j of range(i, trips, 2)) nested = nested + i * j + 1;
    }
    let stepped = 0;
    for (const i of range(-3, trips, 3)) {
      if (i % 2 === 0) stepped = stepped + i;
    }
    store(y, [pid(0), 0], a);
    store(y, [pid(0), 1], nested);
    store(y, [pid(0), 2], stepped);
  },
);

/** Length of the Collatz sequence, by a while with a bound. */
const collatz = kernel(
  {
    name: "collatz",
    params: { n: tensor("i32", "N"), y: out("i32", "N") },
    config: {},
    grid: ({ N }) => N,
  },
  ({ n, y }) => {
    let value = load(n, [pid(0)]);
    let steps = 0;
    while (bounded(value > 1, 200)) {
      value = value % 2 === 0 ? floordiv(value, 2) : value * 3 + 1;
      steps = steps + 1;
    }
    store(y, [pid(0)], steps);
  },
);

/** Newton's square roots of a tile until every row has converged: a while that carries a tile. */
const newton = kernel(
  {
    name: "newton",
    params: { x: tensor("f32", "N"), y: out("f32", "N"), trips: out("i32", 1) },
    config: { B: 64 },
    grid: () => 1,
  },
  ({ x, y, trips }, { B }) => {
    const v = load(x, [span(0, B)], { fill: 1 });
    let guess = maximum(v, 1);
    let worst = 1;
    let count = 0;
    while (bounded(worst > 0, 60)) {
      const next = (guess + v / guess) * 0.5;
      const moved = where(guess - next > guess * 0.0001, 1, 0);
      worst = sum(moved, "B");
      guess = next;
      count = count + 1;
    }
    store(y, [span(0, B)], guess);
    store(trips, [0], count);
  },
);

/** Tiles carried through a loop, swapped in every trip, with a runtime count of trips. */
const carried = kernel(
  {
    name: "carried_tiles",
    dtypes: { T: ["f32", "i32"] },
    params: { x: tensor("T", "N"), y: out("T", 3, "N"), trips: scalar("i32") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y, trips, T }, { B }) => {
    const start = load(x, [tile(pid(0), B)]);
    let a = start;
    let b = start * 2;
    let total = zeros(T, B);
    for (const i of range(trips)) {
      const previous = a;
      a = b;
      b = previous;
      total = total + a * cast(i + 1, T);
    }
    store(y, [0, tile(pid(0), B)], a);
    store(y, [1, tile(pid(0), B)], b);
    store(y, [2, tile(pid(0), B)], total);
  },
);

/** Prefix of row sums over blocks of a long row, with a tile chosen by a scalar branch in the loop. */
const blocks = kernel(
  {
    name: "loop_over_blocks",
    params: { x: tensor("f32", "M", "K"), y: out("f32", "M"), z: out("f32", "M") },
    config: { BM: 16, BK: 32 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y, z }, { BM, BK }) => {
    const rows = tile(pid(0), BM);
    let total = zeros("f32", BM);
    let top = full("f32", -1000, BM);
    const K = 100;
    for (const k of range(0, K, BK, { stages: 2 })) {
      const part = load(x, [rows, span(k, BK)]);
      let weight = zeros("f32", BK);
      if (k < 64) weight = cast(iota(BK), "f32");
      else weight = full("f32", 2, BK);
      total = total + sum(part * weight, "BK");
      if (k > 0) top = maximum(top, sum(part, "BK"));
    }
    store(y, [rows], total);
    store(z, [rows], top);
  },
);

/** A loop whose bounds come from memory: trip counts differ by program, and may be zero or less. */
const ranges = kernel(
  {
    name: "ranges_from_memory",
    params: { bounds: tensor("i32", "N", 2), x: tensor("f32", "K"), y: out("f32", "N", 16) },
    config: { B: 16 },
    grid: ({ N }) => N,
  },
  ({ bounds, x, y }, { B }) => {
    let total = zeros("f32", B);
    const hi = load(bounds, [pid(0), 1]);
    for (const k of range(load(bounds, [pid(0), 0]), minimum(hi, 90), B))
      total = total + load(x, [span(k, B, hi)]);
    store(y, [pid(0), span(0, B)], total);
  },
);

/** Work that only some rows need. */
const lazy = kernel(
  {
    name: "if_any",
    params: { x: tensor("f32", "M", "N"), y: out("f32", "M", 16) },
    config: { BM: 32, BN: 16 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    let total = zeros("f32", BM, BN);
    for (const n of range(0, 48, BN)) {
      const part = load(x, [rows, span(n, BN)]);
      const sums = sum(part, "BN");
      const needed = sums > 0;
      const added = ifAny(
        needed,
        "BM",
        () => where(needed, part * 2 + total, 0),
        zeros("f32", BM, BN),
      );
      total = total + added;
    }
    store(y, [rows, span(0, BN)], total);
  },
);

const ints = (values: readonly number[]) => tensorOf("i32", [values.length], values);
const COUNTS = [0, 1, 2, 3, 7, 10, -2, 20];

const rounding = { kind: "rounding", length: 128 } as const;

const tileLoops: readonly CaseSpec[] = (["f32", "i32"] as const).flatMap((T) =>
  [0, 1, 2, 5].map((trips) => ({
    name: `${trips} trips, ${T}`,
    kernel: carried,
    dtypes: { T },
    tensors: { x: randomTensorOf(T, [45], 2), y: outputOf(T, [3, 45]) },
    scalars: { trips },
    tolerance: { y: rounding },
  })),
);

const branchCases: readonly CaseSpec[] = [3, -1, 0].map((threshold) => ({
  name: `threshold ${threshold}`,
  kernel: branches,
  tensors: { x: ints([-5, -1, 0, 1, 2, 3, 4, 5, 1000]), y: outputOf("i32", [9, 4]) },
  scalars: { threshold },
}));

const others: readonly CaseSpec[] = [
  {
    name: "some programs leave",
    kernel: early,
    tensors: {
      x: randomTensorOf("f32", [6, 50], 3),
      skip: ints([0, 1, 2, 1, 1, 0]),
      y: outputOf("f32", [6, 50]),
    },
  },
  {
    name: "counts of all kinds",
    kernel: loops,
    tensors: { n: ints(COUNTS), y: outputOf("i32", [COUNTS.length, 3]) },
  },
  {
    name: "sequences",
    kernel: collatz,
    tensors: { n: ints([1, 2, 3, 6, 7, 9, 27, 97, 0, -4]), y: outputOf("i32", [10]) },
  },
  {
    name: "roots",
    kernel: newton,
    tensors: {
      x: tensorOf("f32", [50], (i) => (i + 1) * (i + 1)),
      y: outputOf("f32", [50]),
      trips: outputOf("i32", [1]),
    },
    tolerance: { y: rounding },
  },
  ...[1, 16, 37].map((m) => ({
    name: `${m} rows`,
    kernel: blocks,
    tensors: {
      x: randomTensorOf("f32", [m, 100], 5),
      y: outputOf("f32", [m]),
      z: outputOf("f32", [m]),
    },
    tolerance: { y: { kind: "rounding", length: 128, scale: 4000 }, z: rounding } as const,
  })),
  {
    name: "bounds",
    kernel: ranges,
    tensors: {
      bounds: tensorOf("i32", [6, 2], [0, 90, 5, 6, 10, 10, 20, 3, 0, 1, 33, 70]),
      x: randomTensorOf("f32", [90], 6),
      y: outputOf("f32", [6, 16]),
    },
    tolerance: { y: rounding },
  },
  {
    name: "rows of both kinds",
    kernel: lazy,
    tensors: {
      x: tensorOf("f32", [70, 48], (i) => (Math.floor(i / 48) % 5 < 2 ? 1 : -1) * (1 + (i % 7))),
      y: outputOf("f32", [70, 16]),
    },
    tolerance: { y: rounding },
  },
];

export const controlFlowCases = defineCases("control-flow", [
  ...branchCases,
  ...tileLoops,
  ...others,
]);
