/** [test/unit/engine] `truncate_prompt_tokens`: the last tokens of a prompt that is too long, on every route that takes one, and how little of a long text is read for them. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Engine } from "../../../engine/engine.ts";
import { createApp } from "../../../engine/server/http.ts";
import { TINY_CONTEXT, writeTinyModel } from "../../support/tiny-model.ts";

const chatTemplate = "{% for m in messages %}[{{ m.role }}]{{ m.content }}</s>{% endfor %}";

let engine: Engine;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  engine = await Engine.load({ model: writeTinyModel(), device: "null" });
  app = createApp(engine, { chatTemplate });
});
afterAll(async () => {
  await app.close();
  await engine.close();
});

interface Answer {
  readonly error?: { readonly param: string; readonly message: string };
  readonly usage: { readonly prompt_tokens: number };
  readonly text?: readonly string[];
  readonly prompt_token_ids?: readonly number[];
  readonly choices: readonly {
    readonly text: string;
    readonly prompt_token_ids?: readonly number[];
  }[];
}

async function ask(url: string, payload: object) {
  const { statusCode, body } = await app.inject({ method: "POST", url, payload });
  return { status: statusCode, ...(JSON.parse(body) as Answer) };
}

const long = "The quick brown fox jumps over the lazy dog. ".repeat(40);
const few = { max_tokens: 2, ignore_eos: true };

describe("truncate_prompt_tokens", () => {
  it("keeps the last tokens of a text, and what stands before every text", async () => {
    const all = engine.encode(long);
    const [begin] = engine.encode("");
    const asked = { ...few, prompt: long, truncate_prompt_tokens: 10, return_token_ids: true };
    const { status, usage, choices } = await ask("/v1/completions", { ...asked, echo: true });
    expect([status, usage.prompt_tokens]).toEqual([200, 10]);
    const kept = begin === undefined ? all.slice(-10) : [begin, ...all.slice(-9)];
    expect(choices[0]?.prompt_token_ids).toEqual(kept);
    expect(choices[0]?.text.startsWith(engine.tokenizer.decode(kept))).toBe(true);
    const bare = await ask("/v1/completions", { ...asked, add_special_tokens: false });
    expect(bare.choices[0]?.prompt_token_ids).toEqual(engine.encode(long, false).slice(-10));
  });

  it("cuts ids, and leaves alone what is shorter", async () => {
    const prompt = Array.from({ length: 40 }, (_, i) => i + 3);
    const of = async (k: number) => {
      const body = { ...few, prompt, truncate_prompt_tokens: k, return_token_ids: true };
      return (await ask("/v1/completions", body)).choices[0]?.prompt_token_ids;
    };
    expect(await of(5)).toEqual(prompt.slice(-5));
    expect(await of(40)).toEqual(prompt);
    expect(await of(41)).toEqual(prompt);
    const bad = { ...few, prompt: [9999, ...prompt], truncate_prompt_tokens: 5 };
    expect(await ask("/v1/completions", bad)).toMatchObject({ status: 400 }); // cut off, and wrong
  });

  it("of -1 leaves room for the output on every route", async () => {
    const most = TINY_CONTEXT - 7;
    const body = { max_tokens: 7, truncate_prompt_tokens: -1, ignore_eos: true };
    const whole = await ask("/v1/completions", { ...body, prompt: long });
    expect(whole).toMatchObject({ status: 200, usage: { prompt_tokens: most } });
    const messages = [
      { role: "user", content: long },
      { role: "user", content: "and now?" },
    ];
    const chat = await ask("/v1/chat/completions", { ...body, messages, return_token_ids: true });
    expect(chat).toMatchObject({ status: 200, usage: { prompt_tokens: most } });
    const kept = engine.tokenizer.decode([...(chat.prompt_token_ids ?? [])], false);
    expect(kept.endsWith("lazy dog. </s>[user]and now?</s>")).toBe(true);
    const vector = await ask("/v1/embeddings", { input: long, truncate_prompt_tokens: -1 });
    expect(vector.usage.prompt_tokens).toBe(TINY_CONTEXT - 1);
    const { status, text } = await ask("/generate", { ...body, prompt: long });
    expect([status, text?.[0]?.includes("lazy dog. ")]).toEqual([200, true]);
  });

  it.each([
    [0, /-1, or an integer of at least 1/],
    [-2, /TW4301/],
    [1.5, /TW4301/],
    [TINY_CONTEXT + 1, /TW4303[\s\S]*128 tokens/],
  ])("of %s is refused", async (value, message) => {
    for (const url of ["/v1/completions", "/v1/chat/completions", "/v1/embeddings", "/generate"]) {
      const prompt = { prompt: "a", input: "a", messages: [{ role: "user", content: "a" }] };
      const answer = await ask(url, { ...prompt, truncate_prompt_tokens: value });
      expect(answer).toMatchObject({ status: 400, error: { param: "truncate_prompt_tokens" } });
      expect(answer.error?.message).toMatch(message);
    }
  });

  it("reads the end of a long text alone", async () => {
    const huge = "ab ".repeat(1_000_000);
    const encode = vi.spyOn(engine.tokenizer, "encode");
    const body = { ...few, prompt: huge, truncate_prompt_tokens: 20 };
    expect((await ask("/v1/completions", body)).usage.prompt_tokens).toBe(20);
    const messages = [{ role: "user", content: huge }];
    const chat = await ask("/v1/chat/completions", { ...body, messages });
    expect(chat.usage.prompt_tokens).toBe(20);
    const longest = Math.max(...encode.mock.calls.map(([text]) => text.length));
    encode.mockRestore();
    expect(longest).toBeLessThan(10_000);
    expect(await ask("/v1/completions", { ...few, prompt: huge })).toMatchObject({ status: 400 });
  });
});
