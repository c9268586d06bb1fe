/** [engine/server] POST /v1/completions: one answer or a stream, several prompts and choices, echo with log-probabilities. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../../dsl/index.ts";
import type { SamplingParams } from "../../core.ts";
import type { Engine, Prompt } from "../../engine.ts";
import { lastOutput } from "../../llm.ts";
import type { RequestOutput } from "../../output.ts";
import { type CompletionBody, completionSchema, parseBody, samplingFrom } from "../schema.ts";
import { abortOnClose, EventStream } from "../sse.ts";
import { type FormatOptions, formatLogprobs, usageOf } from "./completion-format.ts";

/** @source OpenAI API reference: `max_tokens` defaults to 16 */
const DEFAULT_MAX_TOKENS = 16;

interface Job {
  readonly body: CompletionBody;
  readonly prompts: readonly Prompt[];
  readonly streams: readonly AsyncIterable<RequestOutput>[];
  readonly requestIds: readonly string[];
  readonly id: string;
  readonly created: number;
  readonly format: FormatOptions;
  readonly hidesOutput: boolean;
}

export function addCompletions(app: FastifyInstance, engine: Engine): void {
  app.post("/v1/completions", async (request, reply) => {
    const body = parseBody(completionSchema, request.body);
    const job = startJob(engine, body);
    const stop = abortOnClose(reply.raw, engine, job.requestIds);
    try {
      if (body.stream !== true) return await answer(engine, job);
      reply.hijack();
      await stream(engine, job, new EventStream(reply.raw));
      return reply;
    } finally {
      stop();
    }
  });
}

function startJob(engine: Engine, body: CompletionBody): Job {
  const { info, tokenizer } = engine;
  if (typeof body.model === "string" && body.model !== info.name) {
    throw new RequestError(
      {
        code: "TW4302",
        message: `the model '${body.model}' does not exist`,
        seen: body.model,
        expected: info.name,
        remedy: "use the name that GET /v1/models gives",
      },
      404,
      "model",
    );
  }
  refuse(
    typeof body.suffix === "string" && body.suffix !== "",
    "suffix",
    "text completion after a suffix is not supported",
    "leave out 'suffix'",
  );
  refuse(
    body.stream_options !== null && body.stream_options !== undefined && body.stream !== true,
    "stream_options",
    "'stream_options' needs 'stream': true",
    "set 'stream'",
  );
  refuse(
    body.max_tokens === 0 && body.echo !== true,
    "max_tokens",
    "'max_tokens' 0 is only possible with 'echo'",
    "ask for at least one token",
  );
  refuse(
    body.stream === true && typeof body.prompt_logprobs === "number",
    "prompt_logprobs",
    "'prompt_logprobs' is not possible with 'stream'",
    "set 'stream' to false",
  );
  const n = body.n ?? 1;
  refuse(
    n > 1 && (body.temperature ?? 1) < 1e-5,
    "n",
    "'n' must be 1 for greedy sampling",
    "raise 'temperature' or set 'n' to 1",
  );
  const prompts = promptsOf(body.prompt);
  const params = paramsOf(body);
  // All prompts are encoded and checked before the first one starts, so that a bad one leaves nothing running.
  const encoded = prompts.map((prompt) =>
    typeof prompt === "string" ? tokenizer.encode(prompt) : prompt,
  );
  const id = `cmpl-${randomUUID()}`;
  const requestIds: string[] = [];
  const streams: AsyncIterable<RequestOutput>[] = [];
  try {
    encoded.forEach((prompt, p) => {
      for (let i = 0; i < n; i++) {
        const requestId = `${id}-${p * n + i}`;
        streams.push(
          engine.generate(
            prompt,
            { ...params, ...(params.seed === undefined ? {} : { seed: params.seed + i }) },
            requestId,
          ),
        );
        requestIds.push(requestId);
      }
    });
  } catch (error) {
    for (const requestId of requestIds) engine.abort(requestId);
    throw error;
  }
  const format = {
    tokenizer,
    width: body.logprobs ?? 0,
    asTokenIds: body.return_tokens_as_token_ids === true || !tokenizer.hasText,
  };
  return {
    body,
    prompts,
    streams,
    requestIds,
    id,
    created: Math.floor(Date.now() / 1000),
    format,
    hidesOutput: body.max_tokens === 0,
  };
}

function paramsOf(body: CompletionBody): Partial<SamplingParams> {
  const params = samplingFrom(
    { ...body, max_tokens: Math.max(1, body.max_tokens ?? DEFAULT_MAX_TOKENS) },
    DEFAULT_MAX_TOKENS,
  );
  const width = body.logprobs;
  if (width === null || width === undefined) return params;
  const forPrompt =
    body.echo === true ? { promptLogprobs: Math.max(width, params.promptLogprobs ?? 0) } : {};
  return { ...params, logprobs: width, ...forPrompt };
}

