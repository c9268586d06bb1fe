/** [engine/server] POST /v1/completions: one answer or a stream, several prompts and choices, echo with log-probabilities. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../../dsl/index.ts";
import type { SamplingParams } from "../../core.ts";
import type { Engine, Prompt } from "../../engine.ts";
import { checkRoom } from "../../prompt-text.ts";
import { RequestGroup } from "../../request-group.ts";
import { ResponseWriter, watchClient } from "../response-writer.ts";
import {
  type CompletionBody,
  checkChoices,
  completionSchema,
  parseBody,
  refused,
  samplingFrom,
} from "../schema.ts";
import { CompletionAnswer, type CompletionJob } from "./completion-answer.ts";

/** @source OpenAI API reference: `max_tokens` defaults to 16 */
const DEFAULT_MAX_TOKENS = 16;

export function addCompletions(app: FastifyInstance, engine: Engine): void {
  app.post("/v1/completions", async (request, reply) => {
    const body = parseBody(completionSchema, request.body);
    const job = startJob(engine, body);
    const answer = new CompletionAnswer(engine, job);
    const stop = watchClient(reply.raw, () => job.group.abort());
    try {
      if (body.stream !== true) return await answer.whole();
      reply.hijack();
      await answer.stream(new ResponseWriter(reply.raw, "text/event-stream"));
      return reply;
    } finally {
      stop();
      job.group.abort();
    }
  });
}

function startJob(engine: Engine, body: CompletionBody): CompletionJob {
  const { tokenizer } = engine;
  checkFields(engine, body);
  const prompts = promptsOf(body.prompt);
  // All prompts are encoded and checked before the first one starts, so that a bad one leaves nothing running.
  const encoded = prompts.map((prompt) =>
    typeof prompt === "string" ? engine.encode(prompt, body.add_special_tokens ?? true) : prompt,
  );
  for (const prompt of encoded as readonly (readonly number[])[])
    checkRoom(prompt.length, body.max_tokens ?? 0, engine.info.maxModelLen);
  const n = body.n ?? 1;
  const id = `cmpl-${randomUUID()}`;
  return {
    body,
    id,
    n,
    prompts,
    group: new RequestGroup(engine, encoded, paramsOf(engine, body), n, id),
    created: Math.floor(Date.now() / 1000),
    format: {
      tokenizer,
      width: body.logprobs ?? 0,
      asTokenIds: body.return_tokens_as_token_ids === true || !tokenizer.hasText,
    },
    hidesOutput: body.max_tokens === 0,
  };
}

function checkFields(engine: Engine, body: CompletionBody): void {
  const { name } = engine.info;
  if (typeof body.model === "string" && body.model !== name) {
    throw new RequestError(
      {
        code: "TW4302",
        message: `the model '${body.model}' does not exist`,
        seen: body.model,
        expected: name,
        remedy: "use the name that GET /v1/models gives",
      },
      404,
      "model",
    );
  }
  const streams = body.stream === true;
  const refuse = (when: boolean, param: string, message: string, remedy: string) => {
    if (when) throw refused(param, message, remedy);
  };
  refuse(
    body.stream_options !== null && body.stream_options !== undefined && !streams,
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
    streams && typeof body.prompt_logprobs === "number",
    "prompt_logprobs",
    "'prompt_logprobs' is not possible with 'stream'",
    "set 'stream' to false",
  );
  checkChoices(body.n, body.temperature ?? engine.generation.temperature);
}

/** What the request leaves out is taken from generation_config.json, then from vLLM's defaults. */
function paramsOf(engine: Engine, body: CompletionBody): Partial<SamplingParams> {
  const { temperature, top_p: topP, top_k: topK } = engine.generation;
  const given = {
    ...body,
    max_tokens: Math.max(1, body.max_tokens ?? DEFAULT_MAX_TOKENS),
    temperature: body.temperature ?? temperature,
    top_p: body.top_p ?? topP,
    top_k: body.top_k ?? topK,
  };
  const params = samplingFrom(given, DEFAULT_MAX_TOKENS);
  if (body.echo !== true || params.logprobs === undefined) return params;
  return { ...params, promptLogprobs: Math.max(params.logprobs, params.promptLogprobs ?? 0) };
}

/** A list of numbers is one prompt; a list of anything else is several. */
function promptsOf(prompt: CompletionBody["prompt"]): readonly Prompt[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number"
    ? [prompt as readonly number[]]
    : (prompt as readonly Prompt[]);
}
