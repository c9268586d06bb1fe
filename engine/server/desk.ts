/** [engine/server] Where the requests of all routes come in: refuses while draining or full, counts what is in flight, measures each. No HTTP. */
import { randomUUID } from "node:crypto";
import { RequestError } from "../../dsl/index.ts";
import type { SamplingParams } from "../core.ts";
import type { Engine, GenerateOptions, Prompt } from "../engine.ts";
import type { RequestOutput } from "../output.ts";
import { RequestClock } from "../request-clock.ts";
import { lastOutput, type RequestSource } from "../request-group.ts";
import { MeasuredStream } from "./measured-stream.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { TextFilter } from "./options.ts";
import type { RequestTrace } from "./tracing/request-trace.ts";

export class Desk implements RequestSource {
  readonly #engine: Engine;
  readonly #metrics: ServerMetrics;
  readonly #limit: number;
  readonly #outputFilter: TextFilter | undefined;
  readonly #open = new Map<string, MeasuredStream>();
  /** By the id of its first choice: choices of a prompt that run, and the tokens of the longest that has ended. */
  readonly #prompts = new Map<string, { open: number; most: number }>();
  #isDraining = false;

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

  /** No more requests begin; those that run go on. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Before anything is spent on a request. @throws RequestError TW4313 while draining or asleep, TW4312 where `count` more do not fit */
  checkOpen(count = 1): void {
    if (this.#isDraining)
      throw unavailable("the server is shutting down", "send it to another server");
    if (this.#engine.isAsleep) throw unavailable("the server sleeps", "POST /wake_up first");
    const inFlight = this.#engine.numRunning + this.#engine.numWaiting;
    if (inFlight + count <= this.#limit) return;
    throw new RequestError(
      {
        code: "TW4312",
        message: "the server has as many requests as it takes",
        seen: `${inFlight} in flight, ${count} more asked for`,
        expected: `at most ${this.#limit} (maxConcurrentRequests, --max-concurrent-requests)`,
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
    return this.#generate(prompt, params, options);
  }

  /** This desk for one HTTP request whose parts are recorded. */
  traced(trace: RequestTrace): RequestSource {
    return {
      generate: (prompt, params = {}, options = {}) =>
        this.#generate(prompt, params, options, trace),
      encode: (text) => this.encode(text),
      abort: (id) => this.abort(id),
    };
  }

  encode(text: string): number[] {
    return this.#engine.encode(text);
  }

  #generate(
    prompt: Prompt,
    params: Partial<SamplingParams>,
    options: string | GenerateOptions,
    trace?: RequestTrace,
  ): AsyncIterable<RequestOutput> {
    const asked = typeof options === "string" ? { requestId: options } : options;
    const { requestId = randomUUID(), forkOf = requestId } = asked;
    const clock = new RequestClock();
    const source = this.#engine.generate(prompt, params, { ...asked, requestId, clock });
    const endTrace = trace?.choice(requestId, params, forkOf !== requestId);
    const endChoice = this.#choiceOf(forkOf);
    const iterator = source[Symbol.asyncIterator]();
    const measured = new MeasuredStream(iterator, this.#metrics, clock, (end) => {
      this.#open.delete(requestId);
      endChoice(end.generationTokens);
      endTrace?.(end);
    });
    this.#open.set(requestId, measured);
    return this.#outputFilter === undefined ? measured : filtered(measured, this.#outputFilter);
  }

  /** Choices of one prompt are told together, when the last of them ends. */
  #choiceOf(name: string): (tokens: number) => void {
    const prompt = this.#prompts.get(name) ?? { open: 0, most: 0 };
    this.#prompts.set(name, prompt);
    prompt.open++;
    return (tokens) => {
      prompt.most = Math.max(prompt.most, tokens);
      if (--prompt.open > 0) return;
      this.#prompts.delete(name);
      this.#metrics.longestChoice(prompt.most);
    };
  }

  abort(requestId: string): void {
    this.#engine.abort(requestId);
    this.#open.get(requestId)?.leave(); // nobody may read it any more
  }
}

/** A filter sees whole texts, so there is one output, at the end. */
async function* filtered(
  source: AsyncIterable<RequestOutput>,
  filter: TextFilter,
): AsyncGenerator<RequestOutput> {
  const last = await lastOutput(source);
  const text = await filter(last.text);
  const found = last.beams ?? [];
  const beams = await Promise.all(
    found.map(async (beam) => ({ ...beam, text: await filter(beam.text) })),
  );
  yield {
    ...last,
    text,
    deltaText: text,
    deltaTokenIds: last.tokenIds,
    ...(found.length === 0 ? {} : { beams }),
  };
}

function unavailable(message: string, remedy: string): RequestError {
  return new RequestError({ code: "TW4313", message, remedy }, 503);
}
