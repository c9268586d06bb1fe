/** [test/unit/dsl] Groups of scales along K: configs whose trips would cut a group are shortened, groups that fit no trip are refused by name. */
import { describe, expect, it } from "vitest";
import { type KernelDefinition, KernelSourceError, lowerKernel } from "../../../../dsl/index.ts";
import {
  KERNEL_ENTRIES,
  linearFp8Block,
  linearW4,
  linearW4Zeros,
  makeSample,
  moeGemmQuantized,
} from "../../../../dsl/kernels/catalogue.ts";
import { groupTrip } from "../../../../dsl/kernels/group-trip.ts";
import { interpretSample } from "../../../support/interpret-sample.ts";
import { expectOutputs } from "../../../support/tolerance.ts";

function codeOf(step: () => unknown): string | undefined {
  try {
    step();
  } catch (error) {
    if (error instanceof KernelSourceError) return error.code;
    throw error;
  }
  return undefined;
}

const GROUPED: readonly (readonly [KernelDefinition, Readonly<Record<string, "f32" | "u4">>])[] = [
  [linearW4, { T: "f32", W: "u4", S: "f32", O: "f32" }],
  [linearW4Zeros, { T: "f32", S: "f32", O: "f32" }],
  [moeGemmQuantized, { T: "f32", W: "u4", SC: "f32", O: "f32" }],
];

describe("trips of groups", () => {
  it.each([16, 32, 64, 128])("of %i columns never cut a group that fits one", (wanted) => {
    for (const size of [1, 2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128, 192, 256, 320]) {
      const trip = groupTrip(size, wanted);
      expect(trip).toBeLessThanOrEqual(wanted);
      expect(size % trip === 0 || trip % size === 0, `${size}: ${trip}`).toBe(true);
    }
  });
});

describe.each(GROUPED)("groups of %o", (definition, dtypes) => {
  const moe = definition.name === "moe_gemm_quantized" ? { Z: 0, G: 1, B: 0, BM: 16 } : {};
  const lower = (K: number, KG: number, config = {}) =>
    lowerKernel(definition, { dtypes, config, dims: { K, KG, ...moe } });

  it("are refused where they fit no trip, or are no whole number of columns", () => {
    expect(codeOf(() => lower(120, 5))).toBe("TW1210");
    expect(codeOf(() => lower(100, 3))).toBe("TW1210");
    expect(codeOf(() => lower(240, 3, { BK: 128 }))).toBeUndefined();
  });

  it("give right sums with every BK of the tuning space", () => {
    const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel === definition);
    const problem = entry?.samples.find(({ name }) => name.startsWith("groups of 96"));
    if (entry === undefined || problem === undefined) throw new Error("no sample of groups of 96");
    for (const BK of definition.tune["BK"] ?? []) {
      const sample = makeSample(entry, { ...problem, config: { ...problem.config, BK } });
      expectOutputs(sample, interpretSample(sample));
    }
  });
});

describe("blocks of 128 columns", () => {
  it.each([{ BK: 96 }, { BK: 256 }])("take no trip %o that spans two", (config) => {
    expect(codeOf(() => lowerKernel(linearFp8Block, { dtypes: { O: "f32" }, config }))).toBe(
      "TW1014",
    );
  });
});
