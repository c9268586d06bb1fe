/** [test/unit/emulation] Arithmetic of the prelude: conversions equal the interpreter's bits, functions lie within ulps of doubles, integers wrap. */
import { expect, it } from "vitest";
import {
  bf16Bits,
  bf16Value,
  f8e4m3Bits,
  f8e4m3Table,
  f8e5m2Bits,
  f8e5m2Table,
  f8e8m0Table,
  f16Bits,
  f16Table,
} from "../../../dsl/core/rounding.ts";
import {
  f4e2m1Bits,
  f4e2m1Value,
  f8e8m0Bits,
  nf4Bits,
  nf4Value,
} from "../../../dsl/core/storage-formats.ts";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import {
  describeEmulated,
  floatsOf,
  input,
  kindsOf,
  output,
  randomBelow,
  wordsOf,
} from "./open.ts";

/** y[i] = expression of x[i] (and of z[i]), one thread an element. */
function mapText(
  id: string,
  xType: string,
  yType: string,
  expression: string,
  before = "",
): { id: string; entry: string; text: string } {
  return {
    id,
    entry: "map",
    text: `${before}
TW_KERNEL(256) map(const ${xType}* px, const ${xType}* pz, ${yType}* py, i32 n) {
  const i32 i = tw_bid_x() * 256 + tw_tid();
  if (i >= n) return;
  const ${xType} x = tw_ldg<${xType}>(px + i);
  const ${xType} z = tw_ldg<${xType}>(pz + i);
  tw_stg<${yType}>(py + i, ${expression});
}`,
  };
}

/** The device's own software for 8-bit floats and integers, in the place of the emulation's. */
const DEVICE_FLOAT8 = '#include "../../../codegen/c-family/prelude/narrow-float.h"';
const DEVICE_INTEGER = '#include "../../../codegen/c-family/prelude/integer.h"';

const FLOAT_FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  log: Math.log,
  log2: Math.log2,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
  abs: Math.abs,
  round: roundEven,
};

function roundEven(x: number): number {
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 === 0 ? down : down + 1;
}

interface NarrowFormat {
  readonly codes: number;
  readonly encode: (x: number) => number;
  readonly decode: (code: number) => number | undefined;
}
const FORMATS: Readonly<Record<string, NarrowFormat>> = {
  f16: { codes: 65536, encode: f16Bits, decode: (code) => f16Table()[code] },
  bf16: { codes: 65536, encode: bf16Bits, decode: bf16Value },
  f8e4m3: { codes: 256, encode: f8e4m3Bits, decode: (code) => f8e4m3Table()[code] },
  f8e5m2: { codes: 256, encode: f8e5m2Bits, decode: (code) => f8e5m2Table()[code] },
  f8e8m0: { codes: 256, encode: f8e8m0Bits, decode: (code) => f8e8m0Table()[code] },
  f4e2m1: { codes: 16, encode: f4e2m1Bits, decode: f4e2m1Value },
  nf4: { codes: 16, encode: nf4Bits, decode: nf4Value },
};
/** Formats that devices convert by text of their own, not by an instruction. */
const IN_SOFTWARE = ["f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4"] as const;
const SOFTWARE_ROUNDING: Readonly<Record<string, string>> = {
  f8e4m3: "tw_round_f8_(x, 3, 448.0f)",
  f8e5m2: "tw_round_f8_(x, 2, 57344.0f)",
};

const CONVERSIONS = [
  ...Object.keys(FORMATS).map((name) => ({
    name,
    format: name,
    narrow: `tw_f32_to_${name}(x)`,
    wide: `tw_${name}_to_f32((tw_${name})x)`,
    before: "",
  })),
  ...IN_SOFTWARE.map((name) => ({
    name: `${name} in software`,
    format: name,
    narrow: SOFTWARE_ROUNDING[name] ?? `tw_f32_to_${name}(x)`,
    wide: `tw_${name}_to_f32((tw_${name})x)`,
    before: DEVICE_FLOAT8,
  })),
];

const HALVES = [
  ["low f16 of two", "tw_f16x2_lo(x | 0x3c000000u)", "f16"],
  ["high bf16 of two", "tw_bf16x2_hi(x << 16 | 0x3c00u)", "bf16"],
] as const;

function formatOf(name: string): NarrowFormat {
  const format = FORMATS[name];
  if (format === undefined) throw new Error(name);
  return format;
}

