/** [test/engine] POST /v1/completions through the OpenAI client and raw HTTP: what is answered, whole and streamed. Refusals are in http-errors. */
import { describe, expect, it } from "vitest";
import { eventsOf, serveForTests } from "../support/serve-tiny.ts";
import { BOS, FIRST_BYTE, writeTinyModel } from "../support/tiny-model.ts";

const model = "tiny";
const served = serveForTests(() => ({ model: writeTinyModel(), servedModelName: model }));
const ids = (text: string) => [BOS, ...Buffer.from(text).map((byte) => byte + FIRST_BYTE)];
const greedy = { model, temperature: 0, max_tokens: 12 };

interface Choice {
  readonly index: number;
  readonly text: string;
  readonly finish_reason: string | null;
  readonly stop_reason: string | number | null;
  readonly token_ids?: readonly number[];
  readonly logprobs: {
    readonly tokens: readonly string[];
    readonly token_logprobs: readonly (number | null)[];
    readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
    readonly text_offset: readonly number[];
  } | null;
}
interface Answer {
  readonly choices: readonly Choice[];
  readonly usage: unknown;
}

async function complete(body: object): Promise<Answer> {
  const response = await served.post("/v1/completions", { model, ...body });
  const answer = (await response.json()) as Answer;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

async function firstChoice(body: object): Promise<Choice> {
  const [choice] = (await complete(body)).choices;
  if (choice === undefined) throw new Error("no choice");
  return choice;
}

describe("completions", () => {
  it("answers the OpenAI client, with usage", async () => {
    const answer = await served.client.completions.create({ ...greedy, prompt: "abc" });
    expect(answer).toMatchObject({ object: "text_completion", model });
    expect(answer.id).toMatch(/^cmpl-/);
    expect(answer.choices).toHaveLength(1);
    expect(answer.choices[0]).toMatchObject({ index: 0, finish_reason: "length", logprobs: null });
    expect(answer.choices[0]?.text).toHaveLength(12);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 4,
      completion_tokens: 12,
      total_tokens: 16,
    });
  });

  it("streams the same text, with usage in a last chunk of its own", async () => {
    const { choices, usage } = await complete({ ...greedy, prompt: "abc" });
    const stream = await served.client.completions.create({
      ...greedy,
      prompt: "abc",
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const last = chunks.pop();
    expect(last?.choices).toEqual([]);
    expect(last?.usage).toEqual(usage);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every((chunk) => chunk.usage === null)).toBe(true);
    expect(chunks.map((chunk) => chunk.choices[0]?.text).join("")).toBe(choices[0]?.text);
    const reasons = chunks.map((chunk) => chunk.choices[0]?.finish_reason);
    expect(reasons.at(-1)).toBe("length");
    expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
  });

  it("takes token ids as it takes their text", async () => {
    const fromText = await firstChoice({ ...greedy, prompt: "abc", return_token_ids: true });
    const fromIds = await firstChoice({ ...greedy, prompt: ids("abc"), return_token_ids: true });
    expect(fromIds.token_ids).toEqual(fromText.token_ids);
    expect(fromIds.text).toBe(fromText.text);
  });

  it("answers a list of prompts in their order, and n choices for each", async () => {
    const one = await firstChoice({ ...greedy, prompt: "abc" });
    const two = await firstChoice({ ...greedy, prompt: "xyz" });
    const both = await complete({ ...greedy, prompt: ["abc", "xyz"] });
    expect(both.choices.map(({ text }) => text)).toEqual([one.text, two.text]);
    expect(both.usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 24, total_tokens: 32 });
    const lists = await complete({ ...greedy, prompt: [ids("abc"), ids("xyz")] });
    expect(lists.choices.map(({ text }) => text)).toEqual([one.text, two.text]);
    const many = await complete({ prompt: ["abc", "xyz"], n: 3, seed: 5, max_tokens: 12 });
    expect(many.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(many.choices.map(({ text }) => text)).size).toBe(6);
    expect(many.usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 72, total_tokens: 80 });
    const second = await firstChoice({ prompt: "xyz", seed: 6, max_tokens: 12 });
    expect(many.choices[4]?.text).toBe(second.text);
  });

  it("repeats itself under a seed and differs without", async () => {
    const sampled = { prompt: "abc", max_tokens: 12, temperature: 1 };
    const [a, b, c] = [
      await firstChoice({ ...sampled, seed: 11 }),
      await firstChoice({ ...sampled, seed: 11 }),
      await firstChoice({ ...sampled, seed: 12 }),
    ];
    expect(b.text).toBe(a.text);
    expect(c.text).not.toBe(a.text);
    const free = await complete({ ...sampled, n: 2 });
    expect(free.choices[0]?.text).not.toBe(free.choices[1]?.text);
  });

  it("ends before a stop string, whole and streamed, and names it", async () => {
    const { text } = await firstChoice({ ...greedy, max_tokens: 30, prompt: "abc" });
    const stop = text.slice(7, 10);
    const body = { ...greedy, max_tokens: 30, prompt: "abc", stop: ["never there", stop] };
    const choice = await firstChoice(body);
    expect(choice).toMatchObject({ text: text.slice(0, text.indexOf(stop)), stop_reason: stop });
    expect(choice.finish_reason).toBe("stop");
    const streamed = await served.post("/v1/completions", { ...body, stop, stream: true });
    const events = eventsOf(await streamed.text()) as readonly Answer[];
    expect(events.map(({ choices: [piece] }) => piece?.text).join("")).toBe(choice.text);
    expect(events.at(-1)?.choices[0]).toMatchObject({ finish_reason: "stop", stop_reason: stop });
  });

  it("ends at a stop token, which is not part of the text", async () => {
    const full = await firstChoice({ ...greedy, prompt: "abc", return_token_ids: true });
    const stop = full.token_ids?.[4] ?? -1;
    const end = (full.token_ids?.indexOf(stop) ?? 0) + 1;
    const body = { ...greedy, prompt: "abc", stop_token_ids: [stop], return_token_ids: true };
    const choice = await firstChoice(body);
    expect(choice.token_ids).toEqual(full.token_ids?.slice(0, end));
    expect(choice).toMatchObject({ finish_reason: "stop", stop_reason: stop });
    expect(choice.text).toBe(full.text.slice(0, end - 1));
  });

  it("reports log-probabilities of the chosen and the best tokens, whole and streamed", async () => {
    const body = { ...greedy, prompt: "abc", logprobs: 3 };
    const { logprobs, text } = await firstChoice(body);
    expect(logprobs?.tokens.join("")).toBe(text);
    expect(logprobs?.text_offset).toEqual(Array.from({ length: 12 }, (_, i) => i));
    logprobs?.top_logprobs.forEach((top, i) => {
      const values = Object.values(top ?? {});
      expect(values.length).toBeGreaterThanOrEqual(3);
      expect(logprobs.token_logprobs[i]).toBe(Math.max(...values)); // greedy takes the best
      expect(top?.[logprobs.tokens[i] ?? ""]).toBe(logprobs.token_logprobs[i]);
    });
    const streamed = await served.post("/v1/completions", { ...body, stream: true });
    const pieces = (eventsOf(await streamed.text()) as readonly Answer[]).map(
      ({ choices: [piece] }) => piece?.logprobs,
    );
    expect(pieces.flatMap((piece) => piece?.tokens ?? [])).toEqual(logprobs?.tokens);
    expect(pieces.flatMap((piece) => piece?.text_offset ?? [])).toEqual(logprobs?.text_offset);
    const close = pieces.flatMap((piece) => piece?.token_logprobs ?? []);
    close.forEach((value, i) => {
      expect(value).toBeCloseTo(logprobs?.token_logprobs[i] ?? 0, 4);
    });
  });

  it("echoes the prompt with its log-probabilities, also without new tokens", async () => {
    const { text } = await firstChoice({ ...greedy, prompt: "abc" });
    const echo = { ...greedy, prompt: "abc", echo: true, logprobs: 1 };
    const whole = await firstChoice(echo);
    expect(whole.text).toBe(`abc${text}`);
    expect(whole.logprobs?.tokens.slice(0, 4)).toEqual(["<s>", "a", "b", "c"]);
    expect(whole.logprobs?.token_logprobs[0]).toBeNull();
    expect(whole.logprobs?.token_logprobs.slice(1).every((p) => p !== null && p < 0)).toBe(true);
    const scored = await complete({ ...echo, max_tokens: 0 });
    expect(scored.choices[0]).toMatchObject({ text: "abc", finish_reason: "length" });
    expect(scored.choices[0]?.logprobs?.token_logprobs).toEqual(
      whole.logprobs?.token_logprobs.slice(0, 4),
    );
    expect(scored.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 });
    const streamed = await served.post("/v1/completions", { ...echo, stream: true });
    const events = eventsOf(await streamed.text()) as readonly Answer[];
    expect(events.map(({ choices: [piece] }) => piece?.text).join("")).toBe(whole.text);
    expect(events.flatMap(({ choices: [piece] }) => piece?.logprobs?.tokens ?? [])).toEqual(
      whole.logprobs?.tokens,
    );
  });

  it("counts offsets in the text that is given, whole and streamed", async () => {
    const base = { ...greedy, max_tokens: 3, logprobs: 1, echo: true };
    const cases = [
      [{ prompt: "abc" }, [0, 0, 1, 2, 3, 4, 5]], // the invisible <s> is where the text begins
      [{ prompt: "abc", add_special_tokens: false }, [0, 1, 2, 3, 4, 5]],
      [{ prompt: ids("abc") }, [0, 0, 1, 2, 3, 4, 5]],
      [{ prompt: "abc", return_tokens_as_token_ids: true }, [0, 0, 1, 2, 3, 4, 5]],
      [{ prompt: "a\u00e9c" }, [0, 0, 1, 1, 2, 3, 4, 5]], // one character of two tokens
      [{ prompt: "abc", echo: false }, [0, 1, 2]],
      [{ prompt: "abc", max_tokens: 0 }, [0, 0, 1, 2]],
    ] as const;
    for (const [more, expected] of cases) {
      const body = { ...base, logit_bias: { [FIRST_BYTE + 120]: 100 }, ...more };
      const { text, logprobs } = await firstChoice(body);
      expect([more, logprobs?.text_offset]).toEqual([more, expected]);
      expect(text.length).toBe((expected.at(-1) ?? 0) + 1);
      const streamed = await served.post("/v1/completions", { ...body, stream: true });
      const pieces = eventsOf(await streamed.text()) as readonly Answer[];
      expect(pieces.flatMap(({ choices: [one] }) => one?.logprobs?.text_offset ?? [])).toEqual(
        expected,
      );
    }
  });

  it("gives prompt log-probabilities by token id, as vLLM does", async () => {
    const answer = (await firstChoice({
      ...greedy,
      prompt: "ab",
      prompt_logprobs: 2,
    })) as Choice & {
      readonly prompt_logprobs: readonly (Readonly<
        Record<string, { logprob: number; rank: number; decoded_token: string }>
      > | null)[];
    };
    const [first, a] = answer.prompt_logprobs;
    expect([first, answer.prompt_logprobs.length]).toEqual([null, 3]);
    const own = a?.[String(FIRST_BYTE + 97)];
    expect(own).toMatchObject({ decoded_token: "a", rank: expect.any(Number) });
    expect(Object.values(a ?? {}).map(({ rank }) => rank)).toContain(1);
  });

  it("takes several clients at once and gives each what it gets alone", async () => {
    const prompts = ["abc", "de", "fghij", "k"];
    const alone = [];
    for (const prompt of prompts) alone.push((await firstChoice({ ...greedy, prompt })).text);
    const together = await Promise.all(
      prompts.map(async (prompt) => (await firstChoice({ ...greedy, prompt })).text),
    );
    expect(together).toEqual(alone);
  });

  it("lists the model", async () => {
    const { data } = await served.client.models.list();
    expect(data).toMatchObject([{ id: model, object: "model", max_model_len: 128 }]);
    expect(await served.client.models.retrieve(model)).toMatchObject({ id: model });
  });
});
