/** [engine/server] Writes a response piece by piece at the pace of its client, and tells when the client has gone. */
import type { ServerResponse } from "node:http";

export class ResponseWriter {
  readonly #response: ServerResponse;
  #drained: Promise<void> | undefined;

  /** @param contentType media type, without the charset */
  constructor(response: ServerResponse, contentType: string) {
    this.#response = response;
    response.writeHead(200, {
      "content-type": `${contentType}; charset=utf-8`,
      "cache-control": "no-cache",
      connection: "keep-alive",
    });
  }

  /** Resolves once the socket takes more, so that a slow client slows its own stream alone. What a gone client would get is dropped. */
  async write(text: string): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (!response.write(text)) this.#drained ??= this.#nextDrain();
    await this.#drained;
  }

  end(text = ""): void {
    if (!this.#response.destroyed && !this.#response.writableEnded) this.#response.end(text);
  }

  /** Shared by all that wait. */
  #nextDrain(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#response.off("drain", go);
        this.#response.off("close", go);
        this.#drained = undefined;
        resolve();
      };
      this.#response.once("drain", go);
      this.#response.once("close", go);
    });
  }
}

/** Calls `onGone` when the connection closes before the answer is complete. Returns the way to stop watching. */
export function watchClient(response: ServerResponse, onGone: () => void): () => void {
  const onClose = () => {
    if (!response.writableFinished) onGone();
  };
  if (response.closed) onClose();
  response.once("close", onClose);
  return () => response.off("close", onClose);
}
