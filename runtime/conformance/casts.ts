/** [runtime/conformance] Conversions between all dtypes: ties, saturation, truncation, NaN. */
import {
  cast,
  cdiv,
  DTYPE_NAMES,
  type DType,
  isFloat,
  kernel,
  load,
  out,
  pid,
  store,
  tensor,
  tile,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, tensorOf } from "./case.ts";

/** Every dtype: a record's lists are read at run time, so that a new one joins by itself. */
const ALL: readonly DType[] = DTYPE_NAMES;

const toFloats = kernel(
  {
    name: "cast_to_floats",
    dtypes: {
      T: ALL,
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
      T: ALL,
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

/** To the types that only store numbers, and to those of half a byte. */
const toNibbles = kernel(
  {
    name: "cast_to_nibbles",
    dtypes: {
      T: ALL,
    },
    params: {
      x: tensor("T", "N"),
      a: out("i4", "N"),
      b: out("u4", "N"),
      c: out("f4e2m1", "N"),
      d: out("nf4", "N"),
      e: out("f8e8m0", "N"),
    },
    config: { B: 32 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, a, b, c, d, e }, { B }) => {
    const at = tile(pid(0), B);
    const v = load(x, [at]);
    store(a, [at], cast(v, "i4"));
    store(b, [at], cast(v, "u4"));
    store(c, [at], cast(v, "f4e2m1"));
    store(d, [at], cast(v, "nf4"));
    store(e, [at], cast(v, "f8e8m0"));
  },
);

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
  0.25,
  0.75,
  1.25,
  1.75,
  -3.5,
  5,
  6.5,
  -0.045525018125772476,
  0.04,
  0.3893125355243683,
  0.3893126,
  0.9,
  2 ** 127,
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
/** Subnormal numbers of f32, which devices may flush where they compute; only their exponent is asked for. */
const TINY = [2 ** -126, 2 ** -127, -(2 ** -127), 2 ** -130];
const valuesOf = (T: DType): readonly number[] => {
  // The least f8e8m0, which is what 0 becomes, is subnormal too.
  if (T === "f8e8m0") return FLOAT_VALUES.filter((x) => !(Math.abs(x) < 2 ** -126));
  if (isFloat(T)) return FLOAT_VALUES;
  return T === "u32"
    ? [...INTEGER_VALUES.map((v) => v >>> 0), 4294967040, 4294967168]
    : INTEGER_VALUES;
};
const castSpecs: readonly CaseSpec[] = DTYPE_NAMES.flatMap((T) => {
  const values = valuesOf(T);
  const n = values.length;
  const x = tensorOf(T, [n], T === "bool" ? values.map((v) => (v > 8 ? 1 : 0)) : values);
  const tiny = tensorOf(T, [n + 4], [...values, ...(isFloat(T) ? TINY : [0, 1, 2, 3])]);
  const floats = { a: "f32", b: "f16", c: "bf16", d: "f8e4m3", e: "f8e5m2" } as const;
  const ints = { a: "i32", b: "u32", c: "i8", d: "u8", e: "bool" } as const;
  const nibbles = { a: "i4", b: "u4", c: "f4e2m1", d: "nf4", e: "f8e8m0" } as const;
  const outputs = (dtypes: Readonly<Record<string, DType>>, size = n) =>
    Object.fromEntries(
      Object.entries(dtypes).map(([key, dtype]) => [key, outputOf(dtype, [size])]),
    );
  return [
    { name: `from ${T}`, kernel: toFloats, dtypes: { T }, tensors: { x, ...outputs(floats) } },
    { name: `from ${T}`, kernel: toIntegers, dtypes: { T }, tensors: { x, ...outputs(ints) } },
    {
      name: `from ${T}`,
      kernel: toNibbles,
      dtypes: { T },
      tensors: { x: tiny, ...outputs(nibbles, n + 4) },
    },
  ];
});

export const castCases = defineCases("casts", castSpecs);