async function answer(engine: Engine, job: Job) {
  const outputs = await Promise.all(job.streams.map(lastOutput));
  return {
    id: job.id,
    object: "text_completion",
    created: job.created,
    model: engine.info.name,
    choices: outputs.map((output, index) => choiceOf(job, output, index)),
    usage: usageOf(outputs, job.prompts.length),
  };
}

function choiceOf(job: Job, output: RequestOutput, index: number) {
  const { body, format } = job;
  const echo = body.echo === true;
  const promptText = echo ? echoText(job, output, index) : "";
  const ids = [...(echo ? output.promptTokenIds : []), ...(job.hidesOutput ? [] : output.tokenIds)];
  const entries = [
    ...(echo ? output.promptLogprobs : []),
    ...(job.hidesOutput ? [] : output.logprobs),
  ];
  const hasLogprobs = body.logprobs !== null && body.logprobs !== undefined;
  return {
    index,
    text: promptText + (job.hidesOutput ? "" : output.text),
    logprobs: hasLogprobs ? formatLogprobs(ids, entries, 0, format) : null,
    finish_reason: job.hidesOutput ? "length" : (output.finishReason ?? null),
    stop_reason: output.stopReason ?? null,
    ...(typeof body.prompt_logprobs === "number"
      ? { prompt_logprobs: output.promptLogprobs.map((entry) => promptEntry(entry, format)) }
      : {}),
    ...(body.return_token_ids === true
      ? {
          prompt_token_ids: output.promptTokenIds,
          token_ids: job.hidesOutput ? [] : output.tokenIds,
        }
      : {}),
  };
}

/** vLLM's shape of one prompt position: token id → log-probability, rank and text. */
function promptEntry(entry: RequestOutput["promptLogprobs"][number], { tokenizer }: FormatOptions) {
  if (entry === null) return null;
  const named = entry.top.map(
    ({ tokenId, logprob }, i) =>
      [tokenId, { logprob, rank: i + 1, decoded_token: tokenizer.tokenText(tokenId) }] as const,
  );
  return Object.fromEntries([
    ...named,
    [
      entry.tokenId,
      {
        logprob: entry.logprob,
        rank: entry.rank,
        decoded_token: tokenizer.tokenText(entry.tokenId),
      },
    ],
  ]);
}

async function stream(engine: Engine, job: Job, events: EventStream): Promise<void> {
  const { body, format } = job;
  const base = {
    id: job.id,
    object: "text_completion",
    created: job.created,
    model: engine.info.name,
  };
  const includeUsage = body.stream_options?.include_usage === true;
  const finals: RequestOutput[] = [];
  const hasLogprobs = body.logprobs !== null && body.logprobs !== undefined;
  const pump = async (source: AsyncIterable<RequestOutput>, index: number): Promise<void> => {
    let sent = 0;
    let offset = 0;
    let first = true;
    for await (const output of source) {
      const echo = first && body.echo === true;
      first = false;
      const promptText = echo ? echoText(job, output, index) : "";
      const text = promptText + (job.hidesOutput ? "" : output.deltaText);
      const ids = [
        ...(echo ? output.promptTokenIds : []),
        ...(job.hidesOutput ? [] : output.deltaTokenIds),
      ];
      const entries = [...(echo ? output.promptLogprobs : []), ...output.logprobs.slice(sent)];
      sent = output.tokenIds.length;
      const logprobs = hasLogprobs ? formatLogprobs(ids, entries, offset, format) : null;
      offset += text.length;
      finals[index] = output;
      const finish =
        output.finishReason === undefined ? null : job.hidesOutput ? "length" : output.finishReason;
      if (ids.length === 0 && text === "" && finish === null) continue;
      const ids_ = body.return_token_ids === true ? { token_ids: ids } : {};
      const choice = {
        index,
        text,
        logprobs,
        finish_reason: finish,
        stop_reason: output.stopReason ?? null,
        ...ids_,
      };
      await events.send({ ...base, choices: [choice], ...(includeUsage ? { usage: null } : {}) });
    }
  };
  try {
    await Promise.all(job.streams.map(pump));
    if (includeUsage)
      await events.send({ ...base, choices: [], usage: usageOf(finals, job.prompts.length) });
  } catch (error) {
    await events.fail(error);
  }
  events.done();
}

function echoText(job: Job, output: RequestOutput, index: number): string {
  const prompt = job.prompts[Math.floor((index * job.prompts.length) / job.streams.length)];
  return typeof prompt === "string" ? prompt : job.format.tokenizer.decode(output.promptTokenIds);
}

/** A list of numbers is one prompt; a list of anything else is several. */
function promptsOf(prompt: CompletionBody["prompt"]): readonly Prompt[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number"
    ? [prompt as readonly number[]]
    : (prompt as readonly Prompt[]);
}

function refuse(when: boolean, param: string, message: string, remedy: string): void {
  if (when) throw new RequestError({ code: "TW4303", message, remedy }, 400, param);
}
