/** [test/unit/codegen] Fragments: parentheses appear where one of the languages needs them, and nowhere else. */
import { describe, expect, it } from "vitest";
import {
  atom,
  call,
  type Fragment,
  type InfixOperator,
  infix,
  prefix,
  ternary,
} from "../../../../codegen/text/fragment.ts";

const [a, b, c, d] = [atom("a"), atom("b"), atom("c"), atom("d")];
const op = (operator: InfixOperator, x: Fragment, y: Fragment): Fragment => infix(operator, x, y);

describe("fragment", () => {
  it.each<readonly [string, Fragment]>([
    ["a + b * c", op("+", a, op("*", b, c))],
    ["(a + b) * c", op("*", op("+", a, b), c)],
    ["a - b - c", op("-", op("-", a, b), c)],
    ["a - (b - c)", op("-", a, op("-", b, c))],
    ["a / (b * c)", op("/", a, op("*", b, c))],
    ["a * b % c", op("%", op("*", a, b), c)],
    ["(a + b) << c", op("<<", op("+", a, b), c)],
    ["a + (b << c)", op("+", a, op("<<", b, c))],
    ["a & (b - c)", op("&", a, op("-", b, c))],
    ["(a & b) | (c & d)", op("|", op("&", a, b), op("&", c, d))],
    ["(a & b) == c", op("==", op("&", a, b), c)],
    ["a + b < c", op("<", op("+", a, b), c)],
    ["(a < b) == c", op("==", op("<", a, b), c)],
    ["a < b && c < d", op("&&", op("<", a, b), op("<", c, d))],
    ["a && b && c", op("&&", op("&&", a, b), c)],
    ["(a && b) || c", op("||", op("&&", a, b), c)],
    ["(a < b) & (c < d)", op("&", op("<", a, b), op("<", c, d))],
    ["-a * b", op("*", prefix("-", a), b)],
    ["-(a + b)", prefix("-", op("+", a, b))],
    ["-(-a)", prefix("-", prefix("-", a))],
    ["!(a < b)", prefix("!", op("<", a, b))],
    ["a - -b", op("-", a, prefix("-", b))],
    ["a < b ? c : d", ternary(op("<", a, b), c, d)],
    ["(a ? b : c) ? d : a", ternary(ternary(a, b, c), d, a)],
    ["(a ? b : c) + d", op("+", ternary(a, b, c), d)],
    ["f(a ? b : c, a + b)", call("f", ternary(a, b, c), op("+", a, b))],
  ])("writes %s", (text, fragment) => {
    expect(fragment.text).toBe(text);
  });
});
