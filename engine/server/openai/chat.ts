/** [engine/server] POST /v1/chat/completions: checks, the prompt by the chat template, one answer or a stream. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { checkRoom } from "../../prompt-text.ts";
import { RequestGroup, type RequestSource } from "../../request-group.ts";
import { addAnswerRoute, eventStream } from "../answer-route.ts";
import { checkFilter, type ServerContext } from "../context.ts";
import { checkModel } from "../models.ts";
import { keptTokens } from "../prompt-ids.ts";
import {
  checkExtent,
  checkRanking,
  checkStream,
  parseBody,
  refused,
  requestOptions,
  samplingFrom,
  withSuggested,
} from "../schema.ts";
import { ChatAnswer, type ChatJob } from "./chat-answer.ts";
import { chatPrompt } from "./chat-prompt.ts";
import { type ChatBody, chatSchema } from "./chat-schema.ts";
import { usageWishes } from "./usage.ts";

export function addChat(app: FastifyInstance, context: ServerContext): void {
  addAnswerRoute(app, context, "/v1/chat/completions", chatSchema, async (given, source) => {
    const body = parseBody(chatSchema, given);
    const job = await startJob(context, body, source);
    const answer = new ChatAnswer(job);
    return {
      group: job.group,
      whole: () => answer.whole(),
      ...(body.stream === true ? { stream: eventStream(answer) } : {}),
    };
  });
}

async function startJob(
  context: ServerContext,
  body: ChatBody,
  source: RequestSource,
): Promise<ChatJob> {
  const { engine, desk, metrics, options } = context;
  checkFields(context, body);
  const queue = requestOptions(body, engine.info.schedulingPolicy);
  const n = body.n ?? 1;
  desk.checkOpen(body.best_of ?? n);
  const { maxModelLen, name: model } = engine.info;
  const asked = body.max_completion_tokens ?? body.max_tokens;
  const { ids, role } = await chatPrompt(context, body, {
    addSpecialTokens: body.add_special_tokens ?? false,
    keepsLast: keptTokens(engine, body, asked ?? 1),
  });
  checkRoom(ids.length, asked ?? 0, maxModelLen);
  const room = Math.max(1, maxModelLen - ids.length);
  const fields = withSuggested({ ...body, logprobs: null, max_tokens: asked }, engine.generation);
  const params = {
    ...samplingFrom(fields, room),
    ...(body.logprobs === true ? { logprobs: body.top_logprobs ?? 0 } : {}),
  };
  const id = `chatcmpl-${randomUUID()}`;
  const group = new RequestGroup(source, [ids], params, n, id, queue);
  metrics.params(n, params.maxTokens ?? room);
  const created = Math.floor(Date.now() / 1000);
  const { tokenizer } = engine;
  return { body, id, model, role, group, created, tokenizer, usage: usageWishes(body, options) };
}

function checkFields(context: ServerContext, body: ChatBody): void {
  checkModel(context.engine.info, body.model);
  checkExtent(context.limits, body);
  checkStream(body);
  checkRanking(body);
  if (typeof body.top_logprobs === "number" && body.top_logprobs !== 0 && body.logprobs !== true)
    throw refused("top_logprobs", "'top_logprobs' needs 'logprobs': true", "set 'logprobs'");
  if (body.echo === true)
    throw refused("echo", "'echo' is not supported for chats", "leave out 'echo'");
  checkFilter(context, {
    logprobs: body.logprobs === true,
    return_token_ids: body.return_token_ids === true,
  });
}
