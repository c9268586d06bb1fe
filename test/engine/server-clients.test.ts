/** [test/engine] The clients of npm, unmodified, against the server on stories260k (or the quick-start model): openai, and ai with @ai-sdk/openai-compatible. */
import { existsSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embed, generateText, streamText } from "ai";
import { BadRequestError, NotFoundError } from "openai";
import { describe, expect, it, vi } from "vitest";
import { serveForTests } from "../support/serve-tiny.ts";

const model = "stories";
/** Neither model was trained on chats: the words of the messages are the story so far. */
const chatTemplate = "{{ bos_token }}{% for m in messages %}{{ m.content }} {% endfor %}";
const STORIES = ["../../../shared/models/stories260k", "../../shared/models/stories260k"].map(
  (path) => new URL(path, import.meta.url).pathname,
);
const QUICK_START = new URL("../../examples/models/story-1m", import.meta.url).pathname;
const prompt = "Once upon a time";
const messages = [{ role: "user" as const, content: prompt }];
const greedy = { model, temperature: 0, max_tokens: 12 };

const stories = STORIES.find(existsSync);
if (stories === undefined) console.warn("skipped: clients on stories260k: there is no ../shared");

for (const folder of [QUICK_START, ...(stories === undefined ? [] : [stories])]) {
  describe(`clients on ${folder.split("/").at(-1)}`, () => {
    const served = serveForTests(() => ({ model: folder, servedModelName: model }), {
      chatTemplate,
    });
    const idle = () =>
      vi.waitFor(() => {
        const { numRunning, numWaiting } = served.engine;
        expect([numRunning, numWaiting]).toEqual([0, 0]);
      });

    describe("openai", () => {
      it("completes, whole and streamed", async () => {
        const whole = await served.client.completions.create({ ...greedy, prompt });
        const stream = await served.client.completions.create({ ...greedy, prompt, stream: true });
        let text = "";
        for await (const chunk of stream) text += chunk.choices[0]?.text ?? "";
        expect(text).toBe(whole.choices[0]?.text);
        expect(text).toMatch(/[a-z]/);
      });

      it("chats, whole and streamed, with its own helpers", async () => {
        const whole = await served.client.chat.completions.create({ ...greedy, messages });
        const runner = served.client.chat.completions.stream({ ...greedy, messages });
        const final = await runner.finalChatCompletion();
        expect(final.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
        expect(final.choices[0]?.finish_reason).toBe("length");
      });

      it("leaves a stream, and the request ends", async () => {
        const stream = await served.client.chat.completions.create({
          model,
          messages,
          stream: true,
        });
        for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
        stream.controller.abort();
        await idle();
      });

      it("lists models and understands errors", async () => {
        const list = await served.client.models.list();
        expect(list.data.map(({ id }) => id)).toEqual([model]);
        const bad = served.client.chat.completions.create({ ...greedy, messages, max_tokens: -1 });
        await expect(bad).rejects.toBeInstanceOf(BadRequestError);
        const other = served.client.completions.create({ ...greedy, model: "x", prompt });
        await expect(other).rejects.toBeInstanceOf(NotFoundError);
      });

      it("embeds, as floats and as base64, which it asks for by itself", async () => {
        const input = [prompt, "The cat"];
        const plain = await served.client.embeddings.create({
          model,
          input,
          encoding_format: "float",
        });
        const packed = await served.client.embeddings.create({ model, input });
        expect(plain.data.map(({ index }) => index)).toEqual([0, 1]);
        for (const [i, one] of plain.data.entries()) {
          expect(Math.hypot(...one.embedding)).toBeCloseTo(1, 4);
          packed.data[i]?.embedding.forEach((value, j) => {
            expect(value).toBeCloseTo(one.embedding[j] ?? Number.NaN, 5);
          });
        }
      });
    });

    describe("ai", () => {
      const provider = () =>
        createOpenAICompatible({
          name: "tilewright",
          baseURL: `${served.server.url}/v1`,
          includeUsage: true,
        });

      it("generates and streams text with usage", async () => {
        const asked = { temperature: 0, maxOutputTokens: 12, prompt } as const;
        const whole = await generateText({ model: provider().chatModel(model), ...asked });
        const stream = streamText({ model: provider().chatModel(model), ...asked });
        let text = "";
        for await (const piece of stream.textStream) text += piece;
        expect(text).toBe(whole.text);
        expect((await stream.usage).outputTokens).toBe(12);
        expect(whole.finishReason).toBe("length");
        const completed = await generateText({
          model: provider().completionModel(model),
          ...asked,
        });
        expect(completed.usage.outputTokens).toBe(12);
      });

      it("aborts in the middle, and the request ends", async () => {
        const leaving = new AbortController();
        const stream = streamText({
          model: provider().chatModel(model),
          prompt,
          abortSignal: leaving.signal,
          onError: () => {},
        });
        for await (const piece of stream.textStream) {
          expect(piece).not.toBe("");
          leaving.abort();
          break;
        }
        await idle();
      });

      it("embeds", async () => {
        const model_ = provider().textEmbeddingModel(model);
        const { embedding } = await embed({ model: model_, value: prompt });
        expect(Math.hypot(...embedding)).toBeCloseTo(1, 4);
      });

      it("is told of errors", async () => {
        const wrong = generateText({ model: provider().chatModel("x"), prompt, maxRetries: 0 });
        await expect(wrong).rejects.toThrow(/does not exist/);
      });
    });
  });
}
