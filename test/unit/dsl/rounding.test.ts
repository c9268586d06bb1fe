/** [test/unit/dsl] Rounding and storage formats: every encoding of the narrow floats, ties, overflow, wrapping, packing. */
import { describe, expect, it } from "vitest";
import { DTYPE_NAMES, type DType } from "../../../dsl/core/dtype.ts";
import {
  bf16Bits,
  bf16Value,
  decodeArray,
  encodeArray,
  f8e4m3Bits,
  f8e4m3Table,
  f8e5m2Bits,
  f8e5m2Table,
  f16Bits,
  f16Table,
  roundBf16,
  roundF16,
  roundTo,
} from "../../../dsl/core/rounding.ts";
import { NF4_BOUNDS, NF4_VALUES } from "../../../dsl/core/storage-formats.ts";

interface Format {
  readonly name: DType;
  readonly count: number;
  readonly value: (code: number) => number;
  readonly encode: (x: number) => number;
  readonly sign: number;
  /** Magnitude of the greatest finite encoding. */
  readonly max: number;
  readonly overflow: number;
}

const FORMATS: readonly Format[] = [
  {
    name: "f16",
    count: 65536,
    value: (c) => f16Table()[c] ?? 0,
    encode: f16Bits,
    sign: 0x8000,
    max: 0x7bff,
    overflow: Infinity,
  },
  {
    name: "bf16",
    count: 65536,
    value: bf16Value,
    encode: bf16Bits,
    sign: 0x8000,
    max: 0x7f7f,
    overflow: Infinity,
  },
  {
    name: "f8e4m3",
    count: 256,
    value: (c) => f8e4m3Table()[c] ?? 0,
    encode: f8e4m3Bits,
    sign: 0x80,
    max: 0x7e,
    overflow: 448,
  },
  {
    name: "f8e5m2",
    count: 256,
    value: (c) => f8e5m2Table()[c] ?? 0,
    encode: f8e5m2Bits,
    sign: 0x80,
    max: 0x7b,
    overflow: 57344,
  },
];

/** Value of an encoding from the definition of the format, written independently of the code under test. */
function definition(name: DType, code: number): number {
  const [exponentBits, mantissaBits] = {
    f16: [5, 10],
    bf16: [8, 7],
    f8e4m3: [4, 3],
    f8e5m2: [5, 2],
  }[name as "f16"];
  if (exponentBits === undefined || mantissaBits === undefined) throw new Error("no such format");
  const text = code.toString(2).padStart(1 + exponentBits + mantissaBits, "0");
  const sign = text[0] === "1" ? -1 : 1;
  const exponent = Number.parseInt(text.slice(1, 1 + exponentBits), 2);
  const mantissa = Number.parseInt(text.slice(1 + exponentBits), 2);
  const ones = 2 ** exponentBits - 1;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (name === "f8e4m3") {
    if (exponent === ones && mantissa === 7) return Number.NaN;
  } else if (exponent === ones) return mantissa === 0 ? sign * Infinity : Number.NaN;
  const fraction = mantissa / 2 ** mantissaBits;
  return exponent === 0
    ? sign * fraction * 2 ** (1 - bias)
    : sign * (1 + fraction) * 2 ** (exponent - bias);
}

function same(a: number, b: number): boolean {
  return Object.is(a, b);
}

