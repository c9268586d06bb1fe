/** [engine] What a caller sees of a request while it runs: text and tokens so far, as a stream of growing outputs. */
import type { FinishReason, Request, TokenLogprobs } from "./core.ts";
import { StopStrings } from "./stop-strings.ts";
import type { Detokenizer } from "./tokenizer/detokenizer.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";

/** One report of a request. Deltas cover what is new since the report before; the others are cumulative. */
export interface RequestOutput {
  readonly requestId: string;
  readonly promptTokenIds: readonly number[];
  readonly tokenIds: readonly number[];
  readonly text: string;
  readonly deltaTokenIds: readonly number[];
  readonly deltaText: string;
  /** One entry for each token, where the request asked for them. */
  readonly logprobs: readonly TokenLogprobs[];
  readonly promptLogprobs: readonly (TokenLogprobs | null)[];
  /** Prompt tokens that were not computed, as they were in the KV cache already. */
  readonly numCachedTokens: number;
  readonly finishReason: FinishReason | undefined;
  readonly stopReason: number | string | undefined;
}

/** Turns a request's tokens into outputs and hands them to one reader; a slow reader gets several steps in one output. */
export class RequestStream implements AsyncIterable<RequestOutput> {
  readonly request: Request;
  readonly #detokenizer: Detokenizer;
  readonly #stops: StopStrings;
  readonly #onLeave: () => void;
  #text = "";
  #read = 0;
  #given = { tokens: 0, text: 0 };
  #failure: unknown;
  #wake: (() => void) | undefined;
  #finished = false;

  /** @param onLeave called when the reader stops early */
  constructor(request: Request, tokenizer: Tokenizer, onLeave: () => void) {
    this.request = request;
    const { skipSpecialTokens } = request.params;
    this.#detokenizer = tokenizer.detokenizer(request.promptIds, skipSpecialTokens);
    this.#stops = new StopStrings(request.params.stop);
    this.#onLeave = onLeave;
  }

  /** Takes in the tokens that the request has gained. Returns the stop string that now ends it, if any. */
  advance(): string | undefined {
    const { outputIds } = this.request;
    while (this.#read < outputIds.length) {
      const id = outputIds[this.#read++] ?? -1;
      const endsByToken = this.request.finishReason === "stop" && this.#read === outputIds.length;
      if (endsByToken) continue; // the token that stops a request is not part of its text
      this.#text += this.#stops.push(this.#detokenizer.push(id));
    }
    return this.#stops.found;
  }

  /** The request is over: no more tokens come. */
  finish(): void {
    if (this.#finished) return;
    if (this.#stops.found === undefined)
      this.#text += this.#stops.push(this.#detokenizer.flush()) + this.#stops.flush();
    this.#finished = true;
    this.wake();
  }

  fail(error: unknown): void {
    this.#failure = error;
    this.#finished = true;
    this.wake();
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RequestOutput> {
    try {
      for (;;) {
        while (!this.#finished && this.#given.tokens === this.request.outputIds.length) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (this.#failure !== undefined) throw this.#failure;
        const last = this.#finished;
        yield this.#snapshot();
        if (last) return;
      }
    } finally {
      if (!this.#finished) this.#onLeave();
    }
  }

  #snapshot(): RequestOutput {
    const { request } = this;
    const { tokens, text } = this.#given;
    const tokenIds = [...request.outputIds];
    this.#given = { tokens: tokenIds.length, text: this.#text.length };
    return {
      requestId: request.id,
      promptTokenIds: request.promptIds,
      tokenIds,
      text: this.#text,
      deltaTokenIds: tokenIds.slice(tokens),
      deltaText: this.#text.slice(text),
      logprobs: [...request.outputLogprobs],
      promptLogprobs: [...request.promptLogprobs],
      numCachedTokens: request.numCachedTokens,
      finishReason: this.#finished ? request.finishReason : undefined,
      stopReason: this.#finished ? request.stopReason : undefined,
    };
  }
}
