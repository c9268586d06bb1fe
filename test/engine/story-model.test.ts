/** [test/engine] The model of the quick start, which is in the repository, begins every golden prompt as PyTorch does. Interpreter and cuda. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { ChatTemplate } from "../../engine/tokenizer/chat-template.ts";
import { Tokenizer } from "../../engine/tokenizer/tokenizer.ts";
import { describeDevices } from "../support/devices.ts";
import { readJson } from "../support/shared-models.ts";

/** Of each continuation; the rest would only take time. */
const TOKENS = 32;
/** Below this the first two logits are too close for their order to be defined. */
const LEAST_MARGIN = 1e-2;

interface Golden {
  readonly cases: readonly {
    readonly prompt: string;
    readonly prompt_ids: readonly number[];
    readonly greedy_ids: readonly number[];
    readonly margins: readonly number[];
    readonly text: string;
  }[];
}

const model = join(import.meta.dirname, "../../examples/models/story-1m");
const { cases } = readJson<Golden>(model, "golden.json");

it("has no chat template of its own; story.jinja makes the story so far of a chat", async () => {
  const tokenizer = Tokenizer.load(model);
  expect(ChatTemplate.load(model).exists).toBe(false);
  const template = ChatTemplate.load(model, readFileSync(join(model, "story.jinja"), "utf8"));
  const messages = [
    { role: "user", content: "Once upon a time" },
    { role: "assistant", content: "there was a fox." },
    { role: "user", content: "It" },
  ];
  const prompt = await template.encode(tokenizer, messages, {}, 512);
  expect(prompt).toEqual(tokenizer.encode("Once upon a time there was a fox. It"));
});

await describeDevices(
  "story-1m",
  (device) => {
    it("continues the golden prompts", async () => {
      const engine = await Engine.load({ model, device, dtype: "float32" });
      try {
        const outputs = await Promise.all(
          cases.map(({ prompt }) =>
            lastOutput(engine.generate(prompt, { maxTokens: TOKENS, temperature: 0 })),
          ),
        );
        let compared = 0;
        for (const [
          i,
          { prompt_ids: promptIds, greedy_ids: ids, margins, text },
        ] of cases.entries()) {
          const output = outputs[i];
          const close = margins.findIndex((margin) => margin < LEAST_MARGIN);
          const end = Math.min(TOKENS, close < 0 ? ids.length : close);
          expect(output?.promptTokenIds).toEqual(promptIds);
          expect(output?.tokenIds.slice(0, end)).toEqual(ids.slice(0, end));
          if (end === TOKENS) expect(text.startsWith(output?.text ?? "none")).toBe(true);
          compared += end;
        }
        expect(compared).toBeGreaterThan(150);
      } finally {
        await engine.close();
      }
    });
  },
  ["interpreter", "cuda"],
);
