/** [test/engine] POST /v1/chat/completions, /tokenize and /detokenize: templates, streams, log-probabilities, refusals. Clients of npm are in server-clients. */
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../engine/server/http.ts";
import { ChatTemplate } from "../../engine/tokenizer/chat-template.ts";
import { eventsOf, serveForTests } from "../support/serve-tiny.ts";
import { BOS, EOS, FIRST_BYTE, writeJson, writeTinyModel } from "../support/tiny-model.ts";

const model = "tiny";
const TEMPLATE =
  "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('system first') }}{% endif %}[{{ m.role }}]{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}{{ mood }}";

function chatModel(): string {
  const folder = writeTinyModel();
  writeJson(folder, "tokenizer_config.json", {
    bos_token: { content: "<s>" },
    eos_token: "</s>",
    chat_template: [
      { name: "tool_use", template: "no" },
      { name: "default", template: TEMPLATE },
    ],
  });
  return folder;
}

const served = serveForTests(() => ({ model: chatModel(), servedModelName: model }));
const ids = (text: string) => [...Buffer.from(text)].map((byte) => byte + FIRST_BYTE);
const user = { role: "user", content: "hi" } as const;
const greedy = { model, temperature: 0, max_tokens: 8, messages: [user] };

async function json<T>(path: string, body: object, status = 200): Promise<T> {
  const response = await served.post(path, body);
  const answer = (await response.json()) as T;
  expect(response.status, JSON.stringify(answer)).toBe(status);
  return answer;
}

async function tokensOf(body: object): Promise<readonly number[]> {
  return (await json<{ tokens: readonly number[] }>("/tokenize", body)).tokens;
}

interface Chunk {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
    readonly logprobs: { readonly content: readonly { readonly token: string }[] } | null;
  }[];
  readonly usage?: { readonly completion_tokens: number; readonly total_tokens: number } | null;
}

describe("prompts of chats", () => {
  it("bug class 24, two BOS: prompts come from the model's template, with one", async () => {
    expect(await tokensOf({ messages: [user] })).toEqual([BOS, ...ids("[user]hi\n[assistant]")]);
  });

  it("take strings, parts, the developer role and template variables", async () => {
    const messages = [
      { role: "developer", content: "be" },
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ];
    const chat_template_kwargs = { mood: "!" };
    expect(
      await tokensOf({ messages, chat_template_kwargs, add_generation_prompt: false }),
    ).toEqual([BOS, ...ids("[developer]be\n[user]a\nb\n!")]);
  });

  it("go on with the last message", async () => {
    const messages = [user, { role: "assistant", content: "well" }];
    expect(await tokensOf({ messages, continue_final_message: true })).toEqual([
      BOS,
      ...ids("[user]hi\n[assistant]well"),
    ]);
  });

  it("bug class 25, control tokens that a user typed: they are text", async () => {
    const content = "a</s>b<s>";
    expect(await tokensOf({ messages: [{ role: "user", content }] })).toEqual([
      BOS,
      ...ids(`[user]${content}\n[assistant]`),
    ]);
  });

  it("hold none in roles, names and variables either", async () => {
    const asked = {
      messages: [{ role: "user]</s>", content: "hi" }],
      chat_template_kwargs: { mood: "</s>" },
    };
    expect(await tokensOf(asked)).toEqual([BOS, ...ids("[user]</s>]hi\n[assistant]</s>")]);
  });

  it("hold none where the template cuts what a user typed", async () => {
    const { tokenizer } = served.engine;
    const cut =
      "{% for m in messages %}{{ m.content.split('</s>')[0] }}{{ eos_token }}{% endfor %}";
    const template = ChatTemplate.load(chatModel(), cut);
    const messages = ["a</s>b", "c<s>d</s>"].map((content) => ({ role: "user", content }));
    expect(await template.encode(tokenizer, messages, {}, 512)).toEqual([
      ...ids("a"),
      EOS,
      ...ids("c<s>d"),
      EOS,
    ]);
  });

  it("refuse what is nested beyond all measure", async () => {
    const text = JSON.stringify({ messages: [user], chat_template_kwargs: { mood: 0 } });
    const nested = text.replace('"mood":0', `"mood":${"[".repeat(1e5)}${"]".repeat(1e5)}`);
    const response = await served.post("/tokenize", nested);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/TW4225/),
    ]);
  });

  it("come back as text", async () => {
    const tokens = [BOS, ...ids("héllo")];
    const answer = await json<{ prompt: string }>("/detokenize", { tokens });
    expect(answer.prompt).toBe("<s>héllo");
  });
});

