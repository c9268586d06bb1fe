/** [dsl/frontend] `Math` inside a kernel: constants, functions on numbers known at compile time, and those that are primitives. */
import type { UnaryFn } from "../ir/primitives.ts";
import {
  type AbstractValue,
  constant,
  describe,
  knownNumber,
  type Place,
} from "./abstract-value.ts";
import { binary, unary } from "./arith.ts";
import type { Lowering } from "./lowering.ts";

const CONSTANTS = ["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"] as const;
const PRIMITIVES: Readonly<Partial<Record<string, UnaryFn>>> = {
  abs: "abs",
  exp: "exp",
  log: "log",
  log2: "log2",
  sqrt: "sqrt",
  sin: "sin",
  cos: "cos",
  tanh: "tanh",
  floor: "floor",
  ceil: "ceil",
};
const HOST = {
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  cbrt: Math.cbrt,
  clz32: Math.clz32,
  cosh: Math.cosh,
  expm1: Math.expm1,
  log10: Math.log10,
  log1p: Math.log1p,
  round: Math.round,
  sign: Math.sign,
  sinh: Math.sinh,
  tan: Math.tan,
  trunc: Math.trunc,
} as const;

/** `Math.name`, or undefined where a kernel cannot use it. */
export function mathMember(name: string): AbstractValue | undefined {
  const found = CONSTANTS.find((candidate) => candidate === name);
  if (found !== undefined) return constant(Math[found]);
  const known =
    name === "min" || name === "max" || name === "pow" || name in PRIMITIVES || name in HOST;
  return known ? { kind: "math", name } : undefined;
}

export function callMath(
  lw: Lowering,
  name: string,
  args: readonly AbstractValue[],
  place: Place,
): AbstractValue {
  const [first, ...rest] = args;
  if (first !== undefined && (name === "min" || name === "max")) {
    return rest.reduce(
      (a, b, i) => binary(lw, name, a, b, i === rest.length - 1 ? place : { loc: place.loc }),
      first,
    );
  }
  const numbers = args.map(knownNumber);
  const [x, y] = numbers;
  if (name === "pow" && x !== undefined && y !== undefined) return constant(x ** y);
  const primitive = PRIMITIVES[name];
  if (first !== undefined && rest.length === 0) {
    if (primitive !== undefined) return unary(lw, primitive, first, place);
    const host = HOST[name as keyof typeof HOST];
    if (x !== undefined && host !== undefined) return constant(host(x));
  }
  return lw.fail("TW1184", place.loc, {
    message: `Math.${name} cannot be called this way in a kernel`,
    seen: args.map(describe).join(", ") || "no arguments",
    expected:
      name in HOST || name === "pow"
        ? "numbers known at compile time"
        : "one argument (Math.min and Math.max take more)",
    remedy:
      name === "round"
        ? "use round(), which rounds ties to even"
        : name === "pow"
          ? "write x ** 2 for whole powers, or exp2(y * log2(x))"
          : "express it with the ops of the language",
  });
}
