/** [test/unit/engine] `logprobs` of -1: every token of the vocabulary, where the engine allows it, in the order and with the figures of the kernel that finds a few. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { topOfRow } from "../../../engine/all-logprobs.ts";
import { Engine } from "../../../engine/engine.ts";
import { lastOutput } from "../../../engine/request-group.ts";
import { createApp } from "../../../engine/server/http.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

const params = { maxTokens: 3, temperature: 0, ignoreEos: true } as const;
const chatTemplate = "{% for m in messages %}{{ m.content }}{% endfor %}";

let engine: Engine;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  engine = await Engine.load({ model: writeTinyModel(), device: "interpreter", maxLogprobs: -1 });
  app = createApp(engine, { chatTemplate });
});
afterAll(async () => {
  await app.close();
  await engine.close();
});

describe("all log-probabilities", () => {
  it("begin with those of the kernel and add up to 1", async () => {
    const { vocabSize } = engine.info;
    const [all, few] = await Promise.all(
      [-1, 64].map((logprobs) =>
        lastOutput(engine.generate("abc", { ...params, logprobs, promptLogprobs: logprobs })),
      ),
    );
    const entries = [...(all?.logprobs ?? []), ...(all?.promptLogprobs ?? []).slice(1)];
    const known = [...(few?.logprobs ?? []), ...(few?.promptLogprobs ?? []).slice(1)];
    expect(entries.length).toBeGreaterThan(5);
    for (const [i, entry] of entries.entries()) {
      const top = entry?.top ?? [];
      expect(new Set(top.map(({ tokenId }) => tokenId)).size).toBe(vocabSize);
      expect(top.slice(0, 64).map(({ tokenId }) => tokenId)).toEqual(
        known[i]?.top.map(({ tokenId }) => tokenId),
      );
      for (const [j, { logprob }] of (known[i]?.top ?? []).entries())
        expect(top[j]?.logprob).toBeCloseTo(logprob, 5);
      expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 4);
      expect(top[(entry?.rank ?? 0) - 1]?.tokenId).toBe(entry?.tokenId);
    }
  });

  it("are given by each route", async () => {
    const { vocabSize } = engine.info;
    const ask = async (url: string, payload: object) =>
      JSON.parse((await app.inject({ method: "POST", url, payload })).body) as {
        readonly choices: readonly [{ readonly logprobs: never }];
      };
    const ids = { return_tokens_as_token_ids: true }; // bytes that are no text read alike
    const body = { max_tokens: 1, temperature: 0, prompt: [5, 6], ...ids };
    const { choices } = await ask("/v1/completions", { ...body, logprobs: -1, echo: true });
    const { top_logprobs: tops } = choices[0].logprobs as { top_logprobs: (object | null)[] };
    expect(tops.map((one) => Object.keys(one ?? {}).length)).toEqual([0, vocabSize, vocabSize]);
    const messages = [{ role: "user", content: "a" }];
    const asked = { max_tokens: 1, temperature: 0, messages, logprobs: true, top_logprobs: -1 };
    const chat = await ask("/v1/chat/completions", asked);
    const { content } = chat.choices[0].logprobs as { content: { top_logprobs: object[] }[] };
    expect(content[0]?.top_logprobs).toHaveLength(vocabSize);
  });
});

describe("the bound of log-probabilities", () => {
  it.each([
    [undefined, 20],
    [3, 3],
  ])("of %s alternatives refuses more, and all", async (maxLogprobs, most) => {
    const own = { model: writeTinyModel(), device: "null" };
    const bounded = await Engine.load(maxLogprobs === undefined ? own : { ...own, maxLogprobs });
    for (const logprobs of [most + 1, -1])
      expect(() => bounded.generate("a", { logprobs })).toThrow(/TW4110[\s\S]*--max-logprobs/);
    await lastOutput(bounded.generate("a", { logprobs: most, maxTokens: 1 }));
    await bounded.close();
  });
});

describe("a row's order", () => {
  it("is of values, then of ids, whatever their signs", () => {
    const row = Float32Array.of(-1, 2, -0, 0, Number.NEGATIVE_INFINITY, 2, 1e-40, -1e-40, -3e38);
    expect(topOfRow(row, 9).map(({ tokenId }) => tokenId)).toEqual([1, 5, 6, 2, 3, 7, 0, 8, 4]);
    expect(topOfRow(row, 2).map(({ tokenId }) => tokenId)).toEqual([1, 5]);
  });

  it("is that of a plain sort, over the rows of a view", () => {
    const all = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i * 12.9898) * 9);
    const row = all.subarray(1000, 2500);
    const ids = Array.from(row.keys()).sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0) || a - b);
    expect(topOfRow(row, 1500).map(({ tokenId }) => tokenId)).toEqual(ids);
  });
});