const int32 = (x: number): number => x | 0;
const floordiv = (a: number, b: number): number => int32(Math.floor(a / b));
const INTEGERS: Readonly<Record<string, (x: number, z: number) => number>> = {
  "tw_floordiv_i32(x, z)": (x, z) => (z === 0 ? 0 : floordiv(x, z)),
  "tw_floormod_i32(x, z)": (x, z) => (z === 0 ? 0 : int32(x - Math.floor(x / z) * z)),
  "tw_add_i32(x, z)": (x, z) => int32(x + z),
  "tw_sub_i32(x, z)": (x, z) => int32(x - z),
  "tw_mul_i32(x, z)": Math.imul,
  "tw_shl_i32(x, z)": (x, z) => x << (z & 31),
  "tw_shr_i32(x, z)": (x, z) => x >> (z & 31),
  "(i32)tw_shl_u32((u32)x, (u32)z)": (x, z) => x << (z & 31),
  "(i32)tw_shr_u32((u32)x, (u32)z)": (x, z) => (x >>> (z & 31)) | 0,
  "tw_min_i32(x, z)": Math.min,
  "tw_max_i32(x, z)": Math.max,
  "(i32)tw_min_u32((u32)x, (u32)z)": (x, z) => int32(Math.min(x >>> 0, z >>> 0)),
  "(i32)tw_max_u32((u32)x, (u32)z)": (x, z) => int32(Math.max(x >>> 0, z >>> 0)),
  "tw_abs_i32(x)": (x) => int32(Math.abs(x)),
  "(i32)tw_floordiv_u32((u32)x, (u32)z)": (x, z) =>
    z === 0 ? 0 : int32(Math.floor((x >>> 0) / (z >>> 0))),
  "(i32)tw_floormod_u32((u32)x, (u32)z)": (x, z) => (z === 0 ? 0 : int32((x >>> 0) % (z >>> 0))),
};
const EMULATION_ONLY: Readonly<Record<string, (x: number, z: number) => number>> = {
  "(i32)tw_mulhi_u32((u32)x, (u32)z)": (x, z) =>
    Number(BigInt.asIntN(32, (BigInt(x >>> 0) * BigInt(z >>> 0)) >> 32n)),
  "(i32)tw_pack_u16x2((u32)x, (u32)z)": (x, z) => int32((x & 0xffff) | (z << 16)),
  "(i32)(tw_u16x2_lo((u32)x) + tw_u16x2_hi((u32)z))": (x, z) => (x & 0xffff) + (z >>> 16),
  "(i32)tw_pack_u8x4((u32)x, (u32)z, 3, (u32)x)": (x, z) =>
    int32((x & 255) | ((z & 255) << 8) | (3 << 16) | (x << 24)),
  "(i32)tw_byte((u32)x, (u32)z & 3)": (x, z) => (x >>> (8 * (z & 3))) & 255,
  "tw_sext_i8((u32)x) * 1000 + tw_sext_i4((u32)z)": (x, z) =>
    ((x << 24) >> 24) * 1000 + ((z << 28) >> 28),
  "(i32)(tw_zext_u8((u32)x) * 100 + tw_zext_u4((u32)z))": (x, z) => (x & 255) * 100 + (z & 15),
};

/** Floats of every exponent, halves, neighbours of powers of two, limits of the narrow types, specials. */
function edgeFloats(): Float32Array {
  const random = randomBelow(5);
  const bits = Uint32Array.from({ length: 20000 }, () => random(0x10000) * 65536 + random(0x10000));
  const halves = Array.from({ length: 4096 }, (_, i) => Math.fround((i - 2048) / 2 ** (i % 24)));
  const limits = [
    0,
    -0,
    65504,
    65519.996,
    65520,
    2 ** -24,
    2 ** -25,
    3 * 2 ** -25,
    448,
    464,
    463.9,
    57344,
    61440,
    61439,
    2 ** -9,
    2 ** -10,
    2 ** -16,
  ];
  const specials = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    2147483648,
    -2147483648,
    4294967296,
    3e9,
  ];
  return Float32Array.of(
    ...new Float32Array(bits.buffer),
    ...halves,
    ...limits,
    ...limits.map((x) => -x),
    ...specials,
  );
}

function isSameFloat(seen: number | undefined, wanted: number | undefined): boolean {
  return Object.is(seen, wanted);
}

/** Distance in units of the last place of the wanted value; 0 where both are NaN or equal. */
function ulps(seen: number, wanted: number): number {
  if (Object.is(seen, wanted) || seen === wanted) return 0;
  const least = Math.max(Math.abs(wanted), 2 ** -126);
  return Math.abs(seen - wanted) / 2 ** (Math.floor(Math.log2(least)) - 23);
}

