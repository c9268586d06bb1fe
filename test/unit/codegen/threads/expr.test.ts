/** [test/unit/codegen/threads] Sums and products that are put together while expressions are made: i32 wraps as it does where the program runs. */
import { describe, expect, it } from "vitest";
import { add, constant, mul, register, sub } from "../../../../codegen/passes/threads/expr.ts";

const MOST = 2 ** 31 - 1;
const LEAST = -(2 ** 31);
const x = register("x", "i32");
const c = (value: number) => constant(value, "i32");

describe("i32 expressions", () => {
  it.each([
    ["a sum", add(c(MOST), c(1)), LEAST],
    ["a difference", sub(c(LEAST), c(1)), MOST],
    ["a product", mul(c(65536), c(65536)), 0],
    ["a product past the reach of doubles", mul(c(MOST), c(MOST)), 1],
  ])("wrap in %s of constants", (_name, sum, value) => {
    expect(sum).toEqual(c(value));
  });

  it("wrap where constants of several sums and products meet", () => {
    expect(add(add(x, c(MOST)), c(1))).toEqual({ ...add(x, c(LEAST)), fn: "add" });
    expect(mul(mul(x, c(65536)), c(65536))).toEqual(mul(x, c(0)));
  });

  it("subtract a constant that is negative, but for the least, which has no opposite", () => {
    expect(add(x, c(-3))).toMatchObject({ fn: "sub", b: { value: 3 } });
    expect(add(x, c(LEAST))).toMatchObject({ fn: "add", b: { value: LEAST } });
  });

  it("do not wrap in i64", () => {
    const wide = register("w", "i64");
    const sum = add(add(wide, constant(MOST, "i64")), constant(1, "i64"));
    expect(sum).toMatchObject({ fn: "add", b: { value: 2 ** 31 } });
  });
});
