/** [engine] What a caller sees of a request while it runs: text and tokens so far, as a stream of growing outputs. */
import { RequestError } from "../dsl/index.ts";
import type { FinishReason, SamplingParams, TokenLogprobs } from "./core.ts";
import type { RequestUpdate } from "./core-link.ts";
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

/** What is streamed, besides how. */
export interface StreamedRequest {
  readonly id: string;
  readonly promptIds: readonly number[];
  readonly params: SamplingParams;
}

/** Turns a request's tokens into outputs and hands them to one reader; a slow reader gets several steps in one output. */
export class RequestStream implements AsyncIterable<RequestOutput> {
  readonly #request: StreamedRequest;
  readonly #detokenizer: Detokenizer;
  readonly #stops: StopStrings;
  readonly #onLeave: () => void;
  readonly #tokenIds: number[] = [];
  readonly #logprobs: TokenLogprobs[] = [];
  #promptLogprobs: readonly (TokenLogprobs | null)[] = [];
  #numCachedTokens = 0;
  #text = "";
  #given = { tokens: 0, text: 0 };
  #finishReason: FinishReason | undefined;
  #stopReason: number | string | undefined;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** @param onLeave called when the reader stops early */
  constructor(request: StreamedRequest, tokenizer: Tokenizer, onLeave: () => void) {
    this.#request = request;
    const { promptIds, params } = request;
    this.#detokenizer = tokenizer.detokenizer(promptIds, params.skipSpecialTokens);
    this.#stops = new StopStrings(params.stop);
    this.#onLeave = onLeave;
  }

  /** True once the last output is known. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined || this.#failure !== undefined;
  }

  /** Takes in what a step brought. Tokens after a stop string, or after the end, are dropped. */
  take(update: RequestUpdate): void {
    if (this.isFinished) return;
    const failure = update.finishReason === "error" ? noTokenLeft() : update.failure;
    if (failure !== undefined) {
      this.fail(failure);
      return;
    }
    this.#promptLogprobs = update.promptLogprobs ?? this.#promptLogprobs;
    this.#numCachedTokens = update.numCachedTokens ?? this.#numCachedTokens;
    update.tokens.forEach((id, i) => {
      if (this.#stops.found !== undefined) return;
      this.#tokenIds.push(id);
      const logprobs = update.logprobs[i];
      if (logprobs !== undefined) this.#logprobs.push(logprobs);
      const endsByToken = update.finishReason === "stop" && i === update.tokens.length - 1;
      if (endsByToken) return; // the token that stops a request is not part of its text
      this.#text += this.#stops.push(this.#detokenizer.push(id));
    });
    if (this.#stops.found !== undefined) this.finish("stop", this.#stops.found);
    else if (update.finishReason !== undefined) this.finish(update.finishReason, update.stopReason);
    else this.#wakeReader();
  }

  /** The request is over: no more tokens come. */
  finish(reason: FinishReason, stopReason?: number | string): void {
    if (this.isFinished) return;
    if (this.#stops.found === undefined)
      this.#text += this.#stops.push(this.#detokenizer.flush()) + this.#stops.flush();
    this.#finishReason = reason;
    this.#stopReason = this.#stops.found ?? stopReason;
    this.#wakeReader();
  }

  fail(error: Error): void {
    if (this.isFinished) return;
    this.#failure = error;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RequestOutput> {
    try {
      for (;;) {
        while (!this.isFinished && this.#given.tokens === this.#tokenIds.length) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (this.#failure !== undefined) throw this.#failure;
        const isLast = this.isFinished;
        yield this.#snapshot();
        if (isLast) return;
      }
    } finally {
      if (!this.isFinished) this.#onLeave();
    }
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Lists that nobody reads are not copied: a reader of deltas pays for the deltas alone. */
  #snapshot(): RequestOutput {
    const { id, promptIds } = this.#request;
    const { tokens, text } = this.#given;
    const [tokenIds, logprobs] = [this.#tokenIds, this.#logprobs];
    const [length, numLogprobs] = [tokenIds.length, logprobs.length];
    this.#given = { tokens: length, text: this.#text.length };
    return {
      requestId: id,
      promptTokenIds: promptIds,
      get tokenIds() {
        return tokenIds.slice(0, length);
      },
      text: this.#text,
      deltaTokenIds: tokenIds.slice(tokens),
      deltaText: this.#text.slice(text),
      get logprobs() {
        return logprobs.slice(0, numLogprobs);
      },
      promptLogprobs: this.#promptLogprobs,
      numCachedTokens: this.#numCachedTokens,
      finishReason: this.#finishReason,
      stopReason: this.#stopReason,
    };
  }
}

/** The other requests of the step go on. */
function noTokenLeft(): RequestError {
  return new RequestError(
    {
      code: "TW4116",
      message: "no token may come next",
      seen: "logits without a number, or parameters that exclude every token",
      expected: "at least one token with a finite logit",
      remedy: "widen allowed_token_ids, bad_words or the rule; without them check the checkpoint",
    },
    500,
  );
}