describeEmulated("numbers", (emulation) => {
  const unit = emulation.build([
    ...CONVERSIONS.flatMap(({ name, narrow, wide, before }) => [
      mapText(`to ${name}`, "f32", "u32", narrow, before),
      mapText(`from ${name}`, "u32", "f32", wide, before),
    ]),
    ...HALVES.map(([name, expression]) => mapText(`from ${name}`, "u32", "f32", expression)),
    ...Object.keys(FLOAT_FUNCTIONS).map((name) => mapText(name, "f32", "f32", `tw_${name}(x)`)),
    mapText("erf", "f32", "f32", "tw_erf(x)"),
    mapText("fma", "f32", "f32", "tw_fma(x, z, 1.0f)"),
    mapText("min", "f32", "f32", "tw_min(x, z)"),
    mapText("max", "f32", "f32", "tw_max(x, z)"),
    mapText("isnan", "f32", "u32", "tw_isnan(x)"),
    mapText("to i32", "f32", "i32", "tw_f32_to_i32(x)"),
    mapText("to u32", "f32", "u32", "tw_f32_to_u32(x)"),
    mapText("from i32", "i32", "f32", "tw_i32_to_f32(x)"),
    mapText("from u32", "u32", "f32", "tw_u32_to_f32(x)"),
    mapText("pack f16", "f32", "u32", "tw_pack_f16x2(x, z)"),
    mapText("pack bf16", "f32", "u32", "tw_pack_bf16x2(x, z)"),
    mapText("tf32", "f32", "u32", "tw_cvt_tf32(x)"),
    ...Object.keys({ ...INTEGERS, ...EMULATION_ONLY }).map((expression) =>
      mapText(expression, "i32", "i32", expression),
    ),
    ...Object.keys(INTEGERS).map((expression) =>
      mapText(`device ${expression}`, "i32", "i32", expression, DEVICE_INTEGER),
    ),
  ]);
  const map = (
    kernel: string,
    x: Float32Array | Uint32Array | Int32Array,
    z: typeof x = x,
  ): EmulatedRun => {
    const args = [
      input("x", x),
      input("z", z),
      output("y", new Uint32Array(x.length)),
      { kind: "i32" as const, value: x.length },
    ];
    const run = unit.launch({
      kernel,
      grid: [Math.ceil(x.length / 256), 1, 1],
      threads: 256,
      sharedBytes: 0,
      args,
      seeds: [1],
    })[0];
    if (run === undefined) throw new Error("no run");
    return run;
  };
  const floats = edgeFloats();

  it.each(CONVERSIONS)("rounds f32 to $name like the interpreter", ({ name, format }) => {
    const { encode, decode } = formatOf(format);
    const codes = wordsOf(map(`to ${name}`, floats), "y");
    // Any code of a NaN is one.
    const wrong = [...floats].flatMap((x, i) => {
      const [code = -1, want] = [codes[i], encode(x)];
      const same = Number.isNaN(decode(want)) ? Number.isNaN(decode(code)) : code === want;
      return same ? [] : [[x, code, want]];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ...CONVERSIONS.map(({ name, format }) => [name, format] as const),
    ...HALVES.map(([name, , format]) => [name, format] as const),
  ])("widens every code of %s like the interpreter", (name, format) => {
    const { codes: count, decode } = formatOf(format);
    const codes = Uint32Array.from({ length: count }, (_, i) => i);
    const seen = floatsOf(map(`from ${name}`, codes), "y");
    expect([...codes].filter((code) => !isSameFloat(seen[code], decode(code)))).toEqual([]);
  });

  it.each(Object.keys(FLOAT_FUNCTIONS))("computes %s within 2 ulp of the double result", (name) => {
    const exact = FLOAT_FUNCTIONS[name];
    if (exact === undefined) throw new Error(name);
    const seen = floatsOf(map(name, floats), "y");
    const wrong = [...floats].filter(
      (x, i) =>
        !(ulps(seen[i] ?? Number.NaN, Math.fround(exact(x))) <= 2) &&
        !(Number.isNaN(seen[i]) && Number.isNaN(exact(x))),
    );
    expect(wrong).toEqual([]);
  });

  it("computes erf, fma, min, max and isnan by their rules", () => {
    const known = Float32Array.of(0, 0.5, 1, -1, 2, 4, Number.POSITIVE_INFINITY);
    const wanted = [
      0, 0.5204998778130465, 0.8427007929497149, -0.8427007929497149, 0.9953222650189527,
      0.9999999845827421, 1,
    ];
    const erf = floatsOf(map("erf", known), "y");
    expect(wanted.every((value, i) => ulps(erf[i] ?? Number.NaN, Math.fround(value)) <= 2)).toBe(
      true,
    );
    const a = Float32Array.of(1 + 2 ** -12, Number.NaN, 3, -0, 0, Number.NaN);
    const b = Float32Array.of(-(1 - 2 ** -12), 2, Number.NaN, 0, -0, Number.NaN);
    expect(floatsOf(map("fma", a, b), "y")[0]).toBe(2 ** -24);
    expect([...floatsOf(map("min", a, b), "y")].slice(1)).toEqual([2, 3, -0, -0, Number.NaN]);
    expect([...floatsOf(map("max", a, b), "y")].slice(1)).toEqual([2, 3, 0, 0, Number.NaN]);
    expect([...wordsOf(map("isnan", a), "y")]).toEqual([0, 1, 0, 0, 0, 1]);
  });

  it("converts between floats and integers: truncating, saturating, NaN to 0", () => {
    const clamp = (x: number, low: number, high: number): number =>
      Number.isNaN(x) ? 0 : Math.min(high, Math.max(low, Math.trunc(x))) + 0;
    const signed = new Int32Array(wordsOf(map("to i32", floats), "y").buffer);
    expect([...signed]).toEqual([...floats].map((x) => clamp(x, -2147483648, 2147483647)));
    expect([...wordsOf(map("to u32", floats), "y")]).toEqual(
      [...floats].map((x) => clamp(x, 0, 4294967295)),
    );
    const whole = Int32Array.of(0, -1, 16777217, -16777219, 2147483647, -2147483648);
    expect([...floatsOf(map("from i32", whole), "y")]).toEqual([...whole].map(Math.fround));
    expect([...floatsOf(map("from u32", new Uint32Array(whole.buffer)), "y")]).toEqual(
      [...new Uint32Array(whole.buffer)].map(Math.fround),
    );
  });

  it("packs two narrow floats, the first in the low half", () => {
    const a = Float32Array.of(1, -2.5, 65504, 1e-7);
    const b = Float32Array.of(0.333, 7, -0, 3);
    expect([...wordsOf(map("pack f16", a, b), "y")]).toEqual(
      [...a].map((x, i) => (f16Bits(x) | (f16Bits(b[i] ?? 0) << 16)) >>> 0),
    );
    expect([...wordsOf(map("pack bf16", a, b), "y")]).toEqual(
      [...a].map((x, i) => (bf16Bits(x) | (bf16Bits(b[i] ?? 0) << 16)) >>> 0),
    );
    expect([...wordsOf(map("tf32", Float32Array.of(1 + 2 ** -11, 1 + 2 ** -12)), "y")]).toEqual([
      0x3f802000, 0x3f800000,
    ]);
  });

  const random = randomBelow(11);
  const whole = Int32Array.from({ length: 4000 }, (_, i) =>
    i % 3 === 0 ? random(40) - 20 : int32(random(0x10000) * 65536 + random(0x10000)),
  );
  const other = Int32Array.from(
    { length: 4000 },
    (_, i) =>
      (i % 2 === 0 ? random(40) - 20 : int32(random(0x10000) * 65536 + random(0x10000))) || 1,
  );

  it.each(Object.entries({ ...INTEGERS, ...EMULATION_ONLY }))(
    "computes %s",
    (expression, exact) => {
      const run = map(expression, whole, other);
      expect(run.reports).toEqual([]);
      expect([...new Int32Array(wordsOf(run, "y").buffer)]).toEqual(
        [...whole].map((x, i) => exact(x, other[i] ?? 1) + 0),
      );
    },
  );

  it.each(Object.entries(INTEGERS))(
    "computes %s with the devices' own text",
    (expression, exact) => {
      const run = map(`device ${expression}`, whole, other);
      expect([...new Int32Array(wordsOf(run, "y").buffer)]).toEqual(
        [...whole].map((x, i) => exact(x, other[i] ?? 1) + 0),
      );
    },
  );

  it("reports a division by zero and goes on with 0", () => {
    const run = map("tw_floordiv_i32(x, z)", Int32Array.of(7, -8), Int32Array.of(0, 3));
    expect(kindsOf([run])).toEqual(["divide-by-zero"]);
    expect([...new Int32Array(wordsOf(run, "y").buffer)]).toEqual([0, -3]);
  });
});
