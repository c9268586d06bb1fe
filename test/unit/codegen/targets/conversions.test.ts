/** [test/unit/codegen] Conversions between dtypes in both text families, run: every 16-bit code, every rounding boundary, saturation. */
import { expect, it } from "vitest";
import {
  DTYPES,
  type DType,
  decodeArray,
  encodeArray,
  isFloat,
  roundTo,
} from "../../../../dsl/index.ts";
import type { Data, ThreadCase } from "../../../support/thread-kernels.ts";
import { describeMachines, floats, integers, octets, words } from "./open.ts";

/** `y[i] = to(x[i])` for every element of tensors of these dtypes; two elements a thread where one is less than a byte. */
function castText(from: DType, to: DType): string {
  const width = DTYPES[from].bits === 4 || DTYPES[to].bits === 4 ? 2 : 1;
  return `thread cast(x: in ${from}[N], y: out ${to}[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let i: i32 = (@pid0 * 64 + @thread) * ${width}
    var a: ${from}[2]
    var r: ${to}[2]
    load_global a[0] x${width} from x[i] mask i < #N fill 0
    unroll j = 0 to ${width} step 1 {
      r[j] = ${to}(a[j])
    }
    store_global r[0] x${width} to y[i] mask i < #N
  }`;
}

function castCase(id: string, from: DType, to: DType, x: Data, count: number): ThreadCase {
  const bytes = Math.ceil((count * DTYPES[to].bits) / 8);
  const threads = DTYPES[from].bits === 4 || DTYPES[to].bits === 4 ? 128 : 64;
  return {
    id,
    text: castText(from, to),
    args: {
      tensors: { x, y: new Uint8Array(Math.ceil(bytes / 4) * 4) },
      dims: { N: count },
      grid: [Math.ceil(count / threads), 1, 1],
    },
  };
}

const NARROW = ["f16", "bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4"] as const;

/** Every code of a narrow float, as it lies in memory. */
function allCodes(dtype: (typeof NARROW)[number]): Data {
  const { bits } = DTYPES[dtype];
  if (bits === 16) return Uint16Array.from({ length: 0x10000 }, (_, i) => i);
  if (bits === 8) return Uint8Array.from({ length: 0x100 }, (_, i) => i);
  return Uint8Array.from({ length: 8 }, (_, i) => (2 * i) | ((2 * i + 1) << 4));
}

function countOf(dtype: (typeof NARROW)[number]): number {
  return 2 ** DTYPES[dtype].bits;
}

const floatWords = new Uint32Array(1);
const floatView = new Float32Array(floatWords.buffer);

function nextAfter(x: number, ahead: -1 | 1): number {
  floatView[0] = x;
  floatWords[0] = (floatWords[0] ?? 0) + ahead;
  return floatView[0] ?? 0;
}

/** The midpoint of each two neighbouring finite values of the format, and the f32 next to it on both sides; signs alternate, but for nf4. */
function boundaries(dtype: (typeof NARROW)[number]): Float32Array {
  const bytes = allCodes(dtype);
  const raw = new Uint8Array(bytes.buffer);
  const all = [...decodeArray(dtype, raw, countOf(dtype))];
  const least = dtype === "nf4" ? -1 : 0;
  const finite = all.filter((v) => Number.isFinite(v) && v >= least).sort((a, b) => a - b);
  const values = finite.flatMap((low, i) => {
    const high = finite[i + 1] ?? low * 1.5;
    const middle = low + (high - low) / 2;
    const sign = i % 2 === 0 || dtype === "nf4" ? 1 : -1;
    return [low, nextAfter(middle, -1), middle, nextAfter(middle, 1)].map((v) => sign * v);
  });
  return Float32Array.from([...values, Number.NaN, Infinity, -Infinity, 3e38, -3e38, 1e-40, -0, 2]);
}

/** NaNs in one form, so that codes can be compared. */
function canonical(dtype: DType, bytes: Uint8Array, count: number): (number | string)[] {
  return [...decodeArray(dtype, bytes, count)].map((v) => (Object.is(v, -0) ? "-0" : v));
}

const INT_EDGES = Float32Array.from([
  0,
  -0,
  0.99,
  -0.99,
  1.5,
  -1.5,
  7.9,
  8,
  -8.9,
  15.5,
  16,
  127.9,
  128,
  -128.9,
  -129,
  255.5,
  256,
  -1,
  2147483520,
  2147483648,
  -2147483648,
  4294967040,
  4294967296,
  3e38,
  -3e38,
  Number.NaN,
  Infinity,
  -Infinity,
]);
const INTS = Int32Array.from([
  0, 1, -1, 7, 8, -8, -9, 15, 16, 127, 128, -128, -129, 255, 256, 65535, 65536, 16777217, -16777217,
  2147483647, -2147483648,
]);
const INT_DTYPES = ["i32", "u32", "i8", "u8", "i4", "u4"] as const;

/** The tile IR's rule: truncate, saturate, NaN gives 0. */
function floatToInt(x: number, dtype: DType): number {
  const { bits, signed } = DTYPES[dtype];
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  return Number.isNaN(x) ? 0 : Math.min(high, Math.max(low, Math.trunc(x))) + 0;
}

/** The low bits, extended. */
function wrapInt(x: number, dtype: DType): number {
  const { bits, signed } = DTYPES[dtype];
  return Number(signed ? BigInt.asIntN(bits, BigInt(x)) : BigInt.asUintN(bits, BigInt(x)));
}

