/** [dsl/kernels] Floats as integers in the same order, for bisection over values; functions that kernels inline. Not a kernel. */
import { bitcast, where } from "../ops/catalogue.ts";

/** `orderedBits` of -infinity: the start of a bisection. */
export const LOWEST_BITS = -2139095041;

/** An i32 that rises with the f32: neighbouring floats give neighbouring integers; -0 comes just below 0. */
export function orderedBits(x: number): number {
  const bits = bitcast(x, "i32");
  return where(bits >= 0, bits, bits ^ 0x7fffffff);
}

/** The f32 of `orderedBits`. */
export function floatOfBits(ordered: number): number {
  return bitcast(where(ordered >= 0, ordered, ordered ^ 0x7fffffff), "f32");
}

/** floor((a + b) / 2) of two i32, without overflow. */
export function middle(a: number, b: number): number {
  return (a & b) + ((a ^ b) >> 1);
}
