/** [test/unit/engine] What a batch-invariant engine launches on a GPU with wgmma: one config a kernel, for any number of rows. Computes nothing. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { Engine } from "../../../engine/engine.ts";
import { lastOutput } from "../../../engine/request-group.ts";
import { CoreDevice } from "../../../runtime/index.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

/** Configs of every kernel that steps of many sizes load, and whether any of its texts has wgmma. */
async function launchesOf(batchInvariant: boolean) {
  const backend = new RecordingBackend(cudaSpec("sm_90a"), { features: ["wgmma"] });
  const device = new CoreDevice(backend);
  const model = writeTinyModel();
  const engine = await Engine.load({ model, device, batchInvariant, dtype: "bfloat16" });
  try {
    const params = { maxTokens: 3, ignoreEos: true, temperature: 0 };
    for (const [count, length] of [
      [1, 1],
      [1, 100],
      [3, 5],
      [12, 9],
    ] as const) {
      const prompts = Array.from({ length: count }, (_, i) =>
        new Array<number>(length).fill(5 + i),
      );
      await Promise.all(prompts.map((ids) => lastOutput(engine.generate(ids, params))));
    }
  } finally {
    await engine.close();
  }
  const configs = new Map<string, Set<string>>();
  for (const { kernel, config } of backend.artifacts) {
    const known = configs.get(kernel) ?? new Set<string>();
    configs.set(kernel, known.add(JSON.stringify(config)));
  }
  const several = [...configs].filter(([, list]) => list.size > 1).map(([kernel]) => kernel);
  const wgmma = backend.artifacts.filter(({ text }) => /wgmma/.test(text));
  return { kernels: [...configs.keys()].sort(), several, wgmma: wgmma.map(({ kernel }) => kernel) };
}

describe("an engine with wgmma", () => {
  it("launches one config a kernel and walks along K in one order where it is batch-invariant", async () => {
    const { kernels, several, wgmma } = await launchesOf(true);
    expect({ several, wgmma }).toEqual({ several: [], wgmma: [] });
    expect(kernels).toEqual(expect.arrayContaining(["linear", "prefill_attention", "rms_norm"]));
    expect(kernels).not.toContain("paged_decode");
    expect(kernels).not.toContain("linear_small");
  });

  it("chooses by the number of rows otherwise", async () => {
    const { kernels, several, wgmma } = await launchesOf(false);
    expect(several).toContain("linear");
    expect(wgmma).toContain("linear");
    expect(kernels).toContain("paged_decode");
  });
});
