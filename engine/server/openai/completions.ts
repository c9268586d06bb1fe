/** [engine/server] POST /v1/completions: one answer or a stream, several prompts and choices, echo with log-probabilities. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { SamplingParams } from "../../core.ts";
import type { Engine } from "../../engine.ts";
import { checkRoom } from "../../prompt-text.ts";
import { RequestGroup, type RequestSource } from "../../request-group.ts";
import { addAnswerRoute, eventStream } from "../answer-route.ts";
import { checkFilter, filterPrompt, type ServerContext } from "../context.ts";
import { checkModel } from "../models.ts";
import { promptIds } from "../prompt-ids.ts";
import {
  type CompletionBody,
  checkExtent,
  checkRanking,
  checkStream,
  completionSchema,
  parseBody,
  promptsOf,
  refused,
  requestOptions,
  samplingFrom,
  withSuggested,
} from "../schema.ts";
import { CompletionAnswer, type CompletionJob } from "./completion-answer.ts";
import { usageWishes } from "./usage.ts";

/** @source OpenAI API reference: `max_tokens` defaults to 16 */
const DEFAULT_MAX_TOKENS = 16;

export function addCompletions(app: FastifyInstance, context: ServerContext): void {
  addAnswerRoute(app, context, "/v1/completions", completionSchema, async (given, source) => {
    const body = parseBody(completionSchema, given);
    const job = await startJob(context, body, source);
    const answer = new CompletionAnswer(context.engine, job);
    return {
      group: job.group,
      whole: () => answer.whole(),
      ...(body.stream === true ? { stream: eventStream(answer) } : {}),
    };
  });
}

async function startJob(
  context: ServerContext,
  body: CompletionBody,
  source: RequestSource,
): Promise<CompletionJob> {
  const { engine, desk, limits, options } = context;
  const { tokenizer } = engine;
  checkFields(context, body);
  const queue = requestOptions(body, engine.info.schedulingPolicy);
  const given = promptsOf(body.prompt);
  checkExtent(limits, body, given.length);
  const n = body.n ?? 1;
  desk.checkOpen(given.length * (body.best_of ?? n));
  const prompts = await Promise.all(given.map((prompt) => filterPrompt(context, prompt)));
  // All prompts are encoded and checked before the first one starts, so that a bad one leaves nothing running.
  const isCut = typeof body.truncate_prompt_tokens === "number"; // an echo is of what is kept
  const room = body.max_tokens ?? DEFAULT_MAX_TOKENS;
  const encoded = prompts.map((prompt) => promptIds(engine, prompt, body, room));
  for (const prompt of encoded)
    checkRoom(prompt.length, body.max_tokens ?? 0, engine.info.maxModelLen);
  const id = `cmpl-${randomUUID()}`;
  const params = paramsOf(engine, body);
  const group = new RequestGroup(source, encoded, params, n, id, queue);
  context.metrics.params(n, params.maxTokens ?? DEFAULT_MAX_TOKENS);
  return {
    body,
    id,
    n,
    prompts: isCut ? encoded : prompts,
    group,
    created: Math.floor(Date.now() / 1000),
    format: {
      tokenizer,
      width: body.logprobs ?? 0,
      asTokenIds: body.return_tokens_as_token_ids === true || !tokenizer.hasText,
    },
    hidesOutput: body.max_tokens === 0,
    usage: usageWishes(body, options),
  };
}

function checkFields(context: ServerContext, body: CompletionBody): void {
  checkModel(context.engine.info, body.model);
  checkStream(body);
  checkRanking(body);
  if (body.max_tokens === 0 && body.echo !== true) {
    const message = "'max_tokens' 0 is only possible with 'echo'";
    throw refused("max_tokens", message, "ask for at least one token");
  }
  checkFilter(context, {
    logprobs: typeof body.logprobs === "number",
    return_token_ids: body.return_token_ids === true,
  });
}

function paramsOf(engine: Engine, body: CompletionBody): Partial<SamplingParams> {
  const maxTokens = Math.max(1, body.max_tokens ?? DEFAULT_MAX_TOKENS);
  const given = withSuggested({ ...body, max_tokens: maxTokens }, engine.generation);
  const params = samplingFrom(given, DEFAULT_MAX_TOKENS);
  if (body.echo !== true || params.logprobs === undefined) return params;
  const { logprobs, promptLogprobs = 0 } = params;
  const asksAll = logprobs === -1 || promptLogprobs === -1;
  return { ...params, promptLogprobs: asksAll ? -1 : Math.max(logprobs, promptLogprobs) };
}
