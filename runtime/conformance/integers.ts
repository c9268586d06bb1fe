/** [runtime/conformance] Integer arithmetic and conversions between all dtypes: negative divisors, shifts, wrap, saturation, truncation. */
import {
  abs,
  cast,
  cdiv,
  DTYPE_NAMES,
  type DType,
  floordiv,
  isFloat,
  kernel,
  load,
  maximum,
  minimum,
  mod,
  mulhi,
  out,
  pid,
  rotl,
  store,
  tensor,
  tile,
  where,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, tensorOf } from "./case.ts";

const signedPairs = kernel(
  {
    name: "signed_pairs",
    dtypes: { T: ["i32", "i8", "i4"] },
    params: { a: tensor("T", "M"), b: tensor("T", "N"), y: out("T", 10, "M", "N") },
    config: { BM: 8, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ a, b, y, T }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = tile(pid(1), BN);
    const p = load(a, [rows]);
    const q = load(b, [columns]);
    const divisor = where(q === 0, cast(3, T), q);
    store(y, [0, rows, columns], floordiv(p, divisor));
    store(y, [1, rows, columns], mod(p, divisor));
    store(y, [2, rows, columns], minimum(p, q));
    store(y, [3, rows, columns], maximum(p, q));
    store(y, [4, rows, columns], p & q);
    store(y, [5, rows, columns], p | q);
    store(y, [6, rows, columns], p ^ q);
    store(y, [7, rows, columns], where(p < q, p, ~q));
    store(y, [8, rows, columns], where(p >= q || p === q, abs(p), q));
    store(y, [9, rows, columns], where(p !== q, p, q));
  },
);
const SIGNED_ROWS = ["floordiv", "mod", "minimum", "maximum", "&", "|", "^", "~", "abs", "!=="];

const unsignedPairs = kernel(
  {
    name: "unsigned_pairs",
    params: { a: tensor("u32", "M"), b: tensor("u32", "N"), y: out("u32", 14, "M", "N") },
    config: { BM: 8, BN: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ a, b, y }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = tile(pid(1), BN);
    const p = load(a, [rows]);
    const q = load(b, [columns]);
    const divisor = maximum(q, 1);
    store(y, [0, rows, columns], p + q);
    store(y, [1, rows, columns], p - q);
    store(y, [2, rows, columns], p * q);
    store(y, [3, rows, columns], floordiv(p, divisor));
    store(y, [4, rows, columns], mod(p, divisor));
    store(y, [5, rows, columns], minimum(p, q));
    store(y, [6, rows, columns], maximum(p, q));
    store(y, [7, rows, columns], mulhi(p, q));
    store(y, [8, rows, columns], (p & q) | (p ^ 0x5a5a5a5a));
    store(y, [9, rows, columns], p << (q & 31));
    store(y, [10, rows, columns], p >> (q & 31));
    store(y, [11, rows, columns], rotl(p, q & 31));
    store(y, [12, rows, columns], where(p < q, p, ~q));
    store(y, [13, rows, columns], p * 0 - q);
  },
);
const UNSIGNED_ROWS = [
  "+",
  "-",
  "*",
  "floordiv",
  "mod",
  "minimum",
  "maximum",
  "mulhi",
  "& | ^",
  "<<",
  ">>",
  "rotl",
  "< ~",
  "0 - b",
];

/** Shifts by any count: modulo the width; of i32 to the right with the sign. */
const shifts = kernel(
  {
    name: "shifts",
    params: {
      a: tensor("i32", "M"),
      u: tensor("u32", "M"),
      n: tensor("i32", "N"),
      y: out("i32", 2, "M", "N"),
      z: out("u32", 2, "M", "N"),
    },
    config: { BM: 8, BN: 16 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ a, u, n, y, z }, { BM, BN }) => {
    const rows = tile(pid(0), BM);
    const columns = tile(pid(1), BN);
    const count = load(n, [columns]);
    const bits = load(u, [rows]);
    store(y, [0, rows, columns], load(a, [rows]) << count);
    store(y, [1, rows, columns], load(a, [rows]) >> count);
    store(z, [0, rows, columns], bits << cast(count, "u32"));
    store(z, [1, rows, columns], bits >> cast(count, "u32"));
  },
);

/** i32 that leaves its range wraps on every device (the checked interpreter reports it). */
const wrapping = kernel(
  {
    name: "wrapping_i32",
    params: { a: tensor("i32", "M"), b: tensor("i32", "N"), y: out("i32", 4, "M", "N") },
    config: { BM: 8, BN: 16 },
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
    store(y, [3, rows, columns], -p + q * 0);
  },
);

