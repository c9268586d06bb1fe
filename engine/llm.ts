/** [engine] Offline generation over a list of prompts, in the shape of vLLM's LLM class. */
import type { EngineOptions } from "./config.ts";
import type { SamplingParams } from "./core.ts";
import { Engine, type Prompt } from "./engine.ts";
import type { RequestOutput } from "./output.ts";

/** `await new LLM({ model }).generate(prompts, params)`; the model is loaded at the first call. */
export class LLM {
  readonly #options: EngineOptions;
  #engine: Promise<Engine> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /**
   * One finished output for each prompt, in order.
   * @throws RequestError for a prompt or parameter that does not fit
   */
  async generate(
    prompts: Prompt | readonly Prompt[],
    params: Partial<SamplingParams> = {},
  ): Promise<RequestOutput[]> {
    this.#engine ??= Engine.load(this.#options);
    const engine = await this.#engine;
    const streams = promptList(prompts).map((prompt) => engine.generate(prompt, params));
    return Promise.all(streams.map(lastOutput));
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
    this.#engine = undefined;
  }
}

/** A list of numbers is one prompt of token ids. */
function promptList(prompts: Prompt | readonly Prompt[]): readonly Prompt[] {
  if (!Array.isArray(prompts)) return [prompts as Prompt];
  return typeof prompts[0] === "number"
    ? [prompts as readonly number[]]
    : (prompts as readonly Prompt[]);
}

/** Reads a stream to its end. */
export async function lastOutput(stream: AsyncIterable<RequestOutput>): Promise<RequestOutput> {
  let last: RequestOutput | undefined;
  for await (const output of stream) last = output;
  if (last === undefined) throw new RangeError("a request gave no output");
  return last;
}
