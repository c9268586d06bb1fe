/** [dsl/kernels] Counter-based noise for sampling, as functions that kernels inline. Not a kernel. */
import { cast, log, minimum, mulhi, range, where } from "../ops/catalogue.ts";

/** Multiplier and key step of Philox-2x32. */
const PHILOX_MULTIPLIER = 0xd256d193;
const PHILOX_WEYL = 0x9e3779b9;
const PHILOX_ROUNDS = 10;
/** 2^-32. */
const UNIT = 2.3283064365386963e-10;
/** Largest f32 below 1. */
const BELOW_ONE = 0.9999999403953552;

/**
 * 32 random bits that depend on nothing but the three numbers: Philox-2x32 with 10 rounds, counter (index, position), key seed.
 * @param index u32 tile, the low word of the counter
 * @param position u32, the high word
 * @param seed u32, the key
 * @returns u32 tile over the axes of `index`
 * @source J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3
 */
export function philoxBits(index: number, position: number, seed: number): number {
  // The first round stands alone: position and seed may be scalars, and a loop keeps the axes of what it carries.
  let low = mulhi(index, PHILOX_MULTIPLIER) ^ seed ^ position;
  let high = index * PHILOX_MULTIPLIER;
  let key = seed + PHILOX_WEYL;
  for (const _round of range(1, PHILOX_ROUNDS, 1, { unroll: 9 })) {
    const product = low * PHILOX_MULTIPLIER;
    low = mulhi(low, PHILOX_MULTIPLIER) ^ key ^ high;
    high = product;
    key = key + PHILOX_WEYL;
  }
  return low;
}

/**
 * Exponential noise of mean 1: -ln(1 - v) for v = bits / 2^32. v is finest near 0, where the smallest and deciding noise comes
 * from; there a series stands in for the logarithm of a number that rounds to 1. Never 0 and never infinite.
 * @param bits u32 tile
 * @returns f32 tile, > 0
 */
export function exponentialNoise(bits: number): number {
  const v = minimum((cast(bits, "f32") + 0.5) * UNIT, BELOW_ONE);
  const series = v * (1 + v * (0.5 + v * (0.3333333333333333 + v * 0.25)));
  return where(v < 0.015625, series, -log(1 - v));
}
