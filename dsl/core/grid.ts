/** [dsl/core] The grid of a kernel as data: how many programs a launch has, from the sizes of its dims, without the source. */
import { InternalError } from "./errors.ts";

const BINARY = {
  add: (a: number, b: number): number => a + b,
  sub: (a: number, b: number): number => a - b,
  mul: (a: number, b: number): number => a * b,
  floordiv: (a: number, b: number): number => Math.floor(a / b),
  mod: (a: number, b: number): number => a - b * Math.floor(a / b),
  min: Math.min,
  max: Math.max,
  and: (a: number, b: number): number => a & b,
  or: (a: number, b: number): number => a | b,
  xor: (a: number, b: number): number => a ^ b,
  shl: (a: number, b: number): number => a << b,
  shr: (a: number, b: number): number => a >> b,
  lt: (a: number, b: number): number => Number(a < b),
  le: (a: number, b: number): number => Number(a <= b),
  gt: (a: number, b: number): number => Number(a > b),
  ge: (a: number, b: number): number => Number(a >= b),
  eq: (a: number, b: number): number => Number(a === b),
  ne: (a: number, b: number): number => Number(a !== b),
} as const;

/** Functions of two numbers that a grid may be made of; the meaning is that of the language's integers. */
export type GridFn = keyof typeof BINARY;

/** A number, the name of a dim, a function of two expressions, or `condition ? a : b`. JSON. */
export type GridExpression =
  | number
  | string
  | readonly [GridFn, GridExpression, GridExpression]
  | readonly ["select", GridExpression, GridExpression, GridExpression];

export function isGridFn(name: string): name is GridFn {
  return Object.hasOwn(BINARY, name);
}

/**
 * @param dims sizes by name
 * @throws InternalError TW9004 for a dim that has no size, or a function that is none
 */
export function evaluateGrid(
  expression: GridExpression,
  dims: Readonly<Record<string, number>>,
): number {
  if (typeof expression === "number") return expression;
  if (typeof expression === "string") {
    const size = Object.hasOwn(dims, expression) ? dims[expression] : undefined;
    return size ?? broken(`the dim ${expression} has no size`);
  }
  if (expression[0] === "select") {
    const [, condition, a, b] = expression;
    return evaluateGrid(evaluateGrid(condition, dims) === 0 ? b : a, dims);
  }
  const [fn, a, b] = expression;
  if (!isGridFn(fn)) return broken(`'${String(fn)}' is no function of grids`);
  return BINARY[fn](evaluateGrid(a, dims), evaluateGrid(b, dims));
}

function broken(seen: string): never {
  throw new InternalError({
    code: "TW9004",
    message: "the grid of an exported kernel cannot be computed",
    seen,
    expected: "a manifest as `tilewright build` wrote it",
    remedy: "build it again",
  });
}
