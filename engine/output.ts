/** [engine] What a caller sees of a request while it runs: text and tokens so far, as a stream of growing outputs. */
import { RequestError } from "../dsl/index.ts";
import type { BeamSequence, FinishReason, SamplingParams, TokenLogprobs } from "./core.ts";
import type { RequestUpdate } from "./core-link.ts";
import { unitVector } from "./pooling.ts";
import type { RequestClock } from "./request-clock.ts";
import { TextStream } from "./text-stream.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";

/**
 * One report of a request. Deltas cover what is new since the report before; the others are cumulative. Tokens, their text and their
 * log-probabilities are given out together: see text-stream.ts.
 */
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
  /** The prompt's embedding of length 1, `[H]`, where `pooling` asks for it. */
  readonly embedding: Float32Array | undefined;
  /** What a beam search found, best first; its only output has them, and the text and tokens of the best. */
  readonly beams?: readonly BeamOutput[];
  readonly finishReason: FinishReason | undefined;
  readonly stopReason: number | string | undefined;
}

export interface BeamOutput extends BeamSequence {
  readonly text: string;
}

/** What is streamed, besides how. */
export interface StreamedRequest {
  readonly id: string;
  readonly promptIds: readonly number[];
  readonly params: SamplingParams;
  readonly clock?: RequestClock | undefined;
}

/** Turns a request's tokens into outputs and hands them to one reader; a slow reader gets several steps in one output. */
export class RequestStream implements AsyncIterable<RequestOutput> {
  readonly #request: StreamedRequest;
  readonly #tokenizer: Tokenizer;
  readonly #words: TextStream;
  readonly #onLeave: () => void;
  readonly #tokenIds: number[] = [];
  readonly #logprobs: TokenLogprobs[] = [];
  #promptLogprobs: readonly (TokenLogprobs | null)[] = [];
  #numCachedTokens = 0;
  #embedding: Float32Array | undefined;
  #beams: readonly BeamOutput[] | undefined;
  #given = { tokens: 0, text: 0 };
  #finishReason: FinishReason | undefined;
  #stopReason: number | string | undefined;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** @param onLeave called when the reader stops early */
  constructor(request: StreamedRequest, tokenizer: Tokenizer, onLeave: () => void) {
    this.#request = request;
    this.#tokenizer = tokenizer;
    const { promptIds, params } = request;
    const detokenizer = tokenizer.detokenizer(promptIds, params.skipSpecialTokens);
    this.#words = new TextStream(detokenizer, params);
    this.#onLeave = onLeave;
  }

  /** True once the last output is known. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined || this.#failure !== undefined;
  }

  /** Takes in what a step brought. Tokens after a stop string, or after the end, are dropped. */
  take(update: RequestUpdate): void {
    if (this.isFinished) return;
    const failure = update.finishReason === "error" ? noTokenLeft(update.failure) : update.failure;
    if (failure !== undefined) {
      this.fail(failure);
      return;
    }
    this.#promptLogprobs = update.promptLogprobs ?? this.#promptLogprobs;
    this.#numCachedTokens = update.numCachedTokens ?? this.#numCachedTokens;
    if (update.tokens.length > 0) this.#request.clock?.noteTokens(update.timing);
    this.#beams = update.beams?.map((beam) => ({ ...beam, text: this.#textOf(beam) }));
    if (update.pooled !== undefined) this.#embedding = unitVector(update.pooled);
    update.tokens.forEach((id, i) => {
      if (this.#words.found !== undefined) return;
      this.#tokenIds.push(id);
      const logprobs = update.logprobs[i];
      if (logprobs !== undefined) this.#logprobs.push(logprobs);
      const isLast = i === update.tokens.length - 1;
      this.#words.push(id, isLast && update.finishReason === "stop");
    });
    if (this.#words.found !== undefined) this.finish("stop", this.#words.found);
    else if (update.finishReason !== undefined) this.finish(update.finishReason, update.stopReason);
    else this.#wakeReader();
  }

  /** The request is over: no more tokens come. */
  finish(reason: FinishReason, stopReason?: number | string): void {
    if (this.isFinished) return;
    this.#words.finish();
    this.#finishReason = reason;
    this.#stopReason = this.#words.found ?? stopReason;
    this.#request.clock?.noteEnd();
    this.#wakeReader();
  }

  fail(error: Error): void {
    if (this.isFinished) return;
    this.#failure = error;
    this.#request.clock?.noteEnd();
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RequestOutput> {
    try {
      for (;;) {
        while (!this.isFinished && this.#given.tokens === this.#words.numTokens) {
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

  #textOf({ tokenIds, finishReason }: BeamSequence): string {
    const { promptIds, params } = this.#request;
    const words = new TextStream(
      this.#tokenizer.detokenizer(promptIds, params.skipSpecialTokens),
      params,
    );
    tokenIds.forEach((id, i) => {
      words.push(id, i === tokenIds.length - 1 && finishReason === "stop");
    });
    words.finish();
    return words.text;
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
    const { numTokens: length, text: whole } = this.#words;
    this.#given = { tokens: length, text: whole.length };
    return {
      requestId: id,
      promptTokenIds: promptIds,
      get tokenIds() {
        return tokenIds.slice(0, length);
      },
      text: whole,
      deltaTokenIds: tokenIds.slice(tokens, length),
      deltaText: whole.slice(text),
      get logprobs() {
        return logprobs.slice(0, length);
      },
      promptLogprobs: this.#promptLogprobs,
      numCachedTokens: this.#numCachedTokens,
      embedding: this.#embedding,
      ...(this.#beams === undefined ? {} : { beams: this.#beams }),
      finishReason: this.#finishReason,
      stopReason: this.#stopReason,
    };
  }
}

/** The other requests of the step go on. @param rule what the caller's rule threw */
function noTokenLeft(rule?: Error): RequestError {
  return new RequestError(
    {
      code: "TW4116",
      message: "no token may come next",
      seen:
        rule === undefined
          ? "logits without a number, or parameters that exclude every token"
          : `allowedTokens failed: ${rule.message}`,
      expected: "at least one token with a finite logit",
      remedy: "widen allowed_token_ids, bad_words or the rule; without them check the checkpoint",
    },
    500,
  );
}
