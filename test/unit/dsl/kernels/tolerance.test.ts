/** [test/unit/dsl] The comparison of outputs with references: what it accepts and what it must not. */
import { describe, expect, it } from "vitest";
import { compareTensors, formatComparison, roundingBound } from "../../../../dsl/core/tolerance.ts";
import { roundTo } from "../../../../dsl/kernels/sample-data.ts";

const rounding = { kind: "rounding" as const, length: 1 };

describe("compareTensors", () => {
  it.each([
    ["f32", 1 + 2 ** -23],
    ["f16", 1 + 2 ** -10],
    ["bf16", 1 + 2 ** -7],
  ] as const)("accepts the neighbour of 1 in %s and refuses 4 steps", (dtype, neighbour) => {
    expect(compareTensors([neighbour], [1], dtype, rounding).mismatches).toBe(0);
    const far = 1 + 4 * (neighbour - 1) * (dtype === "f32" ? 20 : 1);
    expect(compareTensors([far], [1], dtype, rounding).mismatches).toBe(1);
  });

  it("asks for equal numbers when exact, whatever the sign of zero", () => {
    const exact = { kind: "exact" as const };
    expect(compareTensors([-0, 2], [0, 2], "f32", exact).mismatches).toBe(0);
    expect(compareTensors([1 + 2 ** -23], [1], "f32", exact).mismatches).toBe(1);
  });

  it("lets NaN meet NaN only, and infinities only themselves", () => {
    const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN];
    expect(compareTensors([nan, inf, -inf], [nan, inf, -inf], "f32", rounding).mismatches).toBe(0);
    expect(compareTensors([0, nan, inf], [nan, 0, -inf], "f32", rounding).mismatches).toBe(3);
    expect(compareTensors([3e38], [inf], "f32", rounding).mismatches).toBe(1);
  });

  it("counts an output of the wrong size as different", () => {
    expect(compareTensors([1, 2, 3], [1, 2], "f32", rounding).mismatches).toBe(1);
    expect(compareTensors([1], [1, 2], "f32", rounding).mismatches).toBeGreaterThan(0);
  });

  it("takes any of the allowed numbers for a choice", () => {
    const choice = { kind: "choice" as const, allowed: [[3, 5], [1]] };
    expect(compareTensors([5, 1], [3, 1], "i32", choice).mismatches).toBe(0);
    expect(compareTensors([4, 1], [3, 1], "i32", choice).mismatches).toBe(1);
  });

  it("refuses a sum that lacks one term", () => {
    const length = 4096;
    const scale = length * 0.64;
    const { absolute } = roundingBound({ kind: "rounding", length, scale }, "f32", scale);
    expect(absolute).toBeLessThan(0.1);
  });

  it("names the place of the first difference", () => {
    const comparison = compareTensors([0, 0, 0, 7], [0, 0, 0, 1], "f32", rounding);
    expect(formatComparison("y", [2, 2], comparison)).toMatch(
      /^y: 1 of 4 elements differ\n {2}y\[1, 1\]: seen 7, expected 1 ± /,
    );
  });
});

describe("roundTo", () => {
  it.each([
    ["f16", 2049, 2048],
    ["f16", 2051, 2052],
    ["f16", 65519, 65504],
    ["f16", 65520, Number.POSITIVE_INFINITY],
    ["f16", 2 ** -25, 0],
    ["f16", 1.5 * 2 ** -24, 2 ** -23],
    ["bf16", 257, 256],
    ["bf16", 259, 260],
    ["bf16", -259, -260],
    ["bf16", 3.4e38, Number.POSITIVE_INFINITY],
    ["f32", 0.1, Math.fround(0.1)],
    ["i32", 7, 7],
  ] as const)("rounds %s %d to %d, ties to even", (dtype, value, rounded) => {
    expect(roundTo(dtype, value)).toBe(rounded);
  });
});
