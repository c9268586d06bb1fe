/** [test/unit/dsl] The interpreter's elementwise ops: results, rounding and wrapping by dtype, special values. */
import { describe, expect, it } from "vitest";
import { roundTo } from "../../../dsl/core/rounding.ts";
import { erf, mulhi, roundEven } from "../../../dsl/interpreter/library.ts";
import { evaluate } from "../../support/run-tile-ir.ts";

const OFF = { checks: "off" } as const;

describe("float arithmetic", () => {
  it.each(["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] as const)("rounds each op to %s", (dtype) => {
    const a = [1, 1.125, -3.5, 0.0625, 100, 7].map((x) => roundTo(dtype, x));
    const b = [3, 0.1, 1.75, 1e-3, -7, 0.3].map((x) => roundTo(dtype, x));
    const each = (f: (x: number, y: number) => number): number[] =>
      a.map((x, i) => roundTo(dtype, Math.fround(f(x, b[i] ?? 0))));
    const binary = (fn: string): readonly number[] =>
      evaluate(`%out.9: ${dtype}[A=6] = ${fn} %a.1, %b.2`, dtype, a, b);
    expect(binary("add")).toEqual(each((x, y) => x + y));
    expect(binary("sub")).toEqual(each((x, y) => x - y));
    expect(binary("mul")).toEqual(each((x, y) => x * y));
    expect(binary("div")).toEqual(each((x, y) => x / y));
  });

  it("rounds between two fused ops, not only at the end", () => {
    const lines = "%3: f16[A=1] = add %a.1, %b.2\n    %out.9: f16[A=1] = sub %3, %a.1";
    expect(evaluate(lines, "f16", [2048], [1])).toEqual([0]);
    expect(evaluate(lines, "f16", [2048], [3])).toEqual([4]);
    const f32 = "%3: f32[A=1] = add %a.1, %b.2\n    %out.9: f32[A=1] = sub %3, %a.1";
    expect(evaluate(f32, "f32", [2 ** 24], [1])).toEqual([0]);
  });

  it.each([
    ["exp", Math.exp],
    ["exp2", (x: number) => 2 ** x],
    ["log", Math.log],
    ["log2", Math.log2],
    ["sqrt", Math.sqrt],
    ["rsqrt", (x: number) => 1 / Math.sqrt(x)],
    ["sin", Math.sin],
    ["cos", Math.cos],
    ["tanh", Math.tanh],
    ["abs", Math.abs],
    ["neg", (x: number) => -x],
    ["floor", Math.floor],
    ["ceil", Math.ceil],
  ] as const)("computes %s in double precision, rounded once", (fn, reference) => {
    const x = [0, -0, 1, 2, 0.5, -0.5, 3.25, -7.75, 80, -80, Infinity, -Infinity, NaN].map(
      Math.fround,
    );
    const result = evaluate(`%out.9: f32[A=13] = ${fn} %a.1`, "f32", x);
    expect(result).toEqual(x.map((v) => Math.fround(reference(v))));
  });

  it("gives exact powers of two", () => {
    const x = Array.from({ length: 254 }, (_, i) => i - 126);
    expect(evaluate("%out.9: f32[A=254] = exp2 %a.1", "f32", x)).toEqual(x.map((v) => 2 ** v));
  });

  it("rounds to the nearest integer, ties to even", () => {
    const x = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 2.51, -2.51, 1e30, NaN, -Infinity, -0];
    const expected = [0, 2, 2, -0, -2, 0, 3, -3, Math.fround(1e30), NaN, -Infinity, -0];
    expect(evaluate("%out.9: f32[A=12] = round %a.1", "f32", x)).toEqual(expected);
    expect(x.map((v) => roundEven(v)).map((v) => Object.is(v, -0))).toEqual(
      expected.map((v) => Object.is(v, -0)),
    );
  });

  it("returns the other operand where one is NaN", () => {
    const a = [1, NaN, NaN, 2, -Infinity];
    const b = [NaN, 3, NaN, 5, 4];
    expect(evaluate("%out.9: f32[A=5] = max %a.1, %b.2", "f32", a, b)).toEqual([1, 3, NaN, 5, 4]);
    expect(evaluate("%out.9: f32[A=5] = min %a.1, %b.2", "f32", a, b)).toEqual([
      1,
      3,
      NaN,
      2,
      -Infinity,
    ]);
  });

  /** @source NIST Digital Library of Mathematical Functions, table of erf at 17 digits */
  it.each([
    [0.1, 0.1124629160182849],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
    [2.5, 0.999593047982555],
    [3, 0.9999779095030014],
    [5, 0.9999999999984626],
  ])("computes erf(%d)", (x, expected) => {
    expect(Math.abs(erf(x) - expected)).toBeLessThan(4e-16 * 4);
    expect(erf(-x)).toBe(-erf(x));
  });
});

