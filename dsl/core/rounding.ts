/**
 * [dsl/core] Exact number formats: rounding to every dtype, and conversion between storage bytes and compute arrays.
 *
 * Floats round to nearest, ties to even. f16 and bf16 overflow to infinity; f8e4m3 and f8e5m2 saturate: what lies beyond the
 * largest finite value, infinities included, becomes that value with its sign, NaN stays NaN. Integers wrap.
 */
import { DTYPES, type DType, storageBytes } from "./dtype.ts";
import {
  f4e2m1Bits,
  f4e2m1Value,
  f8e8m0Bits,
  f8e8m0Value,
  nf4Bits,
  nf4Value,
} from "./storage-formats.ts";

/** A float format narrower than f32, without bf16 (which is the upper half of an f32). */
interface SmallFloat {
  readonly mantissaBits: number;
  readonly bias: number;
  /** Greatest encoding of a finite value, without the sign. */
  readonly maxCode: number;
  /** What finite values beyond it and infinities become. */
  readonly overflowCode: number;
  readonly nanCode: number;
  readonly signBit: number;
  /** False where the exponent of all ones is an ordinary one (f8e4m3 has no infinity and one NaN a sign). */
  readonly hasInfinity: boolean;
}

/** @source IEEE 754-2019, binary16 */
const F16: SmallFloat = {
  mantissaBits: 10,
  bias: 15,
  maxCode: 0x7bff,
  overflowCode: 0x7c00,
  nanCode: 0x7e00,
  signBit: 0x8000,
  hasInfinity: true,
};
/** @source OCP 8-bit Floating Point Specification 1.0, E4M3 (saturating mode) */
const F8E4M3: SmallFloat = {
  mantissaBits: 3,
  bias: 7,
  maxCode: 0x7e,
  overflowCode: 0x7e,
  nanCode: 0x7f,
  signBit: 0x80,
  hasInfinity: false,
};
/** @source OCP 8-bit Floating Point Specification 1.0, E5M2 (saturating mode) */
const F8E5M2: SmallFloat = {
  mantissaBits: 2,
  bias: 15,
  maxCode: 0x7b,
  overflowCode: 0x7b,
  nanCode: 0x7e,
  signBit: 0x80,
  hasInfinity: true,
};

const scratchF32 = new Float32Array(1);
const scratchU32 = new Uint32Array(scratchF32.buffer);

/** Encoding of the f32 with these bits in a small format. */
function encodeSmall(bits: number, format: SmallFloat): number {
  const sign = bits >>> 31 === 0 ? 0 : format.signBit;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | format.nanCode;
  const shift = 23 - format.mantissaBits;
  const exponent = magnitude >>> 23;
  const leastNormal = 128 - format.bias; // biased as in f32
  if (exponent >= leastNormal) {
    const rounded = (magnitude + (1 << (shift - 1)) - 1 + ((magnitude >>> shift) & 1)) >>> shift;
    const code = rounded - ((127 - format.bias) << format.mantissaBits);
    return sign | (code > format.maxCode ? format.overflowCode : code);
  }
  const drop = shift + leastNormal - exponent;
  if (drop > 24) return sign; // below half of the least subnormal
  const mantissa = (magnitude & 0x7fffff) | 0x800000;
  const kept = mantissa >>> drop;
  const rest = mantissa & ((1 << drop) - 1);
  const half = 1 << (drop - 1);
  return sign | (rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept);
}

function decodeSmall(code: number, format: SmallFloat): number {
  const { mantissaBits, bias, signBit, maxCode, hasInfinity } = format;
  const sign = (code & signBit) === 0 ? 1 : -1;
  const magnitude = code & (signBit - 1);
  const exponent = magnitude >>> mantissaBits;
  const mantissa = magnitude & ((1 << mantissaBits) - 1);
  if (magnitude > maxCode) return hasInfinity && mantissa === 0 ? sign * Infinity : Number.NaN;
  if (exponent === 0) return sign * mantissa * 2 ** (1 - bias - mantissaBits);
  return sign * (1 + mantissa / (1 << mantissaBits)) * 2 ** (exponent - bias);
}

