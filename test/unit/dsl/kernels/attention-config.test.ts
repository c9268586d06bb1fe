/** [test/unit/dsl] Block sizes of the attention kernels by device: as large as fits, never larger. */
import { describe, expect, it } from "vitest";
import {
  type AttentionShape,
  decodeConfig,
  latentDecodeConfig,
  latentFootprint,
  prefillConfig,
} from "../../../../dsl/kernels/attention-config.ts";

const base: AttentionShape = { headDim: 128, group: 4, stagedBytes: 4, sharedBytes: 16384 };

describe("prefillConfig", () => {
  it.each([
    [
      { ...base, stagedBytes: 2, sharedBytes: 232448 },
      { BM: 64, BN: 64 },
    ],
    [
      { ...base, sharedBytes: 49152 },
      { BM: 32, BN: 32 },
    ],
    [
      { ...base, sharedBytes: 32768 },
      { BM: 16, BN: 16 },
    ],
    [base, { BM: 16, BN: 8 }],
    [
      { ...base, headDim: 16 },
      { BM: 32, BN: 32 },
    ],
    [
      { ...base, headDim: 256 },
      { BM: 4, BN: 8 },
    ],
    [
      { ...base, headDim: 576 },
      { BM: 4, BN: 8 },
    ],
    [
      { ...base, sharedBytes: 0 },
      { BM: 16, BN: 16 },
    ],
  ] as const)("for %o is %o", (shape, config) => {
    expect(prefillConfig(shape)).toEqual(config);
  });
});

describe("decodeConfig", () => {
  it.each([
    [
      { ...base, stagedBytes: 2, sharedBytes: 232448 },
      { GP: 16, BN: 64 },
    ],
    [base, { GP: 4, BN: 16 }],
    [
      { ...base, group: 7 },
      { GP: 8, BN: 16 },
    ],
    [
      { ...base, headDim: 256 },
      { GP: 4, BN: 8 },
    ],
    [
      { ...base, group: 71 },
      { GP: 16, BN: 8 },
    ],
    [
      { ...base, group: 1, headDim: 64, sharedBytes: 32768 },
      { GP: 1, BN: 64 },
    ],
    [
      { ...base, sharedBytes: 0 },
      { GP: 4, BN: 16 },
    ],
  ] as const)("for %o is %o", (shape, config) => {
    expect(decodeConfig(shape)).toEqual(config);
  });
});

describe("latentDecodeConfig", () => {
  const latent: AttentionShape = { ...base, headDim: 576, group: 16 };

  it.each([
    [
      { ...latent, stagedBytes: 2, sharedBytes: 232448 },
      { GP: 16, BN: 32, stages: 2 },
    ],
    [
      { ...latent, stagedBytes: 2, group: 128, sharedBytes: 232448 },
      { GP: 64, BN: 32, stages: 2, warps: 8 },
    ],
    [
      { ...latent, stagedBytes: 2, group: 40, sharedBytes: 166912 },
      { GP: 32, BN: 32, stages: 2, warps: 8 },
    ],
    [
      { ...latent, stagedBytes: 2, group: 128, sharedBytes: 101376 },
      { GP: 16, BN: 32, stages: 2 },
    ],
    [
      { ...latent, stagedBytes: 2, sharedBytes: 65536 },
      { GP: 16, BN: 32, stages: 1 },
    ],
    [
      { ...latent, stagedBytes: 2, group: 2, sharedBytes: 49152 },
      { GP: 16, BN: 16, stages: 1 },
    ],
    [
      { ...latent, sharedBytes: 32768 },
      { GP: 4, BN: 8, stages: 1 },
    ],
    [
      { ...latent, headDim: 96, group: 3, sharedBytes: 32768 },
      { GP: 4, BN: 32, stages: 2 },
    ],
  ] as const)("for %o is %o", (shape, config) => {
    const found = latentDecodeConfig(shape);
    expect(found).toMatchObject(config);
    expect(latentFootprint(found, shape)).toBeLessThanOrEqual(shape.sharedBytes);
  });
});
