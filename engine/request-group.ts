/** [engine] Requests that one caller starts together and that live and fail together: several prompts, several choices of each. */
import { randomUUID } from "node:crypto";
import type { SamplingParams } from "./core.ts";
import type { Engine, Prompt } from "./engine.ts";
import type { RequestOutput } from "./output.ts";

export class RequestGroup {
  readonly #engine: Engine;
  readonly #ids: string[] = [];
  /** One for each choice, prompt by prompt: the choices of prompt p are p × n to p × n + n - 1. */
  readonly streams: readonly AsyncIterable<RequestOutput>[];

  /**
   * Starts all of them, or none.
   * @param n choices of each prompt; where a seed is given, choice i has seed + i
   * @throws RequestError for the first prompt or parameter that does not fit
   */
  constructor(
    engine: Engine,
    prompts: readonly Prompt[],
    params: Partial<SamplingParams>,
    n = 1,
    id: string = randomUUID(),
  ) {
    this.#engine = engine;
    const streams: AsyncIterable<RequestOutput>[] = [];
    try {
      for (const prompt of prompts) {
        for (let choice = 0; choice < n; choice++) {
          const seed = params.seed === undefined ? {} : { seed: params.seed + choice };
          const requestId = `${id}-${streams.length}`;
          streams.push(engine.generate(prompt, { ...params, ...seed }, requestId));
          this.#ids.push(requestId);
        }
      }
    } catch (error) {
      this.abort();
      throw error;
    }
    this.streams = streams;
  }

  /** Ends those that still run. */
  abort(): void {
    for (const id of this.#ids) this.#engine.abort(id);
  }

  /** The last output of each. When one fails the others are ended. */
  async finish(): Promise<RequestOutput[]> {
    try {
      return await Promise.all(this.streams.map(lastOutput));
    } finally {
      this.abort();
    }
  }
}

/** Reads a stream to its end. */
export async function lastOutput(stream: AsyncIterable<RequestOutput>): Promise<RequestOutput> {
  let last: RequestOutput | undefined;
  for await (const output of stream) last = output;
  if (last === undefined) throw new RangeError("a request gave no output");
  return last;
}
