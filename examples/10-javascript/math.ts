/** [examples/10-javascript] The prelude of the JavaScript target: what its texts call by the name `tw`. Arithmetic of the thread IR that JavaScript lacks. */

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

/** @source Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14 */
function erf(x: number): number {
  const z = Math.abs(x);
  if (Number.isNaN(x) || z > 6) return Number.isNaN(x) ? x : Math.sign(x);
  if (z < 2.5) {
    let [term, sum] = [x, x];
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = z;
  for (let n = 60; n > 0; n--) fraction = z + n / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-z * z) / (fraction * Math.sqrt(Math.PI)));
}

/** A float as an integer of a range: towards zero, saturated; NaN is 0. */
function clamped(x: number, least: number, most: number): number {
  return Number.isNaN(x) ? 0 : Math.min(most, Math.max(least, Math.trunc(x)));
}

export const PRELUDE = {
  erf,
  exp2: (x: number): number => 2 ** x,
  rsqrt: (x: number): number => 1 / Math.sqrt(x),
  /** Ties to even; halves lie below 2⁵², where a double has them. */
  round: (x: number): number => {
    const near = Math.round(x);
    return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near;
  },
  floordiv: (a: number, b: number): number => (b === 0 ? 0 : Math.floor(a / b)),
  mod: (a: number, b: number): number => (b === 0 ? 0 : a - b * Math.floor(a / b)),
  /** The other operand where one is NaN. */
  min: (a: number, b: number): number =>
    Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b),
  max: (a: number, b: number): number =>
    Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b),
  mulhi: (a: number, b: number): number => Number((BigInt(a) * BigInt(b)) >> 32n),
  toI32: (x: number): number => clamped(x, -(2 ** 31), 2 ** 31 - 1),
  toU32: (x: number): number => clamped(x, 0, 2 ** 32 - 1),
  bitsOf: (x: number): number => {
    floats[0] = x;
    return words[0] ?? 0;
  },
  floatOf: (bits: number): number => {
    words[0] = bits;
    return floats[0] ?? 0;
  },
} as const;

export type Prelude = typeof PRELUDE;
