/** [engine/server] Where the requests of all routes come in: refuses while draining or full, counts what is in flight, measures each. No HTTP. */
import { RequestError } from "../../dsl/index.ts";
import type { FinishReason, SamplingParams } from "../core.ts";
import type { Engine, GenerateOptions, Prompt } from "../engine.ts";
import type { RequestOutput } from "../output.ts";
import { lastOutput, type RequestSource } from "../request-group.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { TextFilter } from "./options.ts";

export class Desk implements RequestSource {
  readonly #engine: Engine;
  readonly #metrics: ServerMetrics;
  readonly #limit: number;
  readonly #outputFilter: TextFilter | undefined;
  #isDraining = false;
  #isAsleep = false;

  /** @param limit requests in flight; more are refused */
  constructor(engine: Engine, metrics: ServerMetrics, limit: number, outputFilter?: TextFilter) {
    this.#engine = engine;
    this.#metrics = metrics;
    this.#limit = limit;
    this.#outputFilter = outputFilter;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  /** No more requests begin; those that run go on. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Requests are refused until it wakes; those that run go on. */
  sleep(isAsleep: boolean): void {
    this.#isAsleep = isAsleep;
  }

  /** Before anything is spent on a request. @throws RequestError TW4313 while draining or asleep, TW4312 where `count` more do not fit */
  checkOpen(count = 1): void {
    if (this.#isDraining)
      throw unavailable("the server is shutting down", "send it to another server");
    if (this.#isAsleep) throw unavailable("the server sleeps", "POST /wake_up first");
    const inFlight = this.#engine.numRunning + this.#engine.numWaiting;
    if (inFlight + count <= this.#limit) return;
    throw new RequestError(
      {
        code: "TW4312",
        message: "the server has as many requests as it takes",
        seen: `${inFlight} in flight, ${count} more asked for`,
        expected: `at most ${this.#limit} (--max-concurrent-requests)`,
        remedy: "try again after the seconds of the header Retry-After",
      },
      429,
    );
  }

  /** As the engine's; measured, and with its text filtered. */
  generate(
    prompt: Prompt,
    params: Partial<SamplingParams> = {},
    options: string | GenerateOptions = {},
  ): AsyncIterable<RequestOutput> {
    const source = this.#engine.generate(prompt, params, options);
    const measured = new MeasuredStream(source[Symbol.asyncIterator](), this.#metrics);
    return this.#outputFilter === undefined ? measured : filtered(measured, this.#outputFilter);
  }

  abort(requestId: string): void {
    this.#engine.abort(requestId);
  }
}

/** A filter sees whole texts, so there is one output, at the end. */
async function* filtered(
  source: AsyncIterable<RequestOutput>,
  filter: TextFilter,
): AsyncGenerator<RequestOutput> {
  const last = await lastOutput(source);
  const text = await filter(last.text);
  yield { ...last, text, deltaText: text, deltaTokenIds: last.tokenIds };
}

/** Passes outputs on and tells the metrics. By hand and no generator: it runs once a token of every request. */
class MeasuredStream implements AsyncIterableIterator<RequestOutput> {
  readonly #source: AsyncIterator<RequestOutput>;
  readonly #metrics: ServerMetrics;
  readonly #arrival = performance.now();
  #last: RequestOutput | undefined;
  #first: number | undefined;
  #before = 0;
  #hasEnded = false;

  constructor(source: AsyncIterator<RequestOutput>, metrics: ServerMetrics) {
    this.#source = source;
    this.#metrics = metrics;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RequestOutput, undefined>> {
    try {
      const next = await this.#source.next();
      if (next.done === true) {
        this.#end(this.#last?.finishReason ?? "abort");
        return { done: true, value: undefined };
      }
      this.#take(next.value);
      return next;
    } catch (error) {
      this.#end("error");
      throw error;
    }
  }

  async return(): Promise<IteratorResult<RequestOutput, undefined>> {
    await this.#source.return?.();
    this.#end(this.#last?.finishReason ?? "abort");
    return { done: true, value: undefined };
  }

  #take(output: RequestOutput): void {
    this.#last = output;
    const count = output.deltaTokenIds.length;
    if (count === 0) return;
    const now = performance.now();
    const isFirst = this.#first === undefined;
    if (isFirst) {
      this.#first = now;
      this.#metrics.firstToken((now - this.#arrival) / 1000, output.promptTokenIds.length);
    }
    this.#metrics.tokens(count, isFirst ? undefined : (now - this.#before) / 1000);
    this.#before = now;
  }

  #end(finish: FinishReason): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#metrics.ended({
      promptTokens: this.#last?.promptTokenIds.length ?? 0,
      generationTokens: this.#last?.tokenIds.length ?? 0,
      arrival: this.#arrival / 1000,
      firstToken: this.#first === undefined ? undefined : this.#first / 1000,
      end: performance.now() / 1000,
      finish,
    });
  }
}

function unavailable(message: string, remedy: string): RequestError {
  return new RequestError({ code: "TW4313", message, remedy }, 503);
}