/** Narrow integers: arithmetic in 32 bits, then wrapped to the dtype. */
const narrow = kernel(
  {
    name: "narrow_integers",
    dtypes: { T: ["i8", "u8", "i4", "u4"] },
    params: { a: tensor("T", "M"), b: tensor("T", "N"), y: out("T", 5, "M", "N") },
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
    store(y, [3, rows, columns], maximum(p, q));
    store(y, [4, rows, columns], where(p > q, p, q));
  },
);

const toFloats = kernel(
  {
    name: "cast_to_floats",
    dtypes: {
      T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i32", "u32", "i8", "u8", "i4", "u4", "bool"],
    },
    params: {
      x: tensor("T", "N"),
      a: out("f32", "N"),
      b: out("f16", "N"),
      c: out("bf16", "N"),
      d: out("f8e4m3", "N"),
      e: out("f8e5m2", "N"),
    },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, a, b, c, d, e }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(a, [at], cast(v, "f32"));
    store(b, [at], cast(v, "f16"));
    store(c, [at], cast(v, "bf16"));
    store(d, [at], cast(v, "f8e4m3"));
    store(e, [at], cast(v, "f8e5m2"));
  },
);

const toIntegers = kernel(
  {
    name: "cast_to_integers",
    dtypes: {
      T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i32", "u32", "i8", "u8", "i4", "u4", "bool"],
    },
    params: {
      x: tensor("T", "N"),
      a: out("i32", "N"),
      b: out("u32", "N"),
      c: out("i8", "N"),
      d: out("u8", "N"),
      e: out("bool", "N"),
    },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, a, b, c, d, e }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(a, [at], cast(v, "i32"));
    store(b, [at], cast(v, "u32"));
    store(c, [at], cast(v, "i8"));
    store(d, [at], cast(v, "u8"));
    store(e, [at], cast(v, "bool"));
  },
);

/** Apart from the others, since not every target writes half a byte. */
const toNibbles = kernel(
  {
    name: "cast_to_nibbles",
    dtypes: {
      T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i32", "u32", "i8", "u8", "i4", "u4", "bool"],
    },
    params: { x: tensor("T", "N"), a: out("i4", "N"), b: out("u4", "N") },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, a, b }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(a, [at], cast(v, "i4"));
    store(b, [at], cast(v, "u4"));
  },
);

const list = (T: DType, values: readonly number[]) => tensorOf(T, [values.length], values);
const I32 = [0, 1, -1, 2, -2, 3, 7, -7, 8, 100, -100, 65536, -65537, 1000000007, 2147483647];
const I8 = [0, 1, -1, 2, 3, -3, 5, 16, -17, 64, 100, -100, 127, -127];
const I4 = [0, 1, -1, 2, -3, 4, 7, -7];
const signedCases: readonly CaseSpec[] = (
  [
    ["i32", I32],
    ["i8", I8],
    ["i4", I4],
  ] as const
).map(([T, values]) => ({
  name: `every pair, ${T}`,
  kernel: signedPairs,
  dtypes: { T },
  tensors: {
    a: list(T, values),
    b: list(T, values),
    y: outputOf(T, [10, values.length, values.length]),
  },
  rows: { y: SIGNED_ROWS },
}));

const U32 = [
  0, 1, 2, 3, 7, 31, 32, 255, 65535, 65536, 2147483647, 2147483648, 3000000000, 4294967295,
];
const unsignedCases: readonly CaseSpec[] = [
  {
    name: "every pair",
    kernel: unsignedPairs,
    tensors: {
      a: list("u32", U32),
      b: list("u32", U32),
      y: outputOf("u32", [14, U32.length, U32.length]),
    },
    rows: { y: UNSIGNED_ROWS },
  },
];

const SHIFTED = [0, 1, -1, 2, 12345, -12345, 2147483647, -2147483648];
const COUNTS = [0, 1, 2, 7, 15, 16, 30, 31, 32, 33, 63, -1];
const shiftCases: readonly CaseSpec[] = [
  {
    name: "any count",
    kernel: shifts,
    checked: false,
    tensors: {
      a: list("i32", SHIFTED),
      u: list(
        "u32",
        SHIFTED.map((v) => v >>> 0),
      ),
      n: list("i32", COUNTS),
      y: outputOf("i32", [2, SHIFTED.length, COUNTS.length]),
      z: outputOf("u32", [2, SHIFTED.length, COUNTS.length]),
    },
    rows: { y: ["<<", ">>"], z: ["<<", ">>"] },
  },
];

