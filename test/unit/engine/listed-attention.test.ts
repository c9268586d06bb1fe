/** [test/unit/engine] Blocks of prompts' attention for wgmma: which heads and pages take them, and with how many keys. Launches nothing. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import type { DType } from "../../../dsl/index.ts";
import { pagedSinkAttention } from "../../../dsl/kernels/catalogue.ts";
import { type LayerLaunchOptions, listedAttention } from "../../../engine/layers/launch-options.ts";

const options = { listsRowBlocks: true } as LayerLaunchOptions;

function blocks(headDim: number, page: number, dtype: DType = "bf16") {
  return listedAttention(options, dtype, { headDim, page, heads: 8 });
}

describe("attention by lists of row blocks", () => {
  it.each([
    [64, 16, 128],
    [80, 16, 128],
    [128, 256, 128],
    [192, 16, 64],
    [256, 64, 64],
  ])("takes head dim %i in pages of %i with %i keys a block", (headDim, page, BN) => {
    expect(blocks(headDim, page)).toMatchObject({ BM: 128, BN });
  });

  it.each<[string, ReturnType<typeof blocks>]>([
    ["head dims that are no multiple of 16", blocks(72, 16)],
    ["head dims that leave no room for two blocks of keys", blocks(272, 16)],
    ["pages that no block is a multiple of", blocks(256, 48)],
    ["elements of 32 bits", blocks(64, 16, "f32")],
    [
      "other devices",
      listedAttention({} as LayerLaunchOptions, "f16", { headDim: 64, page: 16, heads: 8 }),
    ],
  ])("is not for %s", (_, found) => {
    expect(found).toBeUndefined();
  });

  it.each([80, 256])("compiles to roles at head dim %i, with sinks", (headDim) => {
    const { remarks } = compile(pagedSinkAttention, {
      specialization: {
        dtypes: { T: "bf16" },
        config: { ...blocks(headDim, 16), SOFTCAP: 0, WINDOW: 1 },
        dims: { D: headDim, PAGE: 16 },
      },
      target: cudaSpec("sm_90a"),
    });
    expect(remarks.some(({ message }) => /2 warpgroups multiply/.test(message))).toBe(true);
  });
});
