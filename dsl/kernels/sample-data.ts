/** [dsl/kernels] Seeded random data, rounding and indexing for samples and references; nothing of it is compiled. */
import type { DType } from "../core/dtype.ts";
import type { HostTensor } from "./define-kernel-entry.ts";

/** Seeded source of random numbers; the same seed gives the same sequence everywhere. */
export interface RandomSource {
  /** Uniform in [0, 1). */
  readonly uniform: () => number;
  /** Standard normal. */
  readonly normal: () => number;
  /** Uniform integer in [low, high). */
  readonly integer: (low: number, high: number) => number;
}

interface FloatFormat {
  readonly precision: number;
  readonly minExponent: number;
  readonly largest: number;
  /** What lies beyond the largest becomes it, not infinity. */
  readonly saturates?: true;
}

const FORMATS: Readonly<Partial<Record<DType, FloatFormat>>> = {
  f16: { precision: 11, minExponent: -14, largest: 65504 },
  bf16: { precision: 8, minExponent: -126, largest: 2 ** 127 * (2 - 2 ** -7) },
  f8e4m3: { precision: 4, minExponent: -6, largest: 448, saturates: true },
};

/**
 * Random numbers by a 32-bit Weyl sequence through a mixing function.
 * @source G. L. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014 (the construction)
 */
export function randomSource(seed: number): RandomSource {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  const uniform = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal, integer: (low, high) => low + Math.floor(uniform() * (high - low)) };
}

/** Rounds to the nearest number of a float dtype, ties to even; overflow gives infinity, in 8 bits the largest. Integers pass through. */
export function roundTo(dtype: DType, value: number): number {
  if (dtype === "f32") return Math.fround(value);
  const format = FORMATS[dtype];
  if (format === undefined || value === 0 || !Number.isFinite(value)) return value;
  const exponent = Math.max(exponentOf(value), format.minExponent);
  const step = 2 ** (exponent - format.precision + 1);
  const rounded = roundHalfEven(value / step) * step;
  if (Math.abs(rounded) <= format.largest) return rounded;
  const beyond = format.saturates === true ? format.largest : Number.POSITIVE_INFINITY;
  return Math.sign(value) * beyond;
}

export function hostTensor(
  dtype: DType,
  shape: readonly number[],
  valueAt: (index: number) => number,
): HostTensor {
  const count = shape.reduce((n, size) => n * size, 1);
  const data = new Float64Array(count);
  for (let i = 0; i < count; i++) data[i] = roundTo(dtype, valueAt(i));
  return { dtype, shape, data };
}

/** Normal numbers times `deviation`, rounded to `dtype`. */
export function randomTensor(
  random: RandomSource,
  dtype: DType,
  shape: readonly number[],
  deviation = 1,
): HostTensor {
  return hostTensor(dtype, shape, () => random.normal() * deviation);
}

/** A vector of integers, i32. */
export function intTensor(values: readonly number[]): HostTensor {
  return hostTensor("i32", [values.length], (i) => values[i] ?? 0);
}

/** A vector of f32. */
export function floatTensor(values: readonly number[]): HostTensor {
  return hostTensor("f32", [values.length], (i) => values[i] ?? 0);
}

/** Reads one element; NaN outside, so that a wrong reference shows. */
export function elementAt(tensor: HostTensor, ...index: readonly number[]): number {
  return tensor.data[offsetOf(tensor.shape, index)] ?? Number.NaN;
}

/** Row-major offset; -1 when an index lies outside its dim. */
export function offsetOf(shape: readonly number[], index: readonly number[]): number {
  let offset = 0;
  for (let d = 0; d < shape.length; d++) {
    const i = index[d] ?? 0;
    const size = shape[d] ?? 0;
    if (i < 0 || i >= size) return -1;
    offset = offset * size + i;
  }
  return offset;
}

/** A copy of a tensor's numbers that a reference fills in. */
export interface EditableTensor {
  readonly data: Float64Array;
  /** Rounds `value` to the tensor's dtype and stores it. */
  readonly set: (value: number, ...index: readonly number[]) => void;
  /** Stores values along the last dim. */
  readonly setRow: (values: readonly number[], ...index: readonly number[]) => void;
}

export function editable(tensor: HostTensor): EditableTensor {
  const data = tensor.data.slice();
  const set = (value: number, ...index: readonly number[]): void => {
    const offset = offsetOf(tensor.shape, index);
    if (offset < 0) {
      throw new RangeError(`index ${index.join(", ")} outside ${tensor.shape.join(" × ")}`);
    }
    data[offset] = roundTo(tensor.dtype, value);
  };
  return {
    data,
    set,
    setRow: (values, ...index) => {
      for (const [i, value] of values.entries()) set(value, ...index, i);
    },
  };
}

/** Random permutation of 0 … count - 1. */
export function permutation(random: RandomSource, count: number): readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.integer(0, i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

function exponentOf(value: number): number {
  const guess = Math.floor(Math.log2(Math.abs(value)));
  // log2 may round up to the next integer just below a power of two, or down just above one.
  if (2 ** guess > Math.abs(value)) return guess - 1;
  return 2 ** (guess + 1) <= Math.abs(value) ? guess + 1 : guess;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
