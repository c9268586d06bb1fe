/** [test/engine] Tiny checkpoints in bfloat16: errors no more than half above those of transformers in bfloat16. Interpreter and cuda. */
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import type { Device } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { TINY_MODELS, tinyCases, tinyFolder } from "../support/hf-tiny.ts";
import { readJson, sharedFolder } from "../support/shared-models.ts";

const WORST_RATIO = 1.5;

type Errors = Readonly<
  Partial<Record<(typeof TINY_MODELS)[number], { readonly mean: number; readonly max: number }>>
>;
const { models: reference } = readJson<{ readonly models: Errors }>(
  `${import.meta.dirname}/reference`,
  "transformers-bfloat16.json",
);

/** Rounding makes their routers choose other experts now and then, here as in transformers: errors say nothing. */
const WITH_EXPERTS = ["deepseek-v2", "deepseek-v3", "gpt-oss", "mixtral", "qwen3-moe"];
const largestMean = Math.max(...Object.values(reference).map(({ mean }) => mean));

/** With the mean error of transformers, or the largest it has on any model where it was not run on this one. */
const MODELS = TINY_MODELS.filter((name) => !WITH_EXPERTS.includes(name)).map((name) => ({
  name,
  mean: reference[name]?.mean ?? largestMean,
}));

const root = sharedFolder("hf-tiny in bfloat16", "fixtures/hf-tiny");
if (root !== undefined) {
  const suite = (device: Device) => {
    const largest = new Map<string, number>();

    describe.each(MODELS)("$name", ({ name, mean: theirMean }) => {
      it("is as near to float32 as transformers in the mean over all prompt tokens", async () => {
        const cases = tinyCases(root, name);
        const model = tinyFolder(root, name);
        const engine = await Engine.load({ model, device, dtype: "bfloat16" });
        try {
          const prompts = cases.map(({ prompt }) => prompt);
          const params = { maxTokens: 1, temperature: 0, promptLogprobs: 0 };
          const outputs = await new RequestGroup(engine, prompts, params).finish();
          const errors = outputs.flatMap(({ promptLogprobs }, i) =>
            promptLogprobs
              .slice(1)
              .map((entry, at) =>
                Math.abs((entry?.logprob ?? 0) - (cases[i]?.prompt_logprobs[at + 1] ?? 0)),
              ),
          );
          const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
          expect(errors).toHaveLength(127);
          expect(mean).toBeGreaterThan(0);
          expect(mean).toBeLessThanOrEqual(WORST_RATIO * theirMean);
          largest.set(name, Math.max(...errors));
        } finally {
          await engine.close();
        }
      });
    });

    it("has no larger outliers than transformers over all models", () => {
      // One model's largest error is the luck of one token in 127; of all models together it is a property of the arithmetic.
      expect(largest.size).toBe(MODELS.length);
      const theirs = Math.max(...Object.values(reference).map(({ max }) => max));
      expect(Math.max(...largest.values())).toBeLessThanOrEqual(WORST_RATIO * theirs);
    });
  };
  await describeDevices("hf-tiny in bfloat16", suite, ["interpreter", "cuda"]);
}