describe.each(FORMATS)("$name", ({ name, count, value, encode, sign, max, overflow }) => {
  const allCodes = Array.from({ length: count }, (_, code) => code);
  const finite = Array.from({ length: max }, (_, code) => code);

  it("decodes every encoding as the format defines it", () => {
    expect(allCodes.filter((code) => !same(value(code), definition(name, code)))).toEqual([]);
  });

  it("encodes every finite value to its own encoding", () => {
    const wrong = allCodes.filter((c) => Number.isFinite(value(c)) && encode(value(c)) !== c);
    expect(wrong).toEqual([]);
  });

  it("rounds the middle of two neighbours to the even one, and just off it to the nearer one", () => {
    const wrong = finite.filter((code) => {
      const low = value(code);
      const high = value(code + 1);
      const middle = (low + high) / 2; // exact in f32 for all four formats but the least bf16 subnormals
      if (Math.fround(middle) !== middle) return false;
      const even = code % 2 === 0 ? code : code + 1;
      const below = nextF32(middle, -1);
      const above = nextF32(middle, 1);
      const ok = encode(middle) === even && encode(below) === code && encode(above) === code + 1;
      const negative = encode(-middle) === (even | sign) && encode(-below) === (code | sign);
      return !(ok && negative);
    });
    expect(wrong).toEqual([]);
  });

  it("treats values beyond the greatest as documented", () => {
    const greatest = value(max);
    const step = greatest - value(max - 1);
    expect(value(encode(nextF32(greatest + step / 2, -1)))).toBe(greatest);
    expect(value(encode(greatest + step / 2))).toBe(overflow);
    expect(value(encode(-2 * greatest))).toBe(-overflow);
    expect(value(encode(Infinity))).toBe(overflow);
    expect(value(encode(-Infinity))).toBe(-overflow);
  });

  it("keeps NaN and the sign of zero", () => {
    expect(value(encode(Number.NaN))).toBeNaN();
    expect(value(encode(0))).toBe(0);
    expect(same(value(encode(-0)), -0)).toBe(true);
  });

  it("converts whole arrays as single values, both ways", () => {
    const values = Float32Array.from(allCodes, value);
    const bytes = encodeArray(name, values);
    const back = decodeArray(name, bytes, count);
    const expected = values.map((x) =>
      Number.isFinite(x) || Number.isNaN(x) ? x : Math.sign(x) * overflow,
    );
    expect(back.findIndex((x, i) => !same(x, expected[i] ?? 0))).toBe(-1);
  });

  it("rounds a number of double precision once, not twice", () => {
    const low = value(max - 5);
    const high = value(max - 4);
    const nearMiddle = ((low + high) / 2) * (1 + 2 ** -40); // an f32 would see the tie itself
    expect(Math.fround(nearMiddle)).toBe((low + high) / 2);
    expect(roundTo(name, nearMiddle)).toBe(high);
    expect(roundTo(name, ((low + high) / 2) * (1 - 2 ** -40))).toBe(low);
    expect(decodeArray(name, encodeArray(name, [nearMiddle]), 1)[0]).toBe(high);
  });
});

describe("known values", () => {
  it.each([
    ["f16", 65504, 0x7bff],
    ["f16", 65520, 0x7c00],
    ["f16", 2 ** -24, 0x0001],
    ["f16", 2 ** -25, 0x0000],
    ["f16", 1 / 3, 0x3555],
    ["bf16", 1, 0x3f80],
    ["bf16", -2.75, 0xc030],
    ["f8e4m3", 448, 0x7e],
    ["f8e4m3", 1000, 0x7e],
    ["f8e4m3", 2 ** -9, 0x01],
    ["f8e4m3", Number.NaN, 0x7f],
    ["f8e5m2", 57344, 0x7b],
    ["f8e5m2", 1e9, 0x7b],
    ["f8e5m2", 1.25, 0x3d],
  ] as const)("encodes %s %d as 0x%s", (dtype, x, code) => {
    const bytes = encodeArray(dtype, [x]);
    expect((bytes[0] ?? 0) + 256 * (bytes[1] ?? 0)).toBe(code);
  });

  it("rounds single values as encodings do", () => {
    expect(roundF16(1 + 2 ** -11)).toBe(1);
    expect(roundF16(1 + 3 * 2 ** -11)).toBe(1 + 2 ** -9);
    expect(roundBf16(1 + 2 ** -8)).toBe(1);
    expect(roundBf16(-3.395e38)).toBe(-3.3895313892515355e38);
    expect(roundBf16(3.4e38)).toBe(Infinity);
  });
});

describe("integers", () => {
  it.each([
    ["i8", 128, -128],
    ["i8", -129, 127],
    ["u8", 256, 0],
    ["u8", -1, 255],
    ["i4", 8, -8],
    ["i4", -9, 7],
    ["u4", 16, 0],
    ["u4", -1, 15],
    ["i32", 2 ** 31, -(2 ** 31)],
    ["u32", -1, 2 ** 32 - 1],
    ["bool", -7, 1],
    ["bool", 0, 0],
  ] as const)("wraps %s %d to %d", (dtype, x, expected) => {
    expect(roundTo(dtype, x)).toBe(expected);
    expect(decodeArray(dtype, encodeArray(dtype, [x]), 1)[0]).toBe(expected);
  });

  it.each(["i8", "u8", "i4", "u4"] as const)("keeps every value of %s", (dtype) => {
    const bits = dtype.endsWith("8") ? 8 : 4;
    const low = dtype.startsWith("i") ? -(2 ** (bits - 1)) : 0;
    const values = Array.from({ length: 2 ** bits }, (_, i) => low + i);
    expect([...decodeArray(dtype, encodeArray(dtype, values), values.length)]).toEqual(values);
  });

  it("packs two nibbles a byte, low nibble first, the last half byte zero", () => {
    expect([...encodeArray("u4", [1, 2, 15])]).toEqual([0x21, 0x0f]);
    expect([...encodeArray("i4", [-1, -8])]).toEqual([0x8f]);
    expect([...decodeArray("i4", Uint8Array.of(0x8f, 0x03), 3)]).toEqual([-1, -8, 3]);
  });
});

