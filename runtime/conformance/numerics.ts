/** [runtime/conformance] Elementwise functions and arithmetic of floats: special numbers, rounding, narrow dtypes, comparisons, bits. */
import {
  abs,
  bitcast,
  cast,
  cdiv,
  ceil,
  cos,
  type DType,
  erf,
  exp,
  exp2,
  floor,
  gelu,
  geluTanh,
  kernel,
  load,
  log,
  log2,
  maximum,
  minimum,
  out,
  pid,
  relu,
  round,
  rsqrt,
  sigmoid,
  silu,
  sin,
  sqrt,
  store,
  tanh,
  tensor,
  tile,
  where,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, tensorOf, uniform } from "./case.ts";

/** Functions whose results are exact on every device. */
const exact = kernel(
  {
    name: "exact_functions",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "N"), y: out("T", 6, "N") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(y, [0, at], -v);
    store(y, [1, at], abs(v));
    store(y, [2, at], floor(v));
    store(y, [3, at], ceil(v));
    store(y, [4, at], round(v));
    store(y, [5, at], relu(v));
  },
);
const EXACT_ROWS = ["-x", "abs", "floor", "ceil", "round", "relu"];

/** Functions that devices approximate. */
const approximate = kernel(
  {
    name: "approximate_functions",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "N"), y: out("T", 14, "N") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(y, [0, at], exp(v));
    store(y, [1, at], exp2(v));
    store(y, [2, at], log(v));
    store(y, [3, at], log2(v));
    store(y, [4, at], sqrt(v));
    store(y, [5, at], rsqrt(v));
    store(y, [6, at], sin(v));
    store(y, [7, at], cos(v));
    store(y, [8, at], tanh(v));
    store(y, [9, at], erf(v));
    store(y, [10, at], sigmoid(v));
    store(y, [11, at], silu(v));
    store(y, [12, at], gelu(v));
    store(y, [13, at], geluTanh(v));
  },
);
const APPROXIMATE_ROWS = [
  "exp",
  "exp2",
  "log",
  "log2",
  "sqrt",
  "rsqrt",
  "sin",
  "cos",
  "tanh",
  "erf",
  "sigmoid",
  "silu",
  "gelu",
  "geluTanh",
];

/** Arithmetic of two operands, every pair of values; one rounding to T after each operation. */
const pairs = kernel(
  {
    name: "float_pairs",
    dtypes: { T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] },
    params: { a: tensor("T", "M"), b: tensor("T", "N"), y: out("T", 7, "M", "N") },
    config: { BM: 8, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ a, b, y }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = tile(pid(1), BN);
    const p = load(a, [rows]);
    const q = load(b, [columns]);
    store(y, [0, rows, columns], p + q);
    store(y, [1, rows, columns], p - q);
    store(y, [2, rows, columns], p * q);
    store(y, [3, rows, columns], p / q);
    store(y, [4, rows, columns], minimum(p, q));
    store(y, [5, rows, columns], maximum(p, q));
    store(y, [6, rows, columns], p * q + p - q);
  },
);
const PAIR_ROWS = ["a + b", "a - b", "a * b", "a / b", "minimum", "maximum", "a * b + a - b"];

/** Comparisons, also with NaN, and what is chosen by them. */
const comparisons = kernel(
  {
    name: "float_comparisons",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { a: tensor("T", "M"), b: tensor("T", "N"), y: out("i32", 8, "M", "N") },
    config: { BM: 8, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ a, b, y }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = tile(pid(1), BN);
    const p = load(a, [rows]);
    const q = load(b, [columns]);
    store(y, [0, rows, columns], where(p < q, 1, 0));
    store(y, [1, rows, columns], where(p <= q, 1, 0));
    store(y, [2, rows, columns], where(p > q, 1, 0));
    store(y, [3, rows, columns], where(p >= q, 1, 0));
    store(y, [4, rows, columns], where(p === q, 1, 0));
    store(y, [5, rows, columns], where(p !== q, 1, 0));
    store(y, [6, rows, columns], where(!(p < q) && !(q > 1), 1, 0));
    store(y, [7, rows, columns], where(p < q || p > q, 1, 0));
  },
);
const COMPARISON_ROWS = ["<", "<=", ">", ">=", "===", "!==", "!(<) && !(q > 1)", "< || >"];

/** The bits of results, where a sign of zero or a subnormal number shows. */
const bits = kernel(
  {
    name: "float_bits",
    params: { x: tensor("f32", "N"), y: out("i32", 6, "N"), z: out("f32", 2, "N") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y, z }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(y, [0, at], bitcast(v, "i32"));
    store(y, [1, at], bitcast(-v, "i32"));
    store(y, [2, at], bitcast(abs(v), "i32"));
    store(y, [3, at], bitcast(ceil(v), "i32"));
    store(y, [4, at], bitcast(round(v), "i32"));
    store(y, [5, at], bitcast(bitcast(v, "u32") ^ 1, "i32"));
    store(z, [0, at], bitcast(bitcast(v, "i32"), "f32"));
    store(z, [1, at], bitcast(bitcast(v, "u32"), "f32"));
  },
);

