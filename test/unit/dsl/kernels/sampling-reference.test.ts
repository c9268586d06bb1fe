/** [test/unit/dsl] The reference of the sampling kernel against known answers and against the distributions it must have. */
import { describe, expect, it } from "vitest";
import { randomSource } from "../../../../dsl/kernels/sample-data.ts";
import {
  allowedTokens,
  membership,
  referenceNoise,
  type SamplingRule,
} from "../../../../dsl/kernels/sample-reference.ts";

const off: SamplingRule = { temperature: 1, topK: 0, topP: 1, minP: 0, seed: 1, position: 0 };

function keptBy(row: readonly number[], rule: Partial<SamplingRule>): readonly number[] {
  const full = { ...off, ...rule };
  const top = Math.max(...row);
  const isKept = membership(
    row,
    row.map((x) => (x - top) / full.temperature),
    full,
    0,
  );
  return row.flatMap((_, i) => (isKept(i) ? [i] : []));
}

describe("referenceNoise", () => {
  // Known answers of Philox-2x32-10 in the test vectors of the Random123 library: counter words, key, first word.
  it.each([
    [0, 0, 0, 0xff1dae59],
    [0xffffffff, 0xffffffff, 0xffffffff, 0x2c3f628b],
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0xdd7ce038],
  ])("is -ln(1 - v) of the known answer for counter (%d, %d)", (index, position, seed, word) => {
    const expected = -Math.log1p(-(word + 0.5) / 2 ** 32);
    expect(referenceNoise(index, position, seed)).toBeCloseTo(expected, 12);
  });

  it("takes negative seeds as their 32 bits", () => {
    expect(referenceNoise(3, 4, -1)).toBe(referenceNoise(3, 4, 0xffffffff));
  });

  it("has the mean and the spread of exponential noise", () => {
    const count = 20000;
    const noise = Array.from({ length: count }, (_, i) => referenceNoise(i, 17, 99));
    const mean = noise.reduce((a, b) => a + b, 0) / count;
    const square = noise.reduce((a, b) => a + b * b, 0) / count;
    expect(Math.abs(mean - 1)).toBeLessThan(4 / Math.sqrt(count));
    expect(Math.abs(square - 2)).toBeLessThan((4 * Math.sqrt(20)) / Math.sqrt(count));
  });
});

describe("membership", () => {
  const row = [0, 3, 1, 3, 2, Number.NEGATIVE_INFINITY];

  it.each([
    [{ topK: 1 }, [1, 3]],
    [{ topK: 2 }, [1, 3]],
    [{ topK: 3 }, [1, 3, 4]],
    [{ topK: 6 }, [0, 1, 2, 3, 4, 5]],
    [{ topK: -1 }, [0, 1, 2, 3, 4, 5]],
    [{ topP: 0 }, [1, 3]],
    [{ topP: 0.5 }, [1, 3]],
    [{ topP: 0.9 }, [1, 3, 4]],
    [{ topP: 0.97 }, [1, 2, 3, 4]],
    [{ minP: 1 }, [1, 3]],
    [{ minP: 0.2 }, [1, 3, 4]],
    [{ minP: 0.2, temperature: 3 }, [0, 1, 2, 3, 4]],
    [{ topP: 0.79 }, [1, 3, 4]],
    [{ minP: 0.1, topK: 4, topP: 0.79 }, [1, 3]],
  ] as const)("keeps what %o says", (rule, kept) => {
    expect(keptBy(row, rule)).toEqual(kept);
  });
});

describe("allowedTokens", () => {
  it("is the first largest token at temperature 0, and -1 where there is no number", () => {
    expect(allowedTokens([1, 5, Number.NaN, 5], { ...off, temperature: 0 })).toEqual([1]);
    expect(allowedTokens([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY], off)).toEqual([-1]);
  });

  it("draws from the softmax of the kept tokens over positions", () => {
    const random = randomSource(4);
    const row = Array.from({ length: 8 }, () => 1.5 * random.normal());
    const rule = { ...off, temperature: 0.8, topK: 5 };
    const kept = keptBy(row, rule);
    const weights = kept.map((i) => Math.exp((row[i] ?? 0) / rule.temperature));
    const total = weights.reduce((a, b) => a + b, 0);
    const draws = 6000;
    const counts = new Map<number, number>();
    for (let position = 0; position < draws; position++) {
      const [token = -1] = allowedTokens(row, { ...rule, seed: 42, position });
      counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    const chiSquare = kept.reduce((sum, token, i) => {
      const expected = (draws * (weights[i] ?? 0)) / total;
      return sum + ((counts.get(token) ?? 0) - expected) ** 2 / expected;
    }, 0);
    expect([...counts.keys()].sort()).toEqual([...kept].sort());
    // 99.9 % point of chi-square with 4 degrees of freedom.
    expect(chiSquare).toBeLessThan(18.47);
  });
});
