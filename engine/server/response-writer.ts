/** [engine/server] Writes a response piece by piece at the pace of its client, and tells when the client has gone. */
import type { ServerResponse } from "node:http";

export class ResponseWriter {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout | undefined;
  #drained: Promise<void> | undefined;
  #isSilent = false;

  /**
   * @param contentType media type, without the charset
   * @param keepAliveMs time without a word after which a comment of server-sent events is sent; 0 for never
   */
  constructor(response: ServerResponse, contentType: string, keepAliveMs = 0) {
    this.#response = response;
    if (keepAliveMs > 0) {
      this.#keepAlive = setInterval(() => this.#ping(), keepAliveMs);
      response.once("close", () => clearInterval(this.#keepAlive));
    }
    response.writeHead(200, {
      "content-type": `${contentType}; charset=utf-8`,
      "cache-control": "no-cache",
      connection: "keep-alive",
    });
  }

  /** Resolves once the socket takes more, so that a slow client slows its own stream alone. What a gone client would get is dropped. */
  async write(text: string): Promise<void> {
    const response = this.#response;
    this.#isSilent = false;
    if (response.destroyed || response.writableEnded) return;
    if (!response.write(text)) this.#drained ??= this.#nextDrain();
    await this.#drained;
  }

  end(text = ""): void {
    clearInterval(this.#keepAlive);
    if (!this.#response.destroyed && !this.#response.writableEnded) this.#response.end(text);
  }

  /** Between events only: every write is a whole one. */
  #ping(): void {
    const response = this.#response;
    const isIdle = this.#isSilent && this.#drained === undefined;
    if (isIdle && !response.destroyed && !response.writableEnded) response.write(": ping\n\n");
    this.#isSilent = true;
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
