/** [runtime/conformance] Integer arithmetic: negative divisors, shifts, wrap, narrow types. Conversions are in casts.ts. */
import {
  abs,
  cast,
  cdiv,
  type DType,
  floordiv,
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

export const integerCases = defineCases("integers", [
  ...signedCases,
  ...unsignedCases,
  ...shiftCases,
  ...wrapCases,
  ...narrowCases,
]);
