/** [runtime/bench] Medians, spreads and ratios of measured times. Pure; takes no measurement. */

/** Median of some samples and where the middle 60 % of them lie. */
export interface Spread {
  readonly median: number;
  readonly p20: number;
  readonly p80: number;
  readonly count: number;
}

/**
 * Quantile by linear interpolation between order statistics.
 * @param q from 0 to 1
 * @returns NaN for no samples
 */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

export function spreadOf(samples: readonly number[]): Spread {
  return {
    median: median(samples),
    p20: quantile(samples, 0.2),
    p80: quantile(samples, 0.8),
    count: samples.length,
  };
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/**
 * How many times faster `own` is than `peer`: the median over rounds of the ratio within each round, so that what changes from round to
 * round (clocks, heat, neighbours) falls out.
 * @param own, peer times of the same rounds, in the same order
 */
export function pairedRatio(own: readonly number[], peer: readonly number[]): number {
  const ratios = own.flatMap((time, i) => {
    const other = peer[i];
    return other === undefined ? [] : [other / time];
  });
  return median(ratios);
}
