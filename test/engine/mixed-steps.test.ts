/** [test/engine] Every kind of layer in chunked prompts, mixed steps, small batches and preemption, against transformers. On the interpreter. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { tinyCases, tinyFolder } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";

const LOGPROB_TOLERANCE = 2e-3;
const LEAST_MARGIN = 1e-2;

/** Softcaps and norms after layers; sinks and windows; latents; states. */
const MODELS = ["gemma2", "gpt-oss", "deepseek-v3", "mamba2"] as const;

/** Pages of 4 positions that hold all prompts and not all outputs; two slots of states, one of them reserved. */
const FEW_PAGES = { gemma2: 68, "gpt-oss": 68, "deepseek-v3": 40, mamba2: 2 } as const;

const STEPS: readonly (readonly [string, (few: number) => Partial<EngineOptions>])[] = [
  ["prompts in chunks beside decodes", () => ({ maxNumBatchedTokens: 7 })],
  ["one request after another", () => ({ maxNumSeqs: 1 })],
  ["too few pages for all", (few) => ({ numGpuBlocksOverride: few, blockSize: 4 })],
];

const root = sharedFolder("mixed steps", "fixtures/hf-tiny");
if (root !== undefined) {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice("interpreter");
  });
  afterAll(() => device.close());

  describe.each(MODELS)("%s", (name) => {
    it.each(STEPS)("gives the same with %s", async (_, optionsFor) => {
      const options = optionsFor(FEW_PAGES[name]);
      const cases = tinyCases(root, name);
      const model = tinyFolder(root, name);
      const context = { model, device, maxModelLen: 128, dtype: "float32" } as const;
      const engine = await Engine.load({ ...context, ...options });
      try {
        const prompts = cases.map(({ prompt }) => prompt);
        const params = { maxTokens: 12, temperature: 0, ignoreEos: true, promptLogprobs: 0 };
        const outputs = await new RequestGroup(engine, prompts, params).finish();
        cases.forEach((one, i) => {
          const { tokenIds = [], promptLogprobs = [] } = outputs[i] ?? {};
          expect(promptLogprobs).toHaveLength(one.prompt.length);
          const errors = promptLogprobs
            .slice(1)
            .map((entry, at) =>
              Math.abs((entry?.logprob ?? Number.NaN) - (one.prompt_logprobs[at + 1] ?? 0)),
            );
          expect(Math.max(0, ...errors)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
          const open = one.greedy_margin.findIndex((margin) => margin < LEAST_MARGIN);
          const end = Math.min(open < 0 ? 12 : open, 12);
          expect(tokenIds).toHaveLength(12);
          expect(tokenIds.slice(0, end)).toEqual(one.greedy.slice(0, end));
        });
        // A sequence of states never wants a second slot: requests wait for the only one, and none loses it.
        const isShort = options.numGpuBlocksOverride !== undefined && name !== "mamba2";
        if (isShort) expect(engine.numPreemptions).toBeGreaterThan(0);
        else expect(engine.numPreemptions).toBe(0);
        expect(engine.numFreePages).toBe(engine.info.numPages - 1);
      } finally {
        await engine.close();
      }
    });
  });
}