describe("formats that only store", () => {
  it.each(["nf4", "f4e2m1", "f8e8m0"] as const)("gives every code of %s back", (dtype) => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const count = dtype === "f8e8m0" ? 256 : 512;
    expect(encodeArray(dtype, decodeArray(dtype, codes, count))).toEqual(codes);
  });

  /** Nearest of all codes by brute force; between two, the one that `ties` prefers. */
  function nearest(codes: readonly number[], x: number, ties: (code: number) => boolean): number {
    let best = 0;
    codes.forEach((value, code) => {
      const gain = Math.abs((codes[best] ?? 0) - x) - Math.abs(value - x);
      if (gain > 0 || (gain === 0 && ties(code) && !ties(best))) best = code;
    });
    return codes[best] ?? 0;
  }
  const steps = Array.from({ length: 3001 }, (_, i) => (i - 1500) / 200);

  it("rounds to the nearest f4e2m1, ties to even, and saturates", () => {
    const sizes = [0, 0.5, 1, 1.5, 2, 3, 4, 6];
    for (const x of steps) {
      const size = nearest(sizes, Math.abs(x), (code) => code % 2 === 0);
      expect(roundTo("f4e2m1", x)).toBe(x < 0 || Object.is(x, -0) ? -size : size);
    }
    expect([Infinity, -1e30, Number.NaN].map((x) => roundTo("f4e2m1", x))).toEqual([6, -6, 6]);
  });

  it("rounds to the nearest nf4, with the bounds that bitsandbytes has", () => {
    for (const x of steps) expect(roundTo("nf4", x)).toBe(nearest([...NF4_VALUES], x, () => false));
    expect([...NF4_BOUNDS]).toEqual(
      [
        -0.8480964004993439, -0.6106329262256622, -0.4599952697753906, -0.33967943489551544,
        -0.23460740596055984, -0.13791173323988914, -0.045525018125772476, 0.03979014977812767,
        0.1202552504837513, 0.2035212516784668, 0.2920137718319893, 0.3893125355243683,
        0.5016634166240692, 0.6427869200706482, 0.8614784181118011,
      ].map(Math.fround),
    );
    const bound = NF4_BOUNDS[8] ?? 0;
    expect([bound, nextF32(bound, 1)].map((x) => roundTo("nf4", x))).toEqual([
      NF4_VALUES[8],
      NF4_VALUES[9],
    ]);
    expect([Infinity, -3, Number.NaN].map((x) => roundTo("nf4", x))).toEqual([1, -1, 1]);
  });

  it.each([
    [1, 1],
    [1.999999, 1],
    [-6, 4],
    [0, 2 ** -127],
    [2 ** -140, 2 ** -127],
    [1.5 * 2 ** -127, 2 ** -127],
    [3e38, 2 ** 127],
    [Infinity, 2 ** 127],
    [2 - 2 ** -40, 1],
    [Number.NaN, Number.NaN],
  ])("keeps the exponent of %d as an f8e8m0", (x, expected) => {
    expect(roundTo("f8e8m0", x)).toBe(expected);
    expect(decodeArray("f8e8m0", encodeArray("f8e8m0", [x]), 1)[0]).toBe(expected);
  });
});

describe("byte arrays", () => {
  it.each(DTYPE_NAMES)("reads %s from an odd address", (dtype) => {
    const bytes = encodeArray(dtype, [1, 0, 1, 1, 0]);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const zero = dtype === "f8e8m0" ? 2 ** -127 : 0;
    expect([...decodeArray(dtype, shifted.subarray(1), 5)]).toEqual([1, zero, 1, 1, zero]);
  });

  it("refuses bytes that hold too little", () => {
    expect(() => decodeArray("f16", new Uint8Array(3), 2)).toThrow(RangeError);
  });
});

function nextF32(x: number, direction: 1 | -1): number {
  const f = Float32Array.of(x);
  const u = new Uint32Array(f.buffer);
  u[0] = (u[0] ?? 0) + direction; // x > 0
  return f[0] ?? 0;
}
