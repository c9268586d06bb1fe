/** [engine/server] The answer to a completions request, whole or as server-sent events. What is asked for is settled before. */
import type { Engine, Prompt } from "../../engine.ts";
import type { RequestOutput } from "../../output.ts";
import type { RequestGroup } from "../../request-group.ts";
import { errorBody } from "../error-body.ts";
import type { ResponseWriter } from "../response-writer.ts";
import type { CompletionBody } from "../schema.ts";
import { type FormatOptions, formatLogprobs, formatPromptLogprob } from "./completion-format.ts";
import { TextOffsets } from "./text-offsets.ts";
import { type UsageWishes, usageOf } from "./usage.ts";

export interface CompletionJob {
  readonly body: CompletionBody;
  readonly id: string;
  /** Choices of each prompt. */
  readonly n: number;
  readonly prompts: readonly Prompt[];
  readonly group: RequestGroup;
  /** Unix time in seconds. */
  readonly created: number;
  readonly format: FormatOptions;
  /** True for `max_tokens: 0`: one token is computed and not shown. */
  readonly hidesOutput: boolean;
  readonly usage: UsageWishes;
}

export class CompletionAnswer {
  readonly #job: CompletionJob;
  readonly #base: Readonly<Record<string, unknown>>;

  constructor(engine: Engine, job: CompletionJob) {
    this.#job = job;
    this.#base = {
      id: job.id,
      object: "text_completion",
      created: job.created,
      model: engine.info.name,
    };
  }

  async whole(): Promise<object> {
    const { body, group, n, format, hidesOutput } = this.#job;
    const outputs = await group.finish();
    const choices = outputs.map((output, index) => ({
      ...this.#choice(output, index, this.#offsets(), 0),
      ...(typeof body.prompt_logprobs === "number"
        ? {
            prompt_logprobs: output.promptLogprobs.map((entry) =>
              formatPromptLogprob(entry, format.tokenizer),
            ),
          }
        : {}),
    }));
    return { ...this.#base, choices, usage: usageOf(outputs, n, hidesOutput) };
  }

  /** Ends the response in every case; an error after the first byte is an event of its own. */
  async stream(writer: ResponseWriter, onFailure: (error: unknown) => void): Promise<void> {
    const { group, n, hidesOutput, usage: wishes } = this.#job;
    const send = (event: unknown) => writer.write(`data: ${JSON.stringify(event)}\n\n`);
    const finals: RequestOutput[] = [];
    const usageNow = (index: number) => {
      const output = finals[index];
      return wishes.always && output !== undefined ? usageOf([output], 1, hidesOutput) : null;
    };
    try {
      await Promise.all(
        group.streams.map(async (source, index) => {
          for await (const choice of this.#pieces(source, index, finals))
            await send({
              ...this.#base,
              choices: [choice],
              ...(wishes.atEnd ? { usage: usageNow(index) } : {}),
            });
        }),
      );
      const usage = usageOf(finals, n, hidesOutput);
      if (wishes.atEnd) await send({ ...this.#base, choices: [], usage });
    } catch (error) {
      group.abort();
      onFailure(error);
      await send(errorBody(error).body);
    }
    writer.end("data: [DONE]\n\n");
  }

  /** Pieces of one choice that have something to say. */
  async *#pieces(
    source: AsyncIterable<RequestOutput>,
    index: number,
    finals: RequestOutput[],
  ): AsyncGenerator<object> {
    const offsets = this.#offsets();
    let sent: number | undefined;
    for await (const output of source) {
      const { deltaText, deltaTokenIds, finishReason } = output;
      const isSilent = deltaTokenIds.length === 0 && deltaText === "" && finishReason === undefined;
      finals[index] = output;
      if (isSilent || (this.#job.hidesOutput && finishReason === undefined)) continue;
      yield this.#choice(output, index, offsets, sent ?? 0, sent !== undefined);
      sent = (sent ?? 0) + deltaTokenIds.length;
    }
  }

  /**
   * @param from tokens that earlier pieces have given
   * @param isLater true for every piece but the first of its choice
   */
  #choice(
    output: RequestOutput,
    index: number,
    offsets: TextOffsets,
    from: number,
    isLater = false,
  ) {
    const { body, hidesOutput } = this.#job;
    const echoes = body.echo === true && !isLater;
    const isPiece = body.stream === true;
    const ownText = isPiece ? output.deltaText : output.text;
    const newIds = isPiece ? output.deltaTokenIds : output.tokenIds;
    const ownIds = hidesOutput ? [] : newIds;
    const prompt = echoes ? this.#promptText(output, index) : "";
    const text = hidesOutput ? "" : ownText;
    const hasLogprobs = body.logprobs !== null && body.logprobs !== undefined;
    const finish = output.finishReason ?? null;
    return {
      index,
      text: prompt + text,
      logprobs: hasLogprobs
        ? this.#logprobs(output, offsets, { ids: ownIds, text, from, prompt, echoes })
        : null,
      finish_reason: hidesOutput && finish !== null ? "length" : finish,
      stop_reason: hidesOutput ? null : (output.stopReason ?? null),
      ...(body.return_token_ids === true
        ? {
            ...(isLater ? {} : { prompt_token_ids: output.promptTokenIds }),
            token_ids: ownIds,
          }
        : {}),
    };
  }

  #offsets(): TextOffsets {
    const { body, format } = this.#job;
    return new TextOffsets(format.tokenizer, body.skip_special_tokens ?? true);
  }

  #logprobs(
    { promptTokenIds, promptLogprobs, logprobs }: RequestOutput,
    offsets: TextOffsets,
    piece: {
      readonly ids: readonly number[];
      readonly text: string;
      readonly from: number;
      readonly prompt: string;
      readonly echoes: boolean;
    },
  ) {
    const { ids, text, from, prompt, echoes } = piece;
    const before = echoes ? promptTokenIds : [];
    const at = echoes ? offsets.ofPrompt(promptTokenIds, prompt) : [];
    return formatLogprobs(
      this.#job.format,
      [...before, ...ids],
      [...(echoes ? promptLogprobs : []), ...logprobs.slice(from)],
      [...at, ...offsets.ofOutput(ids, promptTokenIds, text)],
    );
  }

  #promptText(output: RequestOutput, index: number): string {
    const prompt = this.#job.prompts[Math.floor(index / this.#job.n)];
    return typeof prompt === "string"
      ? prompt
      : this.#job.format.tokenizer.decode(output.promptTokenIds);
  }
}