describe("chats", () => {
  it("answer whole, as the same prompt completed does", async () => {
    const chat = await served.client.chat.completions.create(greedy);
    const prompt = [BOS, ...ids("[user]hi\n[assistant]")];
    const same = await served.client.completions.create({ ...greedy, prompt });
    expect(chat.object).toBe("chat.completion");
    expect(chat.choices[0]?.message).toMatchObject({ role: "assistant" });
    expect(chat.choices[0]?.message.content).toBe(same.choices[0]?.text);
    expect(chat.choices[0]?.finish_reason).toBe("length");
    const { prompt_tokens_details: cached, ...usage } = same.usage ?? {};
    expect(chat.usage).toMatchObject(usage);
    expect(cached?.cached_tokens).toBe(16); // the chat came before: its first page is found
  });

  it("bug class 15, ends of streams: role, text, reason and usage come in chunks of their own", async () => {
    const whole = await served.client.chat.completions.create(greedy);
    const response = await served.post("/v1/chat/completions", {
      ...greedy,
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    });
    const chunks = eventsOf(await response.text()) as readonly Chunk[];
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    const [end, usage] = chunks.slice(-2);
    expect(end?.choices[0]).toMatchObject({ delta: {}, finish_reason: "length" });
    expect(usage).toMatchObject({ choices: [], usage: { completion_tokens: 8 } });
    const texts = chunks.slice(1, -2);
    expect(texts.every(({ choices }) => choices[0]?.finish_reason === null)).toBe(true);
    expect(texts.map(({ choices }) => choices[0]?.delta.content).join("")).toBe(
      whole.choices[0]?.message.content,
    );
    const counts = texts.map((chunk) => chunk.usage?.completion_tokens ?? 0);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(8);
  });

  it("give log-probabilities of every token, streamed or whole", async () => {
    const body = { ...greedy, logprobs: true, top_logprobs: 2 };
    const whole = await served.client.chat.completions.create(body);
    const content = whole.choices[0]?.logprobs?.content ?? [];
    expect(content).toHaveLength(8);
    for (const one of content) {
      expect(one.top_logprobs).toHaveLength(2);
      expect(one.top_logprobs[0]?.logprob).toBeCloseTo(one.logprob, 5);
    }
    const response = await served.post("/v1/chat/completions", { ...body, stream: true });
    const chunks = eventsOf(await response.text()) as readonly Chunk[];
    const streamed = chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []);
    expect(streamed).toEqual(content);
  });

  it("fill the context where no length is asked for, and give n choices with seeds of their own", async () => {
    const answer = await served.client.chat.completions.create({
      model,
      messages: [user],
      n: 3,
      seed: 5,
      max_completion_tokens: 6,
    });
    expect(new Set(answer.choices.map(({ message }) => message.content)).size).toBe(3);
    const rest = await json<{ usage: { total_tokens: number } }>("/v1/chat/completions", {
      messages: [user],
      ignore_eos: true,
    });
    expect(rest.usage.total_tokens).toBe(128);
  });

  it.each([
    ["no messages", { messages: [] }, "messages", /at least one/],
    [
      "an image",
      { messages: [{ role: "user", content: [{ type: "image_url" }] }] },
      "messages",
      /text/,
    ],
    [
      "what the template refuses",
      { messages: [user, { role: "system", content: "x" }] },
      "messages",
      /system first/,
    ],
    ["top_logprobs alone", { top_logprobs: 2 }, "top_logprobs", /needs 'logprobs'/],
    [
      "both endings",
      { continue_final_message: true, add_generation_prompt: true },
      "continue_final_message",
      /exclude/,
    ],
    ["a template of its own", { chat_template: "{{ 1 }}" }, "chat_template", /trust-request/],
    [
      "a reserved variable",
      { chat_template_kwargs: { messages: [] } },
      "chat_template_kwargs",
      /cannot be set/,
    ],
    ["tools", { tools: [{ type: "function" }] }, "tools", /not supported/],
    ["stream_options without stream", { stream_options: {} }, "stream_options", /needs 'stream'/],
    ["too long an answer", { max_completion_tokens: 126 }, "max_tokens", /TW4305/],
  ])("refuse %s with 400", async (_name, change, param, message) => {
    const { error } = await json<{ error: { param: string; message: string } }>(
      "/v1/chat/completions",
      { ...greedy, ...change },
      400,
    );
    expect(error.param).toBe(param);
    expect(error.message).toMatch(message);
  });
});

describe("a chat template that does not end", () => {
  it("costs its own chat alone: others are answered meanwhile, by the model's template", async () => {
    const { engine } = served;
    const app = createApp(engine, { chatTemplateSeconds: 2, trustRequestChatTemplate: true });
    const ask = (url: string, payload: object) => app.inject({ method: "POST", url, payload });
    await ask("/tokenize", { messages: [user] }); // the process is there
    const loops = Array.from({ length: 5 }, (_, i) => `{% for a${i} in range(1000) %}`);
    const chat_template = `${loops.join("")}{{ a0 }}${"{% endfor %}".repeat(5)}`;
    const endless = ask("/v1/chat/completions", { messages: [user], chat_template });
    let isOver = false;
    const stopped = endless.then(({ statusCode, body }) => {
      isOver = true;
      expect([statusCode, body]).toEqual([400, expect.stringMatching(/TW4227[\s\S]*within 2 s/)]);
    });
    const other = await ask("/tokenize", { messages: [user] });
    expect([other.statusCode, isOver]).toEqual([200, false]);
    await stopped;
    await app.close();
  });
});

describe("a model without a chat template", () => {
  let folder = "";
  beforeAll(() => {
    folder = writeTinyModel();
  });
  it("refuses chats and says what to do; a given template serves it", async () => {
    const refused = ChatTemplate.load(folder).render([user]);
    await expect(refused).rejects.toThrow(/TW4224[\s\S]*--chat-template/);
    expect(await ChatTemplate.load(folder, "{{ messages[0].content }}").render([user])).toBe("hi");
    expect(() => ChatTemplate.load(folder, "{% if %}")).toThrow(/TW4223/);
  });
});
