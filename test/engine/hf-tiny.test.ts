/** [test/engine] Tiny checkpoints of each architecture against transformers in float32: prompt log-probabilities and greedy tokens, on every device. */
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { describeDevices } from "../support/devices.ts";
import { type HfCase, TINY_MODELS, tinyCases } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";

const LOGPROB_TOLERANCE = 2e-3;
/** Below this the first two logits are too close for their order to be defined. */
const LEAST_MARGIN = 1e-2;

/** Greedy tokens up to the first step that is too close to call. */
function decided(tokens: readonly number[], { greedy_margin: margins }: HfCase): readonly number[] {
  const end = margins.findIndex((margin) => margin < LEAST_MARGIN);
  return tokens.slice(0, end < 0 ? tokens.length : end);
}

const root = sharedFolder("hf-tiny", "fixtures/hf-tiny");
if (root !== undefined) {
  await describeDevices("hf-tiny", (device) => {
    describe.each(TINY_MODELS)("%s", (name) => {
      it("gives the log-probabilities and greedy tokens of transformers", async () => {
        const cases = tinyCases(root, name);
        const model = `${root}/${name}`;
        const engine = await Engine.load({ model, device, dtype: "float32" });
        try {
          const outputs = await Promise.all(
            cases.map(({ prompt, greedy }) =>
              lastOutput(
                engine.generate(prompt, {
                  maxTokens: greedy.length,
                  temperature: 0,
                  ignoreEos: true,
                  promptLogprobs: 0,
                }),
              ),
            ),
          );
          const errors = outputs.flatMap(({ promptLogprobs }, i) =>
            (cases[i]?.prompt_logprobs ?? []).map((expected, position) => {
              const seen = promptLogprobs[position]?.logprob ?? null;
              if (expected === null || seen === null) return expected === seen ? 0 : Infinity;
              return Math.abs(seen - expected);
            }),
          );
          expect(errors).toHaveLength(132);
          expect(Math.max(...errors)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
          expect(outputs.map(({ tokenIds }, i) => decided(tokenIds, cases[i] as HfCase))).toEqual(
            cases.map((one) => decided(one.greedy, one)),
          );
        } finally {
          await engine.close();
        }
      });
    });
  });
}
