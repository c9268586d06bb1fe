/** [test/unit/codegen] Which matrix instruction a dot of HIP text gets on each chip: by element type, sizes and warps, and why none where there is none. */
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../../codegen/artifact.ts";
import { compile } from "../../../codegen/compile.ts";
import { MATRIX_FORMS } from "../../../codegen/layout/matrix-form.ts";
import { hipFeatures, hipSpec } from "../../../codegen/targets/hip/features.ts";
import type { DType } from "../../../dsl/index.ts";
import { linear } from "../../../dsl/kernels/linear.ts";
import { linearFp8 } from "../../../dsl/kernels/linear-fp8.ts";
import { linearInt8 } from "../../../dsl/kernels/linear-int8.ts";
import { compileCase, goldenCases } from "../../support/catalogue-texts.ts";

const FLOATS = { dtypes: { T: "bf16", O: "bf16" } } as const;

function build(
  kernel: Parameters<typeof compile>[0],
  arch: string,
  dtypes: Readonly<Record<string, DType>>,
  config: Readonly<Record<string, number>> = {},
): Artifact {
  return compile(kernel, {
    specialization: { dtypes, config, dims: {} },
    target: hipSpec(arch),
    divisibility: { M: 16, N: 16, K: 16 },
  });
}

/** Instructions that the text calls, without their prefix. */
function called({ text }: Artifact): readonly string[] {
  const body = text.slice(text.lastIndexOf("#endif"));
  return [...new Set(body.match(/tw_(?:mfma|wmma)\w+/g) ?? [])].map((name) => name.slice(3));
}

function dotRemarks({ remarks }: Artifact): readonly string[] {
  return remarks.filter(({ pass }) => pass === "choose-dots").map(({ message }) => message);
}

describe("matrix instructions", () => {
  it.each([
    ["gfx90a", "mfma_f32_32x32x8_bf16"],
    ["gfx942", "mfma_f32_32x32x8_bf16"],
    ["gfx950", "mfma_f32_32x32x16_bf16"],
    ["gfx1100", "wmma11_f32_16x16x16_bf16"],
    ["gfx1201", "wmma12_f32_16x16x16_bf16"],
  ])("multiply bf16 on %s by %s", (arch, form) => {
    const artifact = build(linear, arch, FLOATS.dtypes);
    expect(called(artifact)).toEqual([form]);
    expect(dotRemarks(artifact)).toEqual([`dot acc: ${form} for 64×64×32`]);
  });

  it.each([
    ["gfx908", "operands are f32, not f16 or i8"],
    ["gfx1030", "gfx1030 has no matrix instructions"],
  ])("are left out on %s, which says why", (arch, why) => {
    const artifact = build(linear, arch, FLOATS.dtypes);
    expect(called(artifact)).toEqual([]);
    expect(dotRemarks(artifact)).toEqual([`dot acc: fma for 64×64×32: ${why}`]);
  });

  it("are 16×16 where warps would share a 32×32", () => {
    const config = { BM: 32, BN: 32, BK: 32 };
    expect(called(build(linear, "gfx90a", FLOATS.dtypes, config))).toEqual([
      "mfma_f32_16x16x16_bf16",
    ]);
    expect(called(build(linear, "gfx950", FLOATS.dtypes, config))).toEqual([
      "mfma_f32_16x16x32_bf16",
    ]);
    // A contraction of 16 is too short for the longer one.
    expect(called(build(linear, "gfx950", FLOATS.dtypes, { ...config, BK: 16 }))).toEqual([
      "mfma_f32_16x16x16_bf16",
    ]);
  });

  it.each([
    ["gfx90a", [], "mfma_i32_32x32x8_i8"],
    ["gfx942", ["e4m3"], "mfma_i32_32x32x16_i8"],
    ["gfx950", ["e4m3"], "mfma_i32_32x32x32_i8"],
    ["gfx1100", [], "wmma11_i32_16x16x16_i8"],
    ["gfx1201", ["e4m3"], "wmma12_i32_16x16x16_i8"],
  ])("multiply bytes on %s", (arch, floats, integers) => {
    const int8 = called(build(linearInt8, arch, { O: "bf16" }));
    expect(int8).toEqual([integers]);
    const fp8 = called(build(linearFp8, arch, { O: "bf16" }));
    expect(fp8.map((name) => name.replace(/.*_/, ""))).toEqual(floats);
  });

  it.each([
    ["gfx90a", false],
    ["gfx950", false],
    ["gfx1201", false],
    // Its sums lie otherwise than its operands.
    ["gfx1100", true],
  ])("make a product the next one's operand on %s, through shared memory: %s", (arch, isStored) => {
    const attention = goldenCases().find(({ entry }) => entry.kernel.name === "prefill_attention");
    if (attention === undefined) throw new Error("no prefill_attention in the catalogue");
    const artifact = compileCase(attention, hipSpec(arch));
    const [name] = called(artifact);
    const form = MATRIX_FORMS.find((one) => one.name === name);
    expect(hipFeatures(arch)).toContain(form?.feature);
    const stored = artifact.remarks.filter(({ message }) =>
      /^dot operand .* from registers to shared memory/.test(message),
    );
    expect(stored.length > 0).toBe(isStored);
  });
});