function bf16OfBits(bits: number): number {
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

function bitsOf(x: number): number {
  scratchF32[0] = x;
  return scratchU32[0] ?? 0;
}

/** Bits of the f16 nearest to the f32 `x`. */
export function f16Bits(x: number): number {
  return encodeSmall(bitsOf(x), F16);
}
/** Bits of the bf16 nearest to the f32 `x`. */
export function bf16Bits(x: number): number {
  return bf16OfBits(bitsOf(x));
}
/** Bits of the f8e4m3 nearest to the f32 `x`, saturating to ±448. */
export function f8e4m3Bits(x: number): number {
  return encodeSmall(bitsOf(x), F8E4M3);
}
/** Bits of the f8e5m2 nearest to the f32 `x`, saturating to ±57344. */
export function f8e5m2Bits(x: number): number {
  return encodeSmall(bitsOf(x), F8E5M2);
}

function tableOf(size: number, decode: (code: number) => number): () => Float32Array {
  let table: Float32Array | undefined;
  return () => {
    table ??= Float32Array.from({ length: size }, (_, code) => decode(code));
    return table;
  };
}

/** The value of every encoding, as a table that is made on first use. Not to be written to. */
export const f16Table = tableOf(0x10000, (code) => decodeSmall(code, F16));
export const f8e4m3Table = tableOf(0x100, (code) => decodeSmall(code, F8E4M3));
export const f8e5m2Table = tableOf(0x100, (code) => decodeSmall(code, F8E5M2));
export const f8e8m0Table = tableOf(0x100, f8e8m0Value);

/** Value of a bf16 given its bits. */
export function bf16Value(bits: number): number {
  scratchU32[0] = bits << 16;
  return scratchF32[0] ?? 0;
}

/** The f16 nearest to the f32 `x`, as a number. */
export function roundF16(x: number): number {
  return f16Table()[f16Bits(x)] ?? 0;
}
/** The bf16 nearest to the f32 `x`, as a number. */
export function roundBf16(x: number): number {
  scratchF32[0] = x;
  const bits = scratchU32[0] ?? 0;
  scratchU32[0] = bf16OfBits(bits) << 16;
  return scratchF32[0] ?? 0;
}
export function roundF8e4m3(x: number): number {
  return f8e4m3Table()[f8e4m3Bits(x)] ?? 0;
}
export function roundF8e5m2(x: number): number {
  return f8e5m2Table()[f8e5m2Bits(x)] ?? 0;
}

export function roundF8e8m0(x: number): number {
  return f8e8m0Value(f8e8m0Bits(x));
}
export function roundF4e2m1(x: number): number {
  return f4e2m1Value(f4e2m1Bits(x));
}
export function roundNf4(x: number): number {
  return nf4Value(nf4Bits(x));
}

/**
 * An f32 from which rounding to a narrower format gives what rounding `x` itself gives: towards zero, with the last bit
 * set where that was not exact (round to odd), so that the second rounding sees no false tie.
 */
function toOdd(x: number): number {
  const near = Math.fround(x);
  if (near === x || !Number.isFinite(near)) return near;
  const bits = bitsOf(near);
  const truncated = Math.abs(near) > Math.abs(x) ? bits - 1 : bits;
  scratchU32[0] = truncated | 1;
  return scratchF32[0] ?? 0;
}

/**
 * The value of `dtype` that stands for the number `x`: the nearest float, or the integer wrapped (after truncation; NaN
 * and infinities give 0). A bool is 1 for everything but 0.
 */
export function roundTo(dtype: DType, x: number): number {
  switch (dtype) {
    case "f32":
      return Math.fround(x);
    case "f16":
      return roundF16(toOdd(x));
    case "bf16":
      return roundBf16(toOdd(x));
    case "f8e4m3":
      return roundF8e4m3(toOdd(x));
    case "f8e5m2":
      return roundF8e5m2(toOdd(x));
    case "f8e8m0":
      return roundF8e8m0(toOdd(x));
    case "f4e2m1":
      return roundF4e2m1(x);
    case "nf4":
      return roundNf4(x);
    case "i32":
      return x | 0;
    case "u32":
      return x >>> 0;
    case "i8":
      return (x << 24) >> 24;
    case "u8":
      return x & 0xff;
    case "i4":
      return (x << 28) >> 28;
    case "u4":
      return x & 0xf;
    case "bool":
      return x === 0 ? 0 : 1;
    default:
      return dtype satisfies never;
  }
}

/** What values of a dtype are computed in: floats f32, signed ints i32, the others u32 (bools 0 or 1). */
export type ComputeArray = Float32Array | Int32Array | Uint32Array;

export function computeArray(dtype: DType, count: number): ComputeArray {
  const { kind, signed } = DTYPES[dtype];
  if (kind === "float") return new Float32Array(count);
  return signed ? new Int32Array(count) : new Uint32Array(count);
}

/** Bytes as elements of `size` bytes each; copied only where they are not aligned. */
function aligned(bytes: Uint8Array, size: number): Uint8Array {
  return bytes.byteOffset % size === 0 ? bytes : bytes.slice();
}

function view16(bytes: Uint8Array): Uint16Array {
  const at = aligned(bytes, 2);
  return new Uint16Array(at.buffer, at.byteOffset, at.byteLength >> 1);
}

function decode16(dtype: "f16" | "bf16", bytes: Uint8Array, out: Float32Array): void {
  const codes = view16(bytes);
  const count = out.length;
  if (dtype === "f16") {
    const table = f16Table();
    for (let i = 0; i < count; i++) out[i] = table[codes[i] ?? 0] ?? 0;
    return;
  }
  const bits = new Uint32Array(out.buffer, out.byteOffset, count);
  for (let i = 0; i < count; i++) bits[i] = (codes[i] ?? 0) << 16;
}

function decodeNibbles(
  decode: (code: number) => number,
  bytes: Uint8Array,
  out: ComputeArray,
): ComputeArray {
  for (let i = 0; i < out.length; i++)
    out[i] = decode(((bytes[i >> 1] ?? 0) >> ((i & 1) << 2)) & 0xf);
  return out;
}

function decodeBytes(table: Float32Array, bytes: Uint8Array, out: ComputeArray): ComputeArray {
  for (let i = 0; i < out.length; i++) out[i] = table[bytes[i] ?? 0] ?? 0;
  return out;
}

/**
 * Values of storage bytes, exact for every dtype.
 * @param bytes little endian; sub-byte types two elements a byte, low nibble first
 * @param count number of elements; `bytes` holds at least as many
 * @returns f32 for floats, i32 for signed ints, u32 for unsigned ints and bools
 */
export function decodeArray(dtype: DType, bytes: Uint8Array, count: number): ComputeArray {
  if (bytes.byteLength < storageBytes(dtype, count)) {
    throw new RangeError(`${bytes.byteLength} bytes hold fewer than ${count} elements of ${dtype}`);
  }
  const out = computeArray(dtype, count);
  switch (dtype) {
    case "f32":
    case "i32":
    case "u32":
      new Uint8Array(out.buffer).set(bytes.subarray(0, count * 4));
      return out;
    case "f16":
    case "bf16":
      if (out instanceof Float32Array) decode16(dtype, bytes, out);
      return out;
    case "f8e4m3":
      return decodeBytes(f8e4m3Table(), bytes, out);
    case "f8e5m2":
      return decodeBytes(f8e5m2Table(), bytes, out);
    case "f8e8m0":
      return decodeBytes(f8e8m0Table(), bytes, out);
    case "i8":
      for (let i = 0; i < count; i++) out[i] = ((bytes[i] ?? 0) << 24) >> 24;
      return out;
    case "u8":
    case "bool":
      out.set(bytes.subarray(0, count));
      return out;
    case "i4":
      return decodeNibbles((code) => (code << 28) >> 28, bytes, out);
    case "u4":
      return decodeNibbles((code) => code, bytes, out);
    case "f4e2m1":
      return decodeNibbles(f4e2m1Value, bytes, out);
    case "nf4":
      return decodeNibbles(nf4Value, bytes, out);
    default:
      return dtype satisfies never;
  }
}

/** Rounds in f32 first where that is exact, that is where the values are f32 already. */
function codes(
  values: ArrayLike<number>,
  encode: (x: number) => number,
  out: Uint8Array | Uint16Array,
): void {
  const exact = values instanceof Float32Array;
  for (let i = 0; i < out.length; i++) {
    const x = values[i] ?? 0;
    out[i] = encode(exact ? x : toOdd(x));
  }
}

function encodeNibbles(
  values: ArrayLike<number>,
  encode: (x: number) => number,
  out: Uint8Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const nibble = encode(values[i] ?? 0) & 0xf;
    out[i >> 1] = (out[i >> 1] ?? 0) | (nibble << ((i & 1) << 2));
  }
}

