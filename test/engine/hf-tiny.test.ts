/** [test/engine] Tiny checkpoints of each architecture against transformers in float32: prompt log-probabilities and greedy tokens, on every device. */
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { createApp } from "../../engine/server/http.ts";
import { describeDevices } from "../support/devices.ts";
import { type HfCase, TINY_MODELS, tinyCases, tinyFolder } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";

const LOGPROB_TOLERANCE = 2e-3;
/** Below this the first two logits are too close for their order to be defined. */
const LEAST_MARGIN = 1e-2;
/** A GPU in software on a busy machine. */
const SLOW_GPU_MS = 600_000;
/** Prompt tokens of the five cases of a model. */
const NUM_TOKENS = 2 + 8 + 17 + 34 + 71;

/** Greedy tokens up to the first step that is too close to call. */
function decided(tokens: readonly number[], { greedy_margin: margins }: HfCase): readonly number[] {
  const end = margins.findIndex((margin) => margin < LEAST_MARGIN);
  return tokens.slice(0, end < 0 ? tokens.length : end);
}

/** Of all tokens of all prompts; the first of a prompt has none on either side. */
function largestError(
  cases: readonly HfCase[],
  seen: readonly (readonly (number | null | undefined)[])[],
): number {
  const errors = cases.flatMap(({ prompt_logprobs: expected }, i) =>
    expected.map((value, position) => {
      const ours = seen[i]?.[position] ?? null;
      return ours === null || value === null
        ? ours === value
          ? 0
          : Number.POSITIVE_INFINITY
        : Math.abs(ours - value);
    }),
  );
  expect(errors).toHaveLength(NUM_TOKENS);
  return Math.max(...errors);
}

async function generate(engine: Engine, cases: readonly HfCase[], maxTokens: number) {
  const prompts = cases.map(({ prompt }) => prompt);
  const params = { maxTokens, temperature: 0, ignoreEos: true, promptLogprobs: 0 };
  const outputs = await new RequestGroup(engine, prompts, params).finish();
  const seen = outputs.map(({ promptLogprobs }) => promptLogprobs.map((entry) => entry?.logprob));
  return { outputs, seen };
}

async function checkDirect(engine: Engine, cases: readonly HfCase[]): Promise<void> {
  const { outputs, seen } = await generate(engine, cases, cases[0]?.greedy.length ?? 0);
  expect(largestError(cases, seen)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
  expect(outputs.map(({ tokenIds }, i) => decided(tokenIds, cases[i] as HfCase))).toEqual(
    cases.map((one) => decided(one.greedy, one)),
  );
}

interface Answer {
  readonly choices: readonly {
    readonly logprobs: { readonly token_logprobs: readonly (number | null)[] };
  }[];
}

async function checkHttp(engine: Engine, cases: readonly HfCase[]): Promise<void> {
  const prompt = cases.map((one) => one.prompt);
  const body = { prompt, echo: true, logprobs: 0, max_tokens: 0, temperature: 0 };
  const app = createApp(engine);
  const response = await app.inject({ method: "POST", url: "/v1/completions", payload: body });
  expect(response.statusCode).toBe(200);
  const { choices } = response.json<Answer>();
  const seen = choices.map(({ logprobs }) => logprobs.token_logprobs);
  expect(largestError(cases, seen)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
}

const root = sharedFolder("hf-tiny", "fixtures/hf-tiny");
if (root !== undefined) {
  await describeDevices("hf-tiny", (device) => {
    describe.each(TINY_MODELS)("%s", (name) => {
      it("gives the log-probabilities and greedy tokens of transformers, also over HTTP", {
        timeout: SLOW_GPU_MS,
      }, async () => {
        const cases = tinyCases(root, name);
        const model = tinyFolder(root, name);
        const engine = await Engine.load({ model, device, dtype: "float32" });
        try {
          await checkDirect(engine, cases);
          await checkHttp(engine, cases);
        } finally {
          await engine.close();
        }
      });
    });
  });

  it("bends the scores of gemma2 by the soft cap of its config", async () => {
    const cases = tinyCases(root, "gemma2");
    const model = tinyFolder(root, "gemma2", {});
    const engine = await Engine.load({ model, device: "interpreter", dtype: "float32" });
    try {
      const { seen } = await generate(engine, cases, 1);
      const error = largestError(cases, seen);
      expect(error).toBeGreaterThan(2 * LOGPROB_TOLERANCE);
      expect(error).toBeLessThan(0.05);
    } finally {
      await engine.close();
    }
  });
}
