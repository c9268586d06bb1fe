/** [test/unit/dsl] Every op of the catalogue from TypeScript to numbers, against plain JavaScript. Errors are test/errors. */
import { describe, expect, it } from "vitest";
import {
  abs,
  argmax,
  argmin,
  axis,
  bitcast,
  broadcast,
  cast,
  cdiv,
  ceil,
  cos,
  cummax,
  cumsum,
  dot,
  erf,
  every,
  exp,
  exp2,
  floor,
  floordiv,
  gelu,
  geluTanh,
  iota,
  kernel,
  load,
  log,
  log2,
  max,
  maximum,
  merge,
  min,
  minimum,
  mod,
  mulhi,
  numPrograms,
  OPS,
  out,
  pid,
  relu,
  rename,
  rotl,
  round,
  rsqrt,
  select,
  sigmoid,
  silu,
  sin,
  some,
  split,
  sqrt,
  store,
  sum,
  swizzle2d,
  tanh,
  tensor,
  tile,
  topK,
  where,
} from "../../../dsl/index.ts";
import { runKernel } from "../../support/run-kernel.ts";

const X = [-2.5, -1, -0.5, 0, 0.25, 0.5, 1.5, 4];
const FLOATS = {
  name: "example",
  params: { x: tensor("f32", "N"), y: out("f32", "M") },
  config: { B: 8 },
  grid: () => 1,
} as const;
const INTS = {
  name: "example",
  params: { x: tensor("i32", "N"), y: out("i32", "M") },
  config: { B: 8 },
  grid: () => 1,
} as const;

function run(
  definition: ReturnType<typeof kernel>,
  x: readonly number[],
  count = 8,
): readonly number[] {
  return (
    runKernel(
      definition,
      {},
      { tensors: { x: { shape: [x.length], values: x }, y: { shape: [count] } } },
    )["y"] ?? []
  );
}

function expectClose(
  actual: readonly number[],
  expected: readonly number[],
  tolerance = 2e-6,
): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(Math.abs((actual[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    );
  });
}

const normal = (x: number): number => {
  // The error function by numeric integration, which shares nothing with the package.
  let total = 0;
  for (let i = 0; i < 20000; i++)
    total += Math.exp(-((((i + 0.5) * x) / 20000) ** 2)) * (x / 20000);
  return (2 / Math.sqrt(Math.PI)) * total;
};

describe("elementwise functions", () => {
  const functions = kernel(
    { ...FLOATS, params: { x: tensor("f32", "N"), y: out("f32", "F", "M") } },
    ({ x, y }, { B }) => {
      const v = load(x, [tile(0, B)]);
      const positive = abs(v) + 0.5;
      const results = [
        exp(v),
        exp2(v),
        log(positive),
        log2(positive),
        sqrt(positive),
        rsqrt(positive),
        sin(v),
        cos(v),
        tanh(v),
        erf(v),
        floor(v),
        ceil(v),
        round(v),
        sigmoid(v),
        silu(v),
        relu(v),
        gelu(v),
        geluTanh(v),
        maximum(v, 0.25),
        minimum(v, 0.25),
        where(v > 0, v, -1),
        select(pid(0) === 0, v, 0),
        v ** 2,
        -v,
      ];
      let row = 0;
      for (const result of results) {
        store(y, [row, tile(0, B)], result);
        row += 1;
      }
    },
  );
  const references: readonly (readonly [string, (x: number) => number])[] = [
    ["exp", Math.exp],
    ["exp2", (x) => 2 ** x],
    ["log", (x) => Math.log(Math.abs(x) + 0.5)],
    ["log2", (x) => Math.log2(Math.abs(x) + 0.5)],
    ["sqrt", (x) => Math.sqrt(Math.abs(x) + 0.5)],
    ["rsqrt", (x) => 1 / Math.sqrt(Math.abs(x) + 0.5)],
    ["sin", Math.sin],
    ["cos", Math.cos],
    ["tanh", Math.tanh],
    ["erf", normal],
    ["floor", Math.floor],
    ["ceil", Math.ceil],
    ["round", (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x))],
    ["sigmoid", (x) => 1 / (1 + Math.exp(-x))],
    ["silu", (x) => x / (1 + Math.exp(-x))],
    ["relu", (x) => Math.max(x, 0)],
    ["gelu", (x) => 0.5 * x * (1 + normal(x / Math.SQRT2))],
    [
      "geluTanh",
      (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
    ],
    ["maximum", (x) => Math.max(x, 0.25)],
    ["minimum", (x) => Math.min(x, 0.25)],
    ["where", (x) => (x > 0 ? x : -1)],
    ["select", (x) => x],
    ["**", (x) => x * x],
    ["-", (x) => -x],
  ];
  const tensors = { x: { shape: [8], values: X }, y: { shape: [references.length, 8] } };
  const computed = runKernel(functions, {}, { tensors })["y"] ?? [];

  it.each(references.map(([name, f], i) => [name, i, f] as const))("computes %s", (_, i, f) => {
    expectClose(computed.slice(i * 8, i * 8 + 8), X.map(f));
  });
});