describe("integer arithmetic", () => {
  it.each([
    [
      "i32",
      [7, -7, 7, -7, 6, -6],
      [3, 3, -3, -3, 3, 3],
      [2, -3, -3, 2, 2, -2],
      [1, 2, -2, -1, 0, 0],
    ],
    ["u32", [7, 4294967295, 0], [3, 2, 5], [2, 2147483647, 0], [1, 1, 0]],
    ["i8", [-7, -128], [2, -1], [-4, -128], [1, 0]],
  ] as const)("divides %s towards minus infinity", (dtype, a, b, quotient, rest) => {
    const n = a.length;
    expect(evaluate(`%out.9: ${dtype}[A=${n}] = floordiv %a.1, %b.2`, dtype, a, b)).toEqual(
      quotient,
    );
    expect(evaluate(`%out.9: ${dtype}[A=${n}] = mod %a.1, %b.2`, dtype, a, b)).toEqual(rest);
  });

  it.each([
    ["add", "i32", [2 ** 31 - 1], [1], [-(2 ** 31)]],
    ["sub", "i32", [-(2 ** 31)], [1], [2 ** 31 - 1]],
    ["mul", "i32", [65537], [65537], [131073]],
    ["add", "u32", [2 ** 32 - 1], [2], [1]],
    ["sub", "u32", [0], [1], [2 ** 32 - 1]],
    ["mul", "u32", [2 ** 31 + 1], [2], [2]],
    ["add", "i8", [127], [1], [-128]],
    ["mul", "i4", [7], [7], [1]],
    ["sub", "u8", [0], [1], [255]],
    ["add", "u4", [15], [3], [2]],
    ["and", "i32", [-2], [7], [6]],
    ["or", "u32", [2 ** 31], [1], [2 ** 31 + 1]],
    ["xor", "u32", [2 ** 32 - 1], [1], [2 ** 32 - 2]],
    ["shl", "i32", [1], [33], [2]],
    ["shl", "u32", [1], [31], [2 ** 31]],
    ["shl", "i8", [1], [7], [-128]],
    ["shl", "u8", [3], [9], [6]],
    ["shr", "i32", [-8], [1], [-4]],
    ["shr", "u32", [2 ** 31], [4], [2 ** 27]],
    ["shr", "i8", [-128], [3], [-16]],
    ["min", "u32", [2 ** 32 - 1], [1], [1]],
    ["max", "i32", [-5], [-6], [-5]],
    ["mulhi", "u32", [2 ** 32 - 1], [2 ** 32 - 1], [2 ** 32 - 2]],
  ] as const)("computes %s of %s %j and %j", (fn, dtype, a, b, expected) => {
    expect(evaluate(`%out.9: ${dtype}[A=1] = ${fn} %a.1, %b.2`, dtype, a, b, dtype, OFF)).toEqual(
      expected,
    );
  });

  it("multiplies to the upper half exactly", () => {
    const samples = [0, 1, 2, 65535, 65536, 65537, 0x80000000, 0xdeadbeef, 0x12345678, 0xffffffff];
    const wrong = samples.flatMap((a) =>
      samples.filter((b) => BigInt(mulhi(a, b)) !== (BigInt(a) * BigInt(b)) >> 32n),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["neg", "i32", -(2 ** 31), -(2 ** 31)],
    ["neg", "u32", 1, 2 ** 32 - 1],
    ["neg", "i8", -128, -128],
    ["abs", "i8", -128, -128],
    ["abs", "i32", -5, 5],
    ["not", "i32", 0, -1],
    ["not", "u32", 0, 2 ** 32 - 1],
    ["not", "u4", 5, 10],
    ["not", "bool", 1, 0],
  ] as const)("computes %s of %s %d", (fn, dtype, x, expected) => {
    expect(evaluate(`%out.9: ${dtype}[A=1] = ${fn} %a.1`, dtype, [x], [x], dtype, OFF)).toEqual([
      expected,
    ]);
  });
});

describe("comparisons and select", () => {
  it.each([
    ["lt", [1, 0, 0, 0]],
    ["le", [1, 1, 0, 0]],
    ["gt", [0, 0, 1, 0]],
    ["ge", [0, 1, 1, 0]],
    ["eq", [0, 1, 0, 0]],
    ["ne", [1, 0, 1, 1]],
  ])("computes %s, with NaN unordered", (fn, expected) => {
    const line = `%out.9: bool[A=4] = ${fn} %a.1, %b.2`;
    expect(evaluate(line, "f32", [1, 2, 3, NaN], [2, 2, 2, 2], "bool")).toEqual(expected);
  });

  it("treats zeros of both signs as equal", () => {
    expect(evaluate("%out.9: bool[A=1] = eq %a.1, %b.2", "f32", [0], [-0], "bool")).toEqual([1]);
  });

  it("selects without touching what it leaves out", () => {
    const lines = "%3: bool[A=3] = lt %a.1, %b.2\n    %out.9: f32[A=3] = select %3, %a.1, %b.2";
    expect(evaluate(lines, "f32", [1, NaN, 5], [2, 3, NaN])).toEqual([1, 3, NaN]);
  });
});

describe("casts", () => {
  it.each([
    [
      "f32",
      "i32",
      [1.9, -1.9, 3e9, -3e9, NaN, Infinity, -0.5],
      [1, -1, 2 ** 31 - 1, -(2 ** 31), 0, 2 ** 31 - 1, 0],
    ],
    ["f32", "u32", [-1, 5e9, 7.5, NaN], [0, 2 ** 32 - 1, 7, 0]],
    ["f32", "i8", [127.9, 200, -200], [127, 127, -128]],
    ["f32", "u4", [16, -3, 15.5], [15, 0, 15]],
    ["f32", "f16", [65519, 65520, 1 + 2 ** -11], [65504, Infinity, 1]],
    ["f32", "f8e4m3", [500, -1e9, Infinity, NaN], [448, -448, 448, NaN]],
    ["f32", "f8e5m2", [60000, 1e9, -Infinity], [57344, 57344, -57344]],
    ["f16", "bf16", [1.00390625, 3.5], [1, 3.5]],
    ["i32", "i8", [300, -129], [44, 127]],
    ["i32", "u32", [-1], [2 ** 32 - 1]],
    ["u32", "i32", [2 ** 32 - 2], [-2]],
    ["i32", "f32", [2 ** 24 + 1, -7], [2 ** 24, -7]],
    ["u32", "f16", [70000, 2049], [Infinity, 2048]],
    ["i32", "f8e4m3", [1000], [448]],
    ["bool", "f32", [1, 0], [1, 0]],
    ["bool", "i32", [1, 0], [1, 0]],
    ["f32", "bool", [0, -0, 0.5, NaN], [0, 0, 1, 1]],
  ] as const)("converts %s to %s", (from, to, x, expected) => {
    const line = `%out.9: ${to}[A=${x.length}] = cast %a.1`;
    expect(evaluate(line, from, x, x, to)).toEqual(expected);
  });

  it("keeps bits in a bitcast", () => {
    const line = (to: string): string => `%out.9: ${to}[A=2] = bitcast %a.1`;
    expect(evaluate(line("u32"), "f32", [1, -2], [1, -2], "u32")).toEqual([0x3f800000, 0xc0000000]);
    expect(evaluate(line("f32"), "i32", [0x40490fdb, -1], [0, 0], "f32")).toEqual([
      Math.fround(Math.PI),
      NaN,
    ]);
    expect(evaluate(line("i32"), "u32", [2 ** 32 - 1, 5], [0, 0], "i32")).toEqual([-1, 5]);
  });

  it("multiplies a bool that was converted to float", () => {
    const lines =
      "%3: bool[A=2] = lt %a.1, %b.2\n    %4: f32[A=2] = cast %3\n    %out.9: f32[A=2] = mul %4, %b.2";
    expect(evaluate(lines, "f32", [1, 5], [3, 3])).toEqual([3, 0]);
  });
});
