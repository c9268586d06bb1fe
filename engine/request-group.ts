/** [engine] Requests that one caller starts together and that live and fail together: several prompts, several choices of each. */
import { randomUUID } from "node:crypto";
import { perBeam } from "./beam-outputs.ts";
import { bestChoices } from "./best-of.ts";
import type { SamplingParams } from "./core.ts";
import type { Engine, GenerateOptions, Prompt } from "./engine.ts";
import type { RequestOutput } from "./output.ts";
import { resolveSampling } from "./sampling.ts";
import { choiceSeed } from "./seeds.ts";

/** What starts requests and ends them: an engine, or what stands before one. */
export type RequestSource = Pick<Engine, "generate" | "abort" | "encode">;

export class RequestGroup {
  readonly #engine: RequestSource;
  readonly #ids: string[] = [];
  readonly #params: Pick<SamplingParams, "n" | "logprobs"> & { readonly count: number };
  /** One for each choice, prompt by prompt: the choices of prompt p are p × n to p × n + n - 1, or by `bestOf` where more than `n` are computed. */
  readonly streams: readonly AsyncIterable<RequestOutput>[];

  /**
   * Starts all of them, or none.
   * @param choices of each prompt, instead of the parameters'; a beam search is one request, whatever it gives. Where a seed is given, choice i has seed + i
   * @param options of every request in it
   * @throws RequestError for the first prompt or parameter that does not fit
   */
  constructor(
    engine: RequestSource,
    prompts: readonly Prompt[],
    params: Partial<SamplingParams>,
    choices = params.n ?? 1,
    id: string = randomUUID(),
    options: Omit<GenerateOptions, "requestId" | "forkOf" | "clock"> = {},
  ) {
    this.#engine = engine;
    const n = params.beam === undefined ? choices : 1;
    const { bestOf: count = n, logprobs } = resolveSampling({ ...params, n });
    this.#params = { n, count, ...(logprobs === undefined ? {} : { logprobs }) };
    // Ranking needs the log-probabilities of the chosen tokens.
    const single = {
      ...params,
      n: 1,
      bestOf: 1,
      ...(count > n ? { logprobs: logprobs ?? 0 } : {}),
    };
    const streams: AsyncIterable<RequestOutput>[] = [];
    try {
      for (const given of prompts) {
        const prompt = typeof given === "string" ? engine.encode(given) : given; // once for all choices
        for (let choice = 0; choice < count; choice++) {
          const seed = params.seed === undefined ? {} : { seed: choiceSeed(params.seed, choice) };
          const requestId = `${id}-${streams.length}`;
          const forkOf = choice === 0 ? {} : { forkOf: `${id}-${streams.length - choice}` };
          const asked = { ...options, ...forkOf, requestId };
          streams.push(engine.generate(prompt, { ...single, ...seed }, asked));
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

  /** The last output of each choice; the `n` best of `bestOf`, best first. When one fails the others are ended. */
  async finish(): Promise<RequestOutput[]> {
    const { n, count, logprobs } = this.#params;
    try {
      const outputs = await Promise.all(this.streams.map(lastOutput));
      if (count === n) return outputs.flatMap(perBeam);
      const best = bestChoices(outputs, count, n);
      return logprobs === undefined ? best.map((output) => ({ ...output, logprobs: [] })) : best;
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
