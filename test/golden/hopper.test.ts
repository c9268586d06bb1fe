/** [test/golden] Each level of a kernel whose warps have roles, for sm_90a, as files: how a plain loop becomes tensor copies, mbarriers and wgmma. */
import { expect, it } from "vitest";
import { compileStages } from "../../codegen/compile.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { attention, linear } from "../../dsl/kernels/catalogue.ts";
import { explicitGemm } from "../../examples/18-explicit-gemm.ts";
import { explicitAttention } from "../../examples/20-explicit-attention.ts";

const target = cudaSpec("sm_90a");
const linearStages = compileStages(linear, {
  specialization: {
    dtypes: { T: "bf16", O: "bf16" },
    config: { BM: 128, BN: 128, BK: 64, stages: 4, group: 8 },
  },
  target,
  divisibility: { M: 16, N: 16, K: 16 },
});
const attentionStages = compileStages(attention, {
  specialization: {
    dtypes: { T: "bf16" },
    config: { BM: 128, BN: 128, stages: 2, CAUSAL: 1 },
    dims: { D: 64, DV: 64 },
  },
  target,
});

const explicitStages = compileStages(explicitGemm, {
  specialization: { dtypes: { T: "bf16" }, config: { BM: 128, BN: 128 } },
  target,
  divisibility: { M: 16, N: 16, K: 16 },
});

/** Without what moves when the kernel's source does, and without the prelude, which has tests of its own. */
function comparable(text: string): string {
  return text
    .replace(/^#ifndef TW_PRELUDE\n[^]*\n#endif\n/m, "")
    .replaceAll(/^ *\/\/ \S+\.ts:\d+(:\d+)?\n/gm, "")
    .replaceAll(/ {2}\/\/ \S+\.ts:\d+:\d+$/gm, "");
}

const LEVELS = [
  ["scheduled", "txt"],
  ["thread", "txt"],
  ["source", "cu"],
] as const;

it.each(LEVELS)("%s of linear in roles", async (level, ending) => {
  const file = `./hopper/linear-${level}.${ending}`;
  await expect(comparable(linearStages[level])).toMatchFileSnapshot(file);
});

it.each([LEVELS[0], LEVELS[2]] as const)(
  "%s of a product whose roles the kernel writes",
  async (level, ending) => {
    const file = `./hopper/explicit-gemm-${level}.${ending}`;
    await expect(comparable(explicitStages[level])).toMatchFileSnapshot(file);
  },
);

it("scheduled of attention whose roles the kernel writes", async () => {
  const { scheduled } = compileStages(explicitAttention, {
    specialization: { dtypes: { T: "bf16" }, config: { CAUSAL: 1 }, dims: { D: 64 } },
    target,
  });
  await expect(comparable(scheduled)).toMatchFileSnapshot("./hopper/explicit-attention-scheduled.txt");
});

it.each(LEVELS)("%s of attention in roles, two chained dots", async (level, ending) => {
  const file = `./hopper/attention-${level}.${ending}`;
  await expect(comparable(attentionStages[level])).toMatchFileSnapshot(file);
});
