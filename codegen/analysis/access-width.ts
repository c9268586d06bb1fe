/** [codegen/analysis] How wide a vector access of a tile may be: proven alignment, bounds and masks. The layout's own run is the caller's affair. */
import {
  DTYPES,
  type DType,
  type Index,
  type TensorDim,
  type TensorParam,
  type Value,
} from "../../dsl/index.ts";
import { elementDivisor, gcd, type IntegerAnalysis } from "./integer-facts.ts";

/** Bytes of the widest vector access of every target. */
export const VECTOR_BYTES = 16;

export interface WidthVerdict {
  /** Elements; a power of two. */
  readonly width: number;
  /** Elements of the widest aligned access, though a bound or the mask may cut it: at least `width`. */
  readonly aligned: number;
  /** The axis that vectors run along; absent where `width` is 1 for want of one. */
  readonly axis?: string;
  /** What kept the width from being larger; absent at the widest. */
  readonly why?: string;
}

export function widestVector(dtype: DType): number {
  return (VECTOR_BYTES * 8) / DTYPES[dtype].bits;
}

/** Largest known divisor of a dim's size. */
function sizeDivisor(
  dim: TensorDim | undefined,
  divisibility: Readonly<Record<string, number>>,
): number {
  if (dim?.size !== undefined) return dim.size;
  return dim?.name === undefined ? 1 : (divisibility[dim.name] ?? 1);
}

/** Largest known divisor of each dim's stride, in elements. */
export function strideDivisors(
  tensor: TensorParam,
  divisibility: Readonly<Record<string, number>>,
): readonly number[] {
  const divisors: number[] = [];
  let product = 1;
  for (const dim of [...tensor.shape].reverse()) {
    divisors.unshift(product);
    const size = sizeDivisor(dim, divisibility);
    // Powers of two only: they are all that alignment asks for, and cannot overflow.
    product = Math.min(2 ** 30, product * gcd(size === 0 ? 2 ** 30 : size, 2 ** 30));
  }
  return divisors;
}

function largestPowerOfTwo(most: number, divides: number): number {
  let width = most;
  while (width > 1 && divides % width !== 0) width /= 2;
  return width;
}

/** Divisor of what an index adds to the offset, apart from the vector axis itself. */
function indexDivisor(facts: IntegerAnalysis, index: Index, stride: number): number {
  switch (index.kind) {
    case "at":
      return facts.of(index.value).divisor * stride;
    case "span":
      // Its own coordinate is any integer.
      return stride;
    case "gather":
      return elementDivisor(facts.of(index.index)) * stride;
    default:
      return index satisfies never;
  }
}

/**
 * The widest access along the last dim that is aligned and never straddles a bound, for a tile at `at` of `tensor`.
 * Tensors start at addresses that 16 bytes divide.
 */
export function accessWidth(
  tensor: TensorParam,
  at: readonly Index[],
  mask: Value | undefined,
  facts: IntegerAnalysis,
  divisibility: Readonly<Record<string, number>>,
): WidthVerdict {
  const last = at.at(-1);
  if (last?.kind !== "span")
    return { width: 1, aligned: 1, why: "the last dim is not walked by a span" };
  const axis = last.axis.name;
  let why: string | undefined;
  let width = widestVector(tensor.dtype);
  const limit = (divides: number, reason: string): void => {
    const allowed = largestPowerOfTwo(width, divides);
    if (allowed < width) why = reason;
    width = allowed;
  };
  limit(last.axis.size, `axis ${axis} has ${last.axis.size} elements`);
  const start = facts.of(last.start);
  limit(start.divisor, `the start along ${axis} is a multiple of ${start.divisor} only`);
  const strides = strideDivisors(tensor, divisibility);
  at.slice(0, -1).forEach((index, dim) => {
    const divides = indexDivisor(facts, index, strides[dim] ?? 1);
    limit(divides, `rows of ${tensor.name} start at multiples of ${divides} elements only`);
  });
  const aligned = width;
  if (mask?.type.axes.some((masked) => masked.name === axis))
    return { width: 1, aligned, axis, why: `the mask varies along ${axis}` };
  const size = sizeDivisor(tensor.shape.at(-1), divisibility);
  limit(size, `the last dim of ${tensor.name} is a multiple of ${size} only`);
  if (last.end !== undefined) {
    const end = facts.of(last.end);
    limit(end.divisor, `the end along ${axis} is a multiple of ${end.divisor} only`);
  }
  return { width, aligned, axis, ...(why === undefined ? {} : { why }) };
}
