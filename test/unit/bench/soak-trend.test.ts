/** [test/unit/bench] The slope of sampled memory: found in noise, with bounds that hold it, and no growth where there is none. */
import { describe, expect, it } from "vitest";
import { trendOf } from "../../bench/soak-trend.ts";

/** Ten minutes, every 5 s: a heap that grows until it is collected, every 47 s, over a line. */
const saw = (perMinute: number) =>
  Array.from({ length: 120 }, (_, i) => {
    const at = 5 * i;
    return { at: at + 1000, value: 100 + (perMinute * at) / 60 + 20 * ((at % 47) / 47) };
  });

describe("trendOf", () => {
  it("finds a slope under a saw, and bounds that hold it", () => {
    for (const slope of [0, 3, -2]) {
      const { perMinute, low, high, first, last } = trendOf(saw(slope));
      expect(low).toBeLessThan(slope);
      expect(high).toBeGreaterThan(slope);
      expect(Math.abs(perMinute - slope)).toBeLessThan(0.5);
      expect(Math.abs(last - first - 9.5 * slope)).toBeLessThan(10);
    }
  });

  it("is sure of growth that is there, and of none where there is none", () => {
    expect(trendOf(saw(3)).low).toBeGreaterThan(1);
    expect(trendOf(saw(0)).low).toBeLessThan(0);
  });

  it("sees what a collector leaves by the least of each block", () => {
    const { perMinute, low, high } = trendOf(saw(2), "least");
    expect(Math.abs(perMinute - 2)).toBeLessThan(0.5);
    expect(high - low).toBeLessThan(2);
  });

  it("is exact for a line", () => {
    const { perMinute, low, high, mean } = trendOf(
      Array.from({ length: 60 }, (_, i) => ({ at: i * 5, value: 7 + i })),
    );
    expect([perMinute, low, high].map((value) => value.toFixed(6))).toEqual(
      Array(3).fill("12.000000"),
    );
    expect(mean).toBeCloseTo(36.5, 6);
  });

  it("refuses less than three half minutes", () => {
    expect(() => trendOf([{ at: 0, value: 1 }])).toThrow(RangeError);
  });
});
