/** [engine/server] Server-sent events with back pressure, and the abort of work whose client has gone. */
import type { ServerResponse } from "node:http";
import type { Engine } from "../engine.ts";
import { errorBody } from "./error-body.ts";

export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      connection: "keep-alive",
    });
  }

  /** Resolves once the socket takes more: a slow client slows only its own stream. */
  async send(event: unknown): Promise<void> {
    if (this.#response.destroyed || this.#response.write(`data: ${JSON.stringify(event)}\n\n`))
      return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#response.off("drain", go);
        this.#response.off("close", go);
        resolve();
      };
      this.#response.once("drain", go);
      this.#response.once("close", go);
    });
  }

  /** An error after the headers are out. */
  async fail(error: unknown): Promise<void> {
    await this.send(errorBody(error).body);
  }

  done(): void {
    if (this.#response.destroyed) return;
    this.#response.end("data: [DONE]\n\n");
  }
}

/** Aborts the requests when the client closes the connection before the answer is complete. Returns the way to stop watching. */
export function abortOnClose(
  response: ServerResponse,
  engine: Engine,
  requestIds: readonly string[],
): () => void {
  const onClose = () => {
    if (response.writableFinished) return;
    for (const id of requestIds) engine.abort(id);
  };
  response.once("close", onClose);
  return () => response.off("close", onClose);
}