/**
 * Storage bytes of values, each as `roundTo` gives it.
 * @returns little endian; sub-byte types two elements a byte, low nibble first, a last half byte 0
 */
export function encodeArray(dtype: DType, values: ArrayLike<number>): Uint8Array {
  const out = new Uint8Array(storageBytes(dtype, values.length));
  switch (dtype) {
    case "f32":
      new Float32Array(out.buffer).set(values);
      return out;
    case "i32":
      new Int32Array(out.buffer).set(values);
      return out;
    case "u32":
      new Uint32Array(out.buffer).set(values);
      return out;
    case "f16":
      codes(values, f16Bits, view16(out));
      return out;
    case "bf16":
      codes(values, bf16Bits, view16(out));
      return out;
    case "f8e4m3":
      codes(values, f8e4m3Bits, out);
      return out;
    case "f8e5m2":
      codes(values, f8e5m2Bits, out);
      return out;
    case "f8e8m0":
      codes(values, f8e8m0Bits, out);
      return out;
    case "f4e2m1":
      encodeNibbles(values, f4e2m1Bits, out);
      return out;
    case "nf4":
      encodeNibbles(values, nf4Bits, out);
      return out;
    case "i8":
    case "u8":
      out.set(values);
      return out;
    case "i4":
    case "u4":
      encodeNibbles(values, (x) => x, out);
      return out;
    case "bool":
      for (let i = 0; i < out.length; i++) out[i] = values[i] === 0 ? 0 : 1;
      return out;
    default:
      return dtype satisfies never;
  }
}
