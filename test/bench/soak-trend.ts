/** [test/bench] Whether a figure that was sampled over time grows: the slope of a straight line with its confidence. Pure. */

export interface Sample {
  /** In seconds. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  readonly samples: number;
  readonly first: number;
  readonly last: number;
  readonly mean: number;
  /** Change of the value a minute, with the bounds of its 95 % confidence. */
  readonly perMinute: number;
  readonly low: number;
  readonly high: number;
}

/** Samples near each other say much the same (a heap grows until it is collected), so that a line through all of them would be too sure. */
const BLOCK_SECONDS = 30;
/** 97.5 % points of Student's t, by degrees of freedom from 1. @source tables of the distribution */
const T = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12,
  2.11, 2.1, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04,
];

/**
 * A line through blocks of half a minute, by least squares.
 * @param how what a block counts with: the mean of its samples, or the least of them, which is nearest to what a collector left
 * @throws RangeError for fewer than three blocks
 */
export function trendOf(samples: readonly Sample[], how: "mean" | "least" = "mean"): Trend {
  const pick = how === "mean" ? mean : (values: readonly number[]) => Math.min(...values);
  const start = samples[0]?.at ?? 0;
  const blocks = new Map<number, Sample[]>();
  for (const sample of samples) {
    const index = Math.floor((sample.at - start) / BLOCK_SECONDS);
    blocks.set(index, [...(blocks.get(index) ?? []), sample]);
  }
  const points = [...blocks.values()].map((block) => ({
    x: mean(block.map(({ at }) => at)) / 60,
    y: pick(block.map(({ value }) => value)),
  }));
  const n = points.length;
  if (n < 3) throw new RangeError(`a trend of ${n} half minutes`);
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const sxx = sum(points.map(({ x }) => (x - mx) ** 2));
  const slope = sum(points.map(({ x, y }) => (x - mx) * (y - my))) / sxx;
  const rest = sum(points.map(({ x, y }) => (y - my - slope * (x - mx)) ** 2));
  const error = Math.sqrt(rest / (n - 2) / sxx);
  const margin = (T[n - 3] ?? 1.96) * error;
  return {
    samples: samples.length,
    first: points[0]?.y ?? Number.NaN,
    last: points.at(-1)?.y ?? Number.NaN,
    mean: my,
    perMinute: slope,
    low: slope - margin,
    high: slope + margin,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
