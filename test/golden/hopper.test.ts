/** [test/golden] Each level of a kernel whose warps have roles, for sm_90a, as files: how a plain loop becomes tensor copies, mbarriers and wgmma. */
import { expect, it } from "vitest";
import { compileStages } from "../../codegen/compile.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { linear } from "../../dsl/kernels/catalogue.ts";

const stages = compileStages(linear, {
  specialization: {
    dtypes: { T: "bf16", O: "bf16" },
    config: { BM: 128, BN: 128, BK: 64, stages: 4, group: 8 },
  },
  target: cudaSpec("sm_90a"),
  divisibility: { M: 16, N: 16, K: 16 },
});

/** Without what moves when the kernel's source does, and without the prelude, which has tests of its own. */
function comparable(text: string): string {
  return text
    .replace(/^#ifndef TW_PRELUDE\n[^]*?\n#endif\n/m, "")
    .replaceAll(/^ *\/\/ \S+\.ts:\d+(:\d+)?\n/gm, "")
    .replaceAll(/ {2}\/\/ \S+\.ts:\d+:\d+$/gm, "");
}

it.each([
  ["scheduled", "txt"],
  ["thread", "txt"],
  ["source", "cu"],
] as const)("%s of linear in roles", async (level, ending) => {
  await expect(comparable(stages[level])).toMatchFileSnapshot(`./hopper/linear-${level}.${ending}`);
});
