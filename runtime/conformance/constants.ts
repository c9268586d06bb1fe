/** [runtime/conformance] Arithmetic of constants alone: compilers evaluate it themselves, and some refuse a text whose value is NaN or overflows. */
import {
  abs,
  bitcast,
  cast,
  cdiv,
  ceil,
  exp2,
  floor,
  floordiv,
  full,
  iota,
  kernel,
  log,
  maximum,
  minimum,
  mod,
  out,
  pid,
  round,
  rsqrt,
  sqrt,
  store,
  tile,
  where,
} from "../../dsl/index.ts";
import { defineCases, outputOf } from "./case.ts";

const FLOATS = [3e38, -3e38, 0, -0, 1, -1.5, Infinity, -Infinity, NaN, 65504];
const DIVISORS = [0, -0, 3e38, NaN, -Infinity, 3];
const FLOAT_ROWS = FLOATS.length * (10 + 7 * DIVISORS.length);

const floats = kernel(
  {
    name: "constant_floats",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { y: out("f32", FLOAT_ROWS, "N") },
    config: { B: 4 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ y, T }, { B }) => {
    const at = tile(pid(0), B);
    let row = 0;
    for (const a of FLOATS) {
      const x = full("f32", a, B);
      const results = [-x, abs(x), floor(x), ceil(x), round(x)];
      const casts = [
        cast(cast(x, "i32"), "f32"),
        cast(cast(x, "u32"), "f32"),
        cast(cast(x, "i8"), "f32"),
        cast(cast(x, T), "f32"),
        cast(bitcast(x, "u32") >>> 8, "f32"),
      ];
      for (const result of [...results, ...casts]) {
        store(y, [row, at], result);
        row += 1;
      }
      for (const b of DIVISORS) {
        const [s, t] = [cast(x, T), cast(full("f32", b, B), T)];
        const sums = [s + t, s - t, s * t, s / t, maximum(s, t), minimum(s, t)];
        for (const sum of sums) {
          store(y, [row, at], cast(sum, "f32"));
          row += 1;
        }
        store(y, [row, at], cast(where(s < t, full(T, 1, B), full(T, 2, B)), "f32"));
        row += 1;
      }
    }
  },
);

const ARGUMENTS = [0, -0, -1, 2, Infinity, -Infinity, NaN];
const FUNCTION_ROWS = ARGUMENTS.length * 4;

const functions = kernel(
  {
    name: "constant_functions",
    params: { y: out("f32", FUNCTION_ROWS, "N") },
    config: { B: 4 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ y }, { B }) => {
    const at = tile(pid(0), B);
    let row = 0;
    for (const a of ARGUMENTS) {
      const x = full("f32", a, B);
      for (const result of [sqrt(x), rsqrt(x), log(x), exp2(x)]) {
        store(y, [row, at], result);
        row += 1;
      }
    }
  },
);

const INTEGERS = [2147483647, -2147483648, 0, 1, -1, 31, 33];
const INTEGER_ROWS = INTEGERS.length * (9 + 10 * INTEGERS.length);

const integers = kernel(
  {
    name: "constant_integers",
    params: { y: out("i32", INTEGER_ROWS, "N") },
    config: { B: 4 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ y }, { B }) => {
    const at = tile(pid(0), B);
    let row = 0;
    for (const a of INTEGERS) {
      const x = full("i32", a, B);
      const narrow = [cast(cast(x, "i8"), "i32"), cast(cast(x, "u8"), "i32")];
      const halves = [cast(cast(x, "i4"), "i32"), cast(cast(x, "u4"), "i32")];
      const words = [bitcast(cast(x, "f32"), "i32"), bitcast(cast(x, "u32"), "i32")];
      // What a position is added to is no constant any more, what is left of it in one lane may be.
      for (const result of [-x, ~x, x + iota(B), ...narrow, ...halves, ...words]) {
        store(y, [row, at], result);
        row += 1;
      }
      for (const b of INTEGERS) {
        const t = full("i32", b, B);
        const sums = [x + t, x - t, x * t, x << t, x >> t, x & t, x | t, x ^ t];
        for (const result of sums) {
          store(y, [row, at], result);
          row += 1;
        }
        if (b !== 0) {
          store(y, [row, at], floordiv(x, t));
          store(y, [row + 1, at], mod(x, t));
        }
        row += 2;
      }
    }
  },
);

export const constantCases = defineCases("constants", [
  ...(["f32", "f16", "bf16"] as const).map((T) => ({
    name: `by ${T}`,
    kernel: floats,
    dtypes: { T },
    tensors: { y: outputOf("f32", [FLOAT_ROWS, 6]) },
  })),
  {
    name: "at the edges of their domains",
    kernel: functions,
    tensors: { y: outputOf("f32", [FUNCTION_ROWS, 6]) },
    tolerance: { y: { kind: "rounding", length: 1 } },
  },
  {
    name: "that overflow",
    kernel: integers,
    tensors: { y: outputOf("i32", [INTEGER_ROWS, 6]) },
    checked: false,
  },
]);