const CASES: readonly ThreadCase[] = [
  ...NARROW.map((d) => castCase(`${d} f32`, d, "f32", allCodes(d), countOf(d))),
  ...NARROW.map((d) => {
    const x = boundaries(d);
    return castCase(`f32 ${d}`, "f32", d, x, x.length);
  }),
  castCase("f16 bf16", "f16", "bf16", allCodes("f16"), 65536),
  ...INT_DTYPES.map((d) => castCase(`f32 ${d}`, "f32", d, INT_EDGES, INT_EDGES.length)),
  ...INT_DTYPES.map((d) => castCase(`i32 ${d}`, "i32", d, INTS, 20)),
  castCase("i32 f32", "i32", "f32", INTS, INTS.length),
  castCase("u32 f32", "u32", "f32", new Uint32Array(INTS.buffer), INTS.length),
  castCase("i8 f32", "i8", "f32", Uint8Array.from([0, 1, 127, 128, 255, 0, 0, 0]), 5),
  castCase("u8 i32", "u8", "i32", Uint8Array.from([0, 1, 127, 128, 255, 0, 0, 0]), 5),
  castCase("i4 i32", "i4", "i32", Uint8Array.from([0x10, 0x87, 0xf8, 0x96]), 8),
  castCase("u4 f32", "u4", "f32", Uint8Array.from([0x10, 0x87, 0xf8, 0x96]), 8),
  castCase("i32 bool", "i32", "bool", INTS, 8),
  castCase("f32 bool", "f32", "bool", Float32Array.from([0, -0, 0.5, Number.NaN, -1]), 5),
  castCase("bool i32", "bool", "i32", Uint8Array.from([0, 1, 1, 0]), 4),
  castCase("bool f32", "bool", "f32", Uint8Array.from([0, 1, 1, 0]), 4),
];

await describeMachines("conversions", (machine) => {
  const run = machine.batch(CASES);

  it.each(NARROW)("%s to f32 is exact for every code", async (dtype) => {
    const y = floats(await run(`${dtype} f32`), "y");
    const raw = new Uint8Array(allCodes(dtype).buffer);
    expect(y).toEqual(decodeArray(dtype, raw, countOf(dtype)));
  });

  it.each(NARROW)("f32 to %s rounds to nearest even at every boundary", async (dtype) => {
    const x = boundaries(dtype);
    const got = octets(await run(`f32 ${dtype}`), "y");
    const expected = encodeArray(dtype, x);
    expect(canonical(dtype, got, x.length)).toEqual(canonical(dtype, expected, x.length));
  });

  it("f16 to bf16 rounds once", async () => {
    const values = decodeArray("f16", new Uint8Array(allCodes("f16").buffer), 65536);
    const expected = [...values].map((v) => roundTo("bf16", v));
    const got = decodeArray("bf16", octets(await run("f16 bf16"), "y"), 65536);
    expect([...got]).toEqual(expected);
  });

  it.each(INT_DTYPES)("f32 to %s truncates and saturates", async (dtype) => {
    const got = octets(await run(`f32 ${dtype}`), "y");
    const expected = [...INT_EDGES].map((v) => floatToInt(v, dtype));
    expect([...decodeArray(dtype, got, INT_EDGES.length)]).toEqual(expected);
  });

  it.each(INT_DTYPES)("i32 to %s keeps the low bits", async (dtype) => {
    const got = octets(await run(`i32 ${dtype}`), "y");
    const expected = [...INTS.slice(0, 20)].map((v) => wrapInt(v, dtype));
    expect([...decodeArray(dtype, got, 20)]).toEqual(expected);
  });

  it("integers to f32 round to nearest even", async () => {
    const unsigned = new Uint32Array(INTS.buffer);
    expect([...floats(await run("i32 f32"), "y")]).toEqual([...INTS].map(Math.fround));
    expect([...floats(await run("u32 f32"), "y")]).toEqual([...unsigned].map(Math.fround));
  });

  it("narrow integers and bools keep their value", async () => {
    expect([...floats(await run("i8 f32"), "y").slice(0, 5)]).toEqual([0, 1, 127, -128, -1]);
    expect([...integers(await run("u8 i32"), "y").slice(0, 5)]).toEqual([0, 1, 127, 128, 255]);
    expect([...integers(await run("i4 i32"), "y")]).toEqual([0, 1, 7, -8, -8, -1, 6, -7]);
    expect([...floats(await run("u4 f32"), "y")]).toEqual([0, 1, 7, 8, 8, 15, 6, 9]);
    expect([...octets(await run("i32 bool"), "y")]).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
    expect([...octets(await run("f32 bool"), "y").slice(0, 5)]).toEqual([0, 0, 1, 1, 1]);
    expect([...words(await run("bool i32"), "y")]).toEqual([0, 1, 1, 0]);
    expect([...floats(await run("bool f32"), "y")]).toEqual([0, 1, 1, 0]);
  });

  it("takes every dtype that is a float or an integer", () => {
    const covered: readonly DType[] = [...NARROW, ...INT_DTYPES, "f32", "bool"];
    expect([...covered].sort()).toEqual((Object.keys(DTYPES) as DType[]).sort());
    expect(NARROW.every(isFloat)).toBe(true);
  });
});