/** Constants that no literal of a target spells plainly. */
const constants = kernel(
  {
    name: "float_constants",
    params: { x: tensor("f32", "N"), y: out("f32", 8, "N") },
    config: { B: 16 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(y, [0, at], where(v > 0, Infinity, -Infinity));
    store(y, [1, at], where(v > 0, NaN, v));
    store(y, [2, at], v + 1e-38);
    store(y, [3, at], v * 3.4028234663852886e38);
    store(y, [4, at], v * 0.1);
    store(y, [5, at], v + 16777217);
    store(y, [6, at], v * 1e-7);
    store(y, [7, at], v - 0.30000000000000004);
  },
);

/** Sums of many roundings in a narrow dtype: each step rounds, so a wider intermediate shows. */
const steps = kernel(
  {
    name: "narrow_steps",
    dtypes: { T: ["f16", "bf16", "f8e4m3", "f8e5m2"] },
    params: { x: tensor("T", "N"), y: out("f32", 3, "N") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y, T }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    const third = v * cast(0.3, T);
    store(y, [0, at], cast(third + v, "f32"));
    store(y, [1, at], cast(third + v - third, "f32"));
    store(y, [2, at], cast(v, "f32") * 0.3 + cast(v, "f32"));
  },
);

const [NAN, INF] = [Number.NaN, Number.POSITIVE_INFINITY];
const PLAIN = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.75, -7.25, 100, -0.001, 0.3];
const WITH_SPECIALS = [...PLAIN, INF, -INF, NAN];
const LARGE = [65504, -65504, 3e38, -3e38, 8388609.5, 2147483648, 1e10];
const all = (T: DType, values: readonly number[]) => tensorOf(T, [values.length], values);

/** Lists of one length share a compiled kernel: the numbers again from the start up to a multiple of 32. */
const filled = (values: readonly number[]): readonly number[] =>
  Array.from(
    { length: Math.ceil(values.length / 32) * 32 },
    (_, i) => values[i % values.length] ?? 0,
  );

const FLOATS = ["f32", "f16", "bf16"] as const;
const exactCases: readonly CaseSpec[] = FLOATS.flatMap((T) => {
  const values = [...WITH_SPECIALS, ...LARGE, ...Array.from({ length: 40 }, (_, i) => i / 4 - 5)];
  return {
    name: `special numbers, ${T}`,
    kernel: exact,
    dtypes: { T },
    tensors: { x: all(T, values), y: outputOf(T, [6, values.length]) },
    rows: { y: EXACT_ROWS },
  };
});

const at = uniform(9);
const SPREAD = Array.from({ length: 70 }, (_, i) => (at(i) - 0.5) * 2 ** ((i % 8) - 2));
const APPROXIMATED = [
  ["special numbers", filled(WITH_SPECIALS)],
  ["numbers of many sizes", filled(SPREAD)],
  ["large arguments", filled([20, -20, 50, -50, 88, -87, 120, -120, 1000, -1000])],
] as const;
const approximateCases: readonly CaseSpec[] = FLOATS.flatMap((T) =>
  APPROXIMATED.map(([name, values]) => ({
    name: `${name}, ${T}`,
    kernel: approximate,
    dtypes: { T },
    tensors: { x: all(T, values), y: outputOf(T, [14, values.length]) },
    tolerance: { y: { kind: "rounding", length: 1, scale: 4 } } as const,
    rows: { y: APPROXIMATE_ROWS },
  })),
);

const pairCases: readonly CaseSpec[] = (
  ["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] as const
).flatMap((T) => [
  {
    name: `special numbers, ${T}`,
    kernel: pairs,
    dtypes: { T },
    tensors: {
      a: all(T, WITH_SPECIALS),
      b: all(T, filled(WITH_SPECIALS)),
      y: outputOf(T, [7, WITH_SPECIALS.length, filled(WITH_SPECIALS).length]),
    },
    tolerance: { y: { kind: "rounding", length: 1, scale: 0 } } as const,
    rows: { y: PAIR_ROWS },
  },
  {
    name: `numbers of many sizes, ${T}`,
    kernel: pairs,
    dtypes: { T },
    tensors: {
      a: all(T, SPREAD.slice(0, 13)),
      b: all(T, filled(SPREAD)),
      y: outputOf(T, [7, 13, filled(SPREAD).length]),
    },
    tolerance: { y: { kind: "rounding", length: 1, scale: 8 } } as const,
    rows: { y: PAIR_ROWS },
  },
]);

const comparisonCases: readonly CaseSpec[] = FLOATS.map((T) => ({
  name: `every pair, ${T}`,
  kernel: comparisons,
  dtypes: { T },
  tensors: {
    a: all(T, WITH_SPECIALS),
    b: all(T, WITH_SPECIALS),
    y: outputOf("i32", [8, WITH_SPECIALS.length, WITH_SPECIALS.length]),
  },
  rows: { y: COMPARISON_ROWS },
}));

/** NaN is left out: its bits differ between devices. */
const BIT_VALUES = [...PLAIN, INF, -INF, 2 ** -126, 1e-30, 65504, 3e38, 16777216];
const bitCases: readonly CaseSpec[] = [
  {
    name: "zeros, infinities, sizes",
    kernel: bits,
    tensors: {
      x: all("f32", BIT_VALUES),
      y: outputOf("i32", [6, BIT_VALUES.length]),
      z: outputOf("f32", [2, BIT_VALUES.length]),
    },
  },
];

const constantCases: readonly CaseSpec[] = [
  {
    name: "in expressions",
    kernel: constants,
    tensors: { x: all("f32", PLAIN), y: outputOf("f32", [8, PLAIN.length]) },
    tolerance: { y: { kind: "rounding", length: 1, scale: 0 } },
  },
];

const stepCases: readonly CaseSpec[] = (["f16", "bf16", "f8e4m3", "f8e5m2"] as const).map((T) => ({
  name: T,
  kernel: steps,
  dtypes: { T },
  tensors: { x: all(T, SPREAD), y: outputOf("f32", [3, SPREAD.length]) },
  tolerance: { y: { kind: "rounding", length: 1, scale: 0 } },
}));

export const numericsCases = defineCases("numerics", [
  ...exactCases,
  ...approximateCases,
  ...pairCases,
  ...comparisonCases,
  ...bitCases,
  ...constantCases,
  ...stepCases,
]);
