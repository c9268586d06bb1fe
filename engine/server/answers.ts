/** [engine/server] Errors as answers, one log line an answer: what every app of the server says alike. No routes. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionError, FastifyInstance, FastifyReply } from "fastify";
import { type ErrorAnswer, errorBody, unreadable } from "./error-body.ts";
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
    const { method, id: reqId } = request;
    const path = request.url.split("?", 1)[0];
    const status = reply.raw.statusCode;
    request.log.info({ reqId, method, path, status, ms }, "answered");
    const handler = request.routeOptions.url ?? "none";
    onAnswer({ method, handler, status, seconds: reply.elapsedTime / 1000 }, request.raw);
  });
}

/** What Node's parser cannot read never becomes a request: the answer is written to the socket itself. */
export function answerBrokenClient(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? 431
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? 408
        : 400;
  if (socket.writable) {
    const body = JSON.stringify(errorBody(unreadable(error.message, status)).body);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