describe("integer ops", () => {
  it("divides towards minus infinity and gives remainders the sign of the divisor", () => {
    const divide = kernel(INTS, ({ x, y }, { B }) => {
      const v = load(x, [tile(0, B)]);
      store(y, [tile(0, B)], floordiv(v, 4) * 1000 + mod(v, 4) * 100 + (v % -4) * 10 + cdiv(v, 4));
    });
    const values = [-9, -8, -1, 0, 1, 4, 7, 9];
    const floor4 = (v: number, d: number): number => Math.floor(v / d);
    const expected = values.map(
      (v) =>
        floor4(v, 4) * 1000 +
        (v - floor4(v, 4) * 4) * 100 +
        (v + floor4(v, -4) * 4) * 10 +
        Math.ceil(v / 4),
    );
    expect(run(divide, values)).toEqual(expected);
  });

  it("has bit operators, rotation and the upper half of products", () => {
    const bits = kernel(INTS, ({ x, y }, { B }) => {
      const v = load(x, [tile(0, B)]);
      const u = bitcast(v, "u32");
      const mixed = rotl(u, 5) ^ mulhi(u, 0x9e3779b9) ^ (u >>> 3);
      store(y, [tile(0, B)], bitcast(mixed, "i32") ^ ((v & 12) | (~v << 2)) ^ (v >> 1));
    });
    const values = [0, 1, -1, 12345, -98765, 2147483647, -2147483648, 7];
    const expected = values.map((v) => {
      const u = v >>> 0;
      const high = Number((BigInt(u) * 0x9e3779b9n) >> 32n);
      return (((u << 5) | (u >>> 27)) ^ high ^ (u >>> 3) ^ ((v & 12) | (~v << 2)) ^ (v >> 1)) | 0;
    });
    expect(run(bits, values)).toEqual(expected);
  });

  it("orders programs in groups", () => {
    const order = kernel({ ...INTS, config: { B: 1 } }, ({ y }) => {
      const [row, column] = swizzle2d(pid(0), 5, 3, 2);
      store(y, [pid(0)], row * 10 + column + numPrograms(0) * 1000);
    });
    const tensors = { x: { shape: [1], values: [0] }, y: { shape: [15] } };
    const visited = runKernel(order, {}, { tensors, grid: [15] })["y"] ?? [];
    expect(visited.slice(0, 6).map((v) => v - 15000)).toEqual([0, 10, 1, 11, 2, 12]);
    expect(new Set(visited).size).toBe(15);
  });
});

describe("ops along an axis", () => {
  const rows = {
    ...FLOATS,
    params: { x: tensor("f32", "R", "N"), y: out("f32", "F", "R") },
    config: { R2: 2, B: 4 },
  } as const;
  const values = [3, 7, 7, -1, Number.NaN, 2, -5, 2];
  const tensors = (count: number) => ({ x: { shape: [2, 4], values }, y: { shape: [count, 2] } });

  it("reduces, finds extremes and tests masks", () => {
    const reduce = kernel(rows, ({ x, y }, { R2, B }) => {
      const v = load(x, [tile(0, R2), tile(0, B)]);
      const safe = where(v > -100, v, 0);
      const results = [
        sum(safe, "B"),
        max(v, "B"),
        min(v, "B"),
        cast(argmax(v, "B"), "f32"),
        cast(argmin(v, "B"), "f32"),
        cast(some(v < 0, "B"), "f32"),
        cast(every(safe < 8, "B"), "f32"),
        sum(safe, "B") - max(cumsum(safe, "B"), "B"),
        min(cummax(safe, "B"), "B"),
      ];
      let row = 0;
      for (const result of results) {
        store(y, [row, tile(0, R2)], result);
        row += 1;
      }
    });
    const out = runKernel(reduce, {}, { tensors: tensors(9) })["y"] ?? [];
    const pairs = Array.from({ length: 9 }, (_, i) => [out[i * 2], out[i * 2 + 1]]);
    expect(pairs).toEqual([
      [16, -1],
      [7, 2],
      [-1, -5],
      [1, 1],
      [3, 2],
      [1, 1],
      [1, 1],
      [-1, -3],
      [3, 0],
    ]);
  });

  it("takes the greatest elements with their positions", () => {
    const greatest = kernel(rows, ({ x, y }, { R2, B }) => {
      const top = axis("TOP", 2);
      const { values: found, indices } = topK(load(x, [tile(0, R2), tile(0, B)]), "B", top);
      for (const k of [0, 1]) {
        const here = iota(top) === k;
        store(y, [k, tile(0, R2)], sum(where(here, found, 0), "TOP"));
        store(y, [k + 2, tile(0, R2)], cast(sum(where(here, indices, 0), "TOP"), "f32"));
      }
    });
    expect(runKernel(greatest, {}, { tensors: tensors(4) })["y"]).toEqual([7, 2, 7, 2, 1, 1, 2, 3]);
  });

  it("contracts, renames, splits, merges and broadcasts by name", () => {
    const shapes = kernel({ ...FLOATS, config: { B: 8 } }, ({ x, y }, { B }) => {
      const [hi, lo] = [axis("HI", 2), axis("LO", 4)];
      const parts = split(load(x, [tile(0, B)]), "B", hi, lo);
      const gram = dot(parts, rename(parts, "HI", axis("HJ", 2)));
      const total = sum(broadcast(gram, axis("HJ", 2), hi, lo), "LO");
      store(y, [tile(0, B)], merge(parts, B) + sum(sum(total, "HI"), "HJ"));
    });
    const dotted = (a: number, b: number): number =>
      [0, 1, 2, 3].reduce((s, i) => s + (X[a * 4 + i] ?? 0) * (X[b * 4 + i] ?? 0), 0);
    const total = 4 * (dotted(0, 0) + 2 * dotted(0, 1) + dotted(1, 1));
    expectClose(
      run(shapes, X),
      X.map((x) => x + total),
    );
  });
});

describe("the catalogue", () => {
  it("names each op after its export and describes it in a sentence", () => {
    for (const [name, op] of OPS) {
      expect(op.name).toBe(name);
      expect(op.doc).toMatch(/^\S.*\.$/);
    }
    expect(OPS.size).toBeGreaterThan(60);
  });
});
