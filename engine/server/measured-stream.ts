/** [engine/server] A request's outputs on their way to a route, told to the metrics as they pass. No text, no HTTP. */
import { RequestError } from "../../dsl/index.ts";
import type { FinishReason } from "../core.ts";
import type { RequestOutput } from "../output.ts";
import type { RequestClock } from "../request-clock.ts";
import type { RequestEnd, ServerMetrics } from "./metrics.ts";

/** By hand and no generator: it runs once a token of every request. */
export class MeasuredStream implements AsyncIterableIterator<RequestOutput> {
  readonly #source: AsyncIterator<RequestOutput>;
  readonly #metrics: ServerMetrics;
  readonly #clock: RequestClock;
  readonly #onEnd: (end: RequestEnd) => void;
  #last: RequestOutput | undefined;
  /** Steps and the time of the last of them that were told. */
  #told: { readonly steps: number; readonly at: number } | undefined;
  #hasEnded = false;

  /** @param clock of the request that `source` is of */
  constructor(
    source: AsyncIterator<RequestOutput>,
    metrics: ServerMetrics,
    clock: RequestClock,
    onEnd: (end: RequestEnd) => void = () => {},
  ) {
    this.#source = source;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RequestOutput, undefined>> {
    try {
      const next = await this.#source.next();
      if (next.done === true) {
        this.leave();
        return { done: true, value: undefined };
      }
      this.#take(next.value);
      return next;
    } catch (error) {
      this.#end("error", error instanceof RequestError && error.code === "TW4116");
      throw error;
    }
  }

  async return(): Promise<IteratorResult<RequestOutput, undefined>> {
    await this.#source.return?.();
    this.leave();
    return { done: true, value: undefined };
  }

  /** It ends here, if it has not. */
  leave(): void {
    this.#end(this.#last?.finishReason ?? "abort");
  }

  #take(output: RequestOutput): void {
    this.#last = output;
    const count = output.deltaTokenIds.length;
    const { firstToken, lastToken, numSteps } = this.#clock;
    if (count === 0 || firstToken === undefined || lastToken === undefined) return;
    if (this.#told === undefined) {
      const seconds = (firstToken - this.#clock.arrival) / 1000;
      this.#metrics.firstToken(seconds, output.promptTokenIds.length, output.numCachedTokens);
    }
    const before = this.#told ?? { steps: 1, at: firstToken };
    this.#metrics.tokens(count, (lastToken - before.at) / 1000, numSteps - before.steps);
    this.#told = { steps: numSteps, at: lastToken };
  }

  #end(finish: FinishReason, isCorrupt = false): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#clock.noteEnd();
    const end: RequestEnd = {
      promptTokens: this.#last?.promptTokenIds.length ?? 0,
      cachedTokens: this.#last?.numCachedTokens ?? 0,
      generationTokens: this.#last?.tokenIds.length ?? 0,
      clock: this.#clock,
      finish,
      isCorrupt,
    };
    this.#metrics.ended(end);
    this.#onEnd(end);
  }
}
