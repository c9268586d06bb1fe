/**
 * [dsl/core] Exact formats that only store numbers: nf4, f4e2m1 and f8e8m0, from numbers to codes and back. Arithmetic formats live in rounding.ts.
 *
 * nf4 and f4e2m1 take the nearest number and have no infinity and no NaN: what lies beyond the ends saturates, NaN gives the
 * greatest number. f8e8m0 keeps the exponent alone: towards zero, without the sign, from 2^-127 to 2^127; NaN stays NaN.
 */

/**
 * The 16 numbers of nf4, by code, each exactly an f32: quantiles of the normal distribution, scaled to ±1.
 * @source arXiv 2305.14314 (QLoRA), appendix E; bitsandbytes csrc/kernels.cu, `nf4_dequantization_lut`
 */
export const NF4_VALUES: Float32Array = Float32Array.of(
  -1,
  -0.6961928009986877,
  -0.5250730514526367,
  -0.39491748809814453,
  -0.28444138169288635,
  -0.18477343022823334,
  -0.09105003625154495,
  0,
  0.07958029955625534,
  0.16093020141124725,
  0.24611230194568634,
  0.33791524171829224,
  0.44070982933044434,
  0.5626170039176941,
  0.7229568362236023,
  1,
);

/**
 * Code c is taken above bound c - 1 up to bound c: the middle between neighbours in f32, which itself goes down.
 * @source bitsandbytes csrc/kernels.cu, `dQuantizeNF4`
 */
export const NF4_BOUNDS: Float32Array = Float32Array.from({ length: 15 }, (_, code) => {
  return ((NF4_VALUES[code] ?? 0) + (NF4_VALUES[code + 1] ?? 0)) / 2;
});

/** The magnitudes of f4e2m1, by code without the sign. @source OCP Microscaling Formats (MX) Specification 1.0, section 5.3.3 */
export const F4E2M1_VALUES: Float32Array = Float32Array.of(0, 0.5, 1, 1.5, 2, 3, 4, 6);

const scratchF32 = new Float32Array(1);
const scratchU32 = new Uint32Array(scratchF32.buffer);

function bitsOf(x: number): number {
  scratchF32[0] = x;
  return scratchU32[0] ?? 0;
}

/** Code of the nf4 nearest to `x`; NaN gives 15, which is 1. */
export function nf4Bits(x: number): number {
  let code = 0;
  for (const bound of NF4_BOUNDS) if (!(x <= bound)) code++;
  return code;
}

/** Bits of the f4e2m1 nearest to `x`, ties to even, saturating to ±6; NaN gives 6. */
export function f4e2m1Bits(x: number): number {
  if (Number.isNaN(x)) return 7;
  const size = Math.abs(x);
  let code = 0;
  for (let next = 1; next < 8; next++) {
    const middle = ((F4E2M1_VALUES[next - 1] ?? 0) + (F4E2M1_VALUES[next] ?? 0)) / 2;
    // A tie goes to the even code.
    if (size > middle || (size === middle && next % 2 === 0)) code = next;
  }
  return (x < 0 || Object.is(x, -0) ? 8 : 0) | code;
}

/** Bits of the greatest power of two up to the magnitude of the f32 `x`, within 2^±127; NaN gives 255. */
export function f8e8m0Bits(x: number): number {
  const size = bitsOf(x) & 0x7fffffff;
  return size > 0x7f800000 ? 255 : Math.min(size >>> 23, 254);
}

export function nf4Value(code: number): number {
  return NF4_VALUES[code & 15] ?? 0;
}

export function f4e2m1Value(code: number): number {
  const size = F4E2M1_VALUES[code & 7] ?? 0;
  return (code & 8) === 0 ? size : -size;
}

export function f8e8m0Value(code: number): number {
  return code === 255 ? Number.NaN : 2 ** (code - 127);
}
