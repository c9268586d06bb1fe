/** [test/unit/codegen] Constants as text: what is printed reads back as the same bits, in C and in WGSL. */
import { describe, expect, it } from "vitest";
import { literal as cLiteral } from "../../../../codegen/c-family/literals.ts";
import { literal as wgslLiteral } from "../../../../codegen/targets/wgsl/types.ts";
import { encodeConstant } from "../../../../codegen/text/constant-bits.ts";
import { shortestFloat } from "../../../../codegen/text/float-literal.ts";
import { InternalError } from "../../../../dsl/index.ts";

describe("shortestFloat", () => {
  it.each([
    [0.1, "0.1"],
    [1, "1.0"],
    [-0, "-0.0"],
    [1 / 3, "0.33333334"],
    [1e30, "1e+30"],
    [3.4028234663852886e38, "3.4028234663852886e+38"],
    [1e-45, "1e-45"],
    [16777217, "16777216.0"],
  ])("writes %f as %s", (value, text) => {
    expect(shortestFloat(Math.fround(value))).toBe(text);
    expect(Math.fround(Number(text))).toBe(Math.fround(value));
  });

  it("reads back exactly over random bits", () => {
    let state = 7;
    for (let i = 0; i < 2000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const [value = 0] = new Float32Array(new Uint32Array([state]).buffer);
      if (!Number.isFinite(value)) continue;
      expect(Math.fround(Number(shortestFloat(value)))).toBe(value);
    }
  });
});

describe("literal", () => {
  it.each([
    [1.5, "f32", "1.5f", "1.5f"],
    [-2, "f32", "-2.0f", "-2.0f"],
    [-Infinity, "f32", "tw_bits_f32(0xff800000u)", "tw_bits_f32(0xff800000u)"],
    [Number.NaN, "f32", "tw_bits_f32(0x7fc00000u)", "tw_bits_f32(0x7fc00000u)"],
    [-5, "i32", "-5", "-5"],
    [-2147483648, "i32", "-2147483647 - 1", "-2147483648"],
    [4294967295, "u32", "4294967295u", "4294967295u"],
    [1, "bool", "true", "true"],
    [1, "f16", "0x3c00", "0x00003c00u"],
    [-1, "bf16", "0xbf80", "0x0000bf80u"],
    [448, "f8e4m3", "0x7e", "0x0000007eu"],
    [-3, "i8", "-3", "-3"],
    [200, "u8", "200", "200u"],
  ] as const)("writes %f of %s", (value, type, c, wgsl) => {
    expect(cLiteral(value, type).text).toBe(c);
    expect(wgslLiteral(value, type).text).toBe(wgsl);
  });

  it("writes i64 for the C family only", () => {
    expect(cLiteral(5_000_000_000, "i64").text).toBe("5000000000ll");
    expect(() => wgslLiteral(5, "i64")).toThrow(InternalError);
  });
});

describe("encodeConstant", () => {
  it.each([
    [-1, "i4", 15],
    [7, "i4", 7],
    [15, "u4", 15],
    [-128, "i8", 128],
    [-1, "i32", 4294967295],
    [1000, "f8e4m3", 0x7e],
    [0.1, "f16", 0x2e66],
  ] as const)("stores %f as %s", (value, dtype, bits) => {
    expect(encodeConstant(value, dtype)).toBe(bits);
  });

  it("refuses an integer that does not fit", () => {
    expect(() => encodeConstant(16, "u4")).toThrow("16 is no u4 constant");
  });
});
