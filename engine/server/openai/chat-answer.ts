/** [engine/server] The answer to a chat, whole or as server-sent events: a first chunk with the role, chunks of text, one with the reason of the end. */
import type { TokenLogprobs } from "../../core.ts";
import type { RequestOutput } from "../../output.ts";
import type { RequestGroup } from "../../request-group.ts";
import type { Tokenizer } from "../../tokenizer/tokenizer.ts";
import { errorBody } from "../error-body.ts";
import type { ResponseWriter } from "../response-writer.ts";
import type { ChatBody } from "./chat-schema.ts";
import { finite, firstOf, formatPromptLogprob } from "./completion-format.ts";
import { type UsageWishes, usageOf } from "./usage.ts";

export interface ChatJob {
  readonly body: ChatBody;
  readonly id: string;
  readonly model: string;
  readonly role: string;
  readonly group: RequestGroup;
  /** Unix time in seconds. */
  readonly created: number;
  readonly tokenizer: Tokenizer;
  readonly usage: UsageWishes;
}

export class ChatAnswer {
  readonly #job: ChatJob;

  constructor(job: ChatJob) {
    this.#job = job;
  }

  async whole(): Promise<object> {
    const { body, group, role, tokenizer } = this.#job;
    const outputs = await group.finish();
    const choices = outputs.map((output, index) => ({
      index,
      message: { role, content: output.text, refusal: null },
      logprobs: this.#logprobs(output, 0),
      finish_reason: output.finishReason ?? null,
      stop_reason: output.stopReason ?? null,
      ...(body.return_token_ids === true ? { token_ids: output.tokenIds } : {}),
    }));
    return {
      ...this.#base("chat.completion"),
      choices,
      usage: usageOf(outputs, outputs.length),
      ...(typeof body.prompt_logprobs === "number"
        ? {
            prompt_logprobs: (outputs[0]?.promptLogprobs ?? []).map((entry) =>
              formatPromptLogprob(entry, tokenizer),
            ),
          }
        : {}),
      ...(body.return_token_ids === true ? { prompt_token_ids: outputs[0]?.promptTokenIds } : {}),
    };
  }

  /** Ends the response in every case; an error after the first byte is an event of its own. */
  async stream(writer: ResponseWriter, onFailure: (error: unknown) => void): Promise<void> {
    const { group, role, usage: wishes } = this.#job;
    const base = this.#base("chat.completion.chunk");
    const finals: RequestOutput[] = [];
    const send = (event: unknown) => writer.write(`data: ${JSON.stringify(event)}\n\n`);
    const chunk = (choice: { readonly index: number }) => {
      const output = finals[choice.index];
      const now = wishes.always && output !== undefined ? usageOf([output], 1) : null;
      return send({ ...base, choices: [choice], ...(wishes.atEnd ? { usage: now } : {}) });
    };
    try {
      await Promise.all(
        group.streams.map(async (source, index) => {
          const delta = { role, content: "" };
          await chunk({ index, ...choiceOf(delta) });
          for await (const piece of this.#pieces(source, index, finals)) await chunk(piece);
        }),
      );
      if (wishes.atEnd) await send({ ...base, choices: [], usage: usageOf(finals, finals.length) });
    } catch (error) {
      group.abort();
      onFailure(error);
      await send(errorBody(error).body);
    }
    writer.end("data: [DONE]\n\n");
  }

  /** Text never shares a chunk with the reason of the end. */
  async *#pieces(source: AsyncIterable<RequestOutput>, index: number, finals: RequestOutput[]) {
    let sent = 0;
    for await (const output of source) {
      finals[index] = output;
      const ids = output.deltaTokenIds;
      if (ids.length > 0 || output.deltaText !== "") {
        const logprobs = this.#logprobs(output, sent);
        sent += ids.length;
        const tokens = this.#job.body.return_token_ids === true ? { token_ids: ids } : {};
        yield { index, ...choiceOf({ content: output.deltaText }, logprobs), ...tokens };
      }
      if (output.finishReason !== undefined) {
        const stop_reason = output.stopReason ?? null;
        yield { index, ...choiceOf({}), finish_reason: output.finishReason, stop_reason };
      }
    }
  }

  #base(object: string) {
    const { id, created, model } = this.#job;
    return { id, object, created, model };
  }

  #logprobs(output: RequestOutput, from: number) {
    const { body, tokenizer } = this.#job;
    if (body.logprobs !== true) return null;
    const width = body.top_logprobs ?? 0;
    const content = output.logprobs.slice(from).map((entry) => tokenOf(entry, width, tokenizer));
    return { content, refusal: null };
  }
}

function choiceOf(delta: object, logprobs: object | null = null) {
  return { delta, logprobs, finish_reason: null as string | null };
}

/** @source OpenAI API reference, chat completions: `logprobs.content` */
function tokenOf(entry: TokenLogprobs, width: number, tokenizer: Tokenizer) {
  const named = (id: number, logprob: number) => ({
    token: tokenizer.tokenText(id),
    logprob: finite(logprob) ?? 0,
    bytes: [...(tokenizer.tokenBytes(id) ?? [])],
  });
  return {
    ...named(entry.tokenId, entry.logprob),
    top_logprobs: firstOf(entry.top, width).map(({ tokenId, logprob }) => named(tokenId, logprob)),
  };
}
