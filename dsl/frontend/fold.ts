/** [dsl/frontend] Arithmetic on numbers known at compile time, by the rules of the language. Emits nothing. */
import type { BinaryFn, CompareFn, UnaryFn } from "../ir/primitives.ts";

/** Result of a primitive on constants; undefined where the rules give none (division by zero of integers). */
export function foldBinary(fn: BinaryFn, a: number, b: number): number | undefined {
  switch (fn) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return a / b;
    case "floordiv":
      return b === 0 ? undefined : Math.floor(a / b);
    case "mod":
      return b === 0 ? undefined : a - Math.floor(a / b) * b;
    case "min":
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
    case "max":
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return a << b;
    case "shr":
      return a >> b;
    case "mulhi":
      return Number((BigInt(a >>> 0) * BigInt(b >>> 0)) >> 32n);
    default:
      return fn satisfies never;
  }
}

export function foldUnary(fn: UnaryFn, x: number): number {
  switch (fn) {
    case "neg":
      return -x;
    case "not":
      return ~x;
    case "abs":
      return Math.abs(x);
    case "exp":
      return Math.exp(x);
    case "exp2":
      return 2 ** x;
    case "log":
      return Math.log(x);
    case "log2":
      return Math.log2(x);
    case "sqrt":
      return Math.sqrt(x);
    case "rsqrt":
      return 1 / Math.sqrt(x);
    case "sin":
      return Math.sin(x);
    case "cos":
      return Math.cos(x);
    case "tanh":
      return Math.tanh(x);
    case "erf":
      return erf(x);
    case "floor":
      return Math.floor(x);
    case "ceil":
      return Math.ceil(x);
    case "round":
      return roundHalfEven(x);
    default:
      return fn satisfies never;
  }
}

export function foldCompare(fn: CompareFn, a: number, b: number): boolean {
  switch (fn) {
    case "lt":
      return a < b;
    case "le":
      return a <= b;
    case "gt":
      return a > b;
    case "ge":
      return a >= b;
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    default:
      return fn satisfies never;
  }
}

function roundHalfEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest < 0.5) return low;
  if (rest > 0.5) return low + 1;
  return low % 2 === 0 ? low : low + 1;
}

/**
 * Error function by its Maclaurin series, by continued fraction far out; double precision.
 * @source Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14
 */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  if (z < 2.5) {
    let term = z;
    let total = z;
    for (let n = 1; Math.abs(term) > 1e-18 * total; n++) {
      term *= (2 * z * z) / (2 * n + 1);
      total += term;
    }
    return Math.sign(x) * (2 / Math.sqrt(Math.PI)) * Math.exp(-z * z) * total;
  }
  let fraction = z;
  for (let n = 60; n > 0; n--) fraction = z + n / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-z * z) / (fraction * Math.sqrt(Math.PI)));
}
