/** [engine/server] Connections whose bytes are no HTTP: told so after the answers that are on their way there, never in the middle of one. No routes. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";
import { errorBody, unreadable } from "./error-body.ts";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class BrokenClients {
  /** Requests of each connection that have no whole answer yet, in their order: clients may send the next one before that. */
  readonly #open = new WeakMap<Socket, Set<Exchange>>();
  /** Node tells of every further piece of what it cannot read. */
  readonly #told = new WeakSet<Socket>();

  /** Every request comes here first. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open);
    const exchange = { request, response };
    open.add(exchange);
    response.once("close", () => open.delete(exchange));
  }

  /** What Node's parser cannot read never becomes a request, so the answer is written to the socket itself. */
  readonly answer = (error: ConnectionError, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed || this.#told.has(socket)) return;
    this.#told.add(socket);
    const open = [...(this.#open.get(socket) ?? [])];
    const broken = open.find(({ request }) => !request.complete);
    const before = open.filter((exchange) => exchange !== broken);
    void Promise.all(before.map(({ response }) => closed(response))).then(() => {
      // One that was answered before its body was read needs no second answer.
      if (broken?.response.headersSent !== true) say(socket, error);
      socket.destroySoon();
    });
  };
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once("close", resolve);
  });
}

function statusOf({ code }: ConnectionError): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

function say(socket: Socket, error: ConnectionError): void {
  if (!socket.writable) return;
  const status = statusOf(error);
  const body = JSON.stringify(errorBody(unreadable(error.message, status)).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
}
