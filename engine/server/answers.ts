/** [engine/server] Errors as answers, one log line an answer: what every app of the server says alike. No routes. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type ErrorAnswer, errorBody } from "./error-body.ts";
import { logFailure } from "./log.ts";
import type { HttpAnswer } from "./metrics.ts";

/** Seconds after which a client may ask again, by status. */
const RETRY_SECONDS: Readonly<Record<number, number>> = { 429: 1, 503: 5 };

export function answer(reply: FastifyReply, error: unknown, maxBodyBytes?: number): ErrorAnswer {
  const said = errorBody(error, maxBodyBytes);
  const seconds = RETRY_SECONDS[said.status];
  if (seconds !== undefined) void reply.header("retry-after", seconds);
  void reply.status(said.status).send(said.body);
  return said;
}

/** Errors in the shape of the API, and a log line for each answer. */
export function addAnswers(
  app: FastifyInstance,
  maxBodyBytes: number,
  onAnswer: (answer: HttpAnswer, request: IncomingMessage) => void = () => {},
): void {
  app.setErrorHandler((error, request, reply) => {
    const { status } = answer(reply, error, maxBodyBytes);
    if (status >= 500) logFailure(request, error);
  });
  app.addHook("onResponse", async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { method } = request;
    const path = request.url.split("?", 1)[0];
    const status = reply.raw.statusCode;
    request.log.info({ method, path, status, ms }, "answered");
    const handler = request.routeOptions.url ?? "none";
    onAnswer({ method, handler, status, seconds: reply.elapsedTime / 1000 }, request.raw);
  });
}