const WRAPPED = [0, 1, -1, 2147483647, -2147483648, 65536, -65537, 1000000007];
const wrapCases: readonly CaseSpec[] = [
  {
    name: "every pair",
    kernel: wrapping,
    checked: false,
    tensors: {
      a: list("i32", WRAPPED),
      b: list("i32", WRAPPED),
      y: outputOf("i32", [4, WRAPPED.length, WRAPPED.length]),
    },
    rows: { y: ["+", "-", "*", "-x"] },
  },
];

const NARROW = { i8: I8, u8: [0, 1, 2, 15, 100, 128, 200, 255], i4: I4, u4: [0, 1, 2, 7, 8, 15] };
const narrowCases: readonly CaseSpec[] = (["i8", "u8", "i4", "u4"] as const).map((T) => ({
  name: `every pair, ${T}`,
  kernel: narrow,
  dtypes: { T },
  checked: false,
  tensors: {
    a: list(T, NARROW[T]),
    b: list(T, NARROW[T]),
    y: outputOf(T, [5, NARROW[T].length, NARROW[T].length]),
  },
  rows: { y: ["+", "-", "*", "maximum", "where"] },
}));

/** Between the numbers of every dtype: ties of each rounding, ends of each range, and past them. */
const FLOAT_VALUES = [
  0,
  -0,
  0.5,
  -0.5,
  0.9,
  1.5,
  2.5,
  -2.5,
  7.5,
  8.5,
  -8.5,
  15.6,
  127.5,
  -128.5,
  255.5,
  256,
  300,
  -300,
  448,
  464,
  465,
  480,
  57344,
  61440,
  65504,
  65520,
  70000,
  1e6,
  2147483520,
  2147483648,
  -2147483648,
  4294967040,
  4294967296,
  1e10,
  -1e10,
  3e38,
  1.0625,
  1.1875,
  1.00390625,
  1.01171875,
  1.00048828125,
  2 ** -6,
  2 ** -9,
  2 ** -10,
  1.5 * 2 ** -10,
  2 ** -14,
  2 ** -16,
  2 ** -17,
  2 ** -24,
  2 ** -25,
  1.5 * 2 ** -25,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const INTEGER_VALUES = [
  0, 1, 2, 3, 7, 8, 15, 16, 17, 19, 100, 127, 128, 200, 255, 256, 257, 259, 448, 465, 2049, 65519,
  65520, 131071, 16777217, 16777219, 2147483647, -1, -2, -8, -9, -17, -128, -129, -259, -65520,
  -2147483648,
];
const valuesOf = (T: DType): readonly number[] => {
  if (isFloat(T)) return FLOAT_VALUES;
  return T === "u32"
    ? [...INTEGER_VALUES.map((v) => v >>> 0), 4294967040, 4294967168]
    : INTEGER_VALUES;
};
const castCases: readonly CaseSpec[] = DTYPE_NAMES.flatMap((T) => {
  const values = valuesOf(T);
  const n = values.length;
  const x = list(T, T === "bool" ? values.map((v) => (v > 8 ? 1 : 0)) : values);
  const floats = { a: "f32", b: "f16", c: "bf16", d: "f8e4m3", e: "f8e5m2" } as const;
  const ints = { a: "i32", b: "u32", c: "i8", d: "u8", e: "bool" } as const;
  const nibbles = { a: "i4", b: "u4" } as const;
  const outputs = (dtypes: Readonly<Record<string, DType>>) =>
    Object.fromEntries(Object.entries(dtypes).map(([key, dtype]) => [key, outputOf(dtype, [n])]));
  return [
    { name: `from ${T}`, kernel: toFloats, dtypes: { T }, tensors: { x, ...outputs(floats) } },
    { name: `from ${T}`, kernel: toIntegers, dtypes: { T }, tensors: { x, ...outputs(ints) } },
    { name: `from ${T}`, kernel: toNibbles, dtypes: { T }, tensors: { x, ...outputs(nibbles) } },
  ];
});

export const integerCases = defineCases("integers", [
  ...signedCases,
  ...unsignedCases,
  ...shiftCases,
  ...wrapCases,
  ...narrowCases,
  ...castCases,
]);
