/** [engine] Offline generation over a list of prompts, in the shape of vLLM's LLM class. */
import {
  type BeamSearchOutput,
  type BeamSearchParams,
  beamSampling,
  beamSearchOutput,
} from "./beam-outputs.ts";
import type { EngineOptions } from "./config.ts";
import type { SamplingParams } from "./core.ts";
import { Engine, type Prompt } from "./engine.ts";
import { checkOptionNames, ENGINE_OPTIONS } from "./option-names.ts";
import type { RequestOutput } from "./output.ts";
import { lastOutput, RequestGroup } from "./request-group.ts";

/** `await new LLM({ model }).generate(prompts, params)`; the model is loaded at the first call. */
export class LLM {
  readonly #options: EngineOptions;
  #engine: Promise<Engine> | undefined;

  /** @throws ModelError TW4124 for an option that does not exist */
  constructor(options: EngineOptions) {
    checkOptionNames(options, ENGINE_OPTIONS);
    this.#options = options;
  }

  /**
   * One finished output for each prompt, in order. All prompts are computed, or none.
   * @throws RequestError for a prompt or parameter that does not fit
   */
  async generate(
    prompts: Prompt | readonly Prompt[],
    params: Partial<SamplingParams> = {},
  ): Promise<RequestOutput[]> {
    const engine = await this.#load();
    return new RequestGroup(engine, promptList(prompts), params).finish();
  }

  /**
   * The `beamWidth` best sequences for each prompt, in the order of prompts. All prompts are searched, or none.
   * @throws RequestError for a prompt or parameter that does not fit
   */
  async beamSearch(
    prompts: Prompt | readonly Prompt[],
    params: BeamSearchParams,
  ): Promise<BeamSearchOutput[]> {
    const engine = await this.#load();
    const group = new RequestGroup(engine, promptList(prompts), beamSampling(params));
    try {
      return (await Promise.all(group.streams.map(lastOutput))).map(beamSearchOutput);
    } finally {
      group.abort();
    }
  }

  /** Frees the model. A later `generate` loads it again. */
  async close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await (await engine?.catch(() => undefined))?.close();
  }

  async #load(): Promise<Engine> {
    this.#engine ??= Engine.load(this.#options);
    try {
      return await this.#engine;
    } catch (error) {
      this.#engine = undefined; // the next call tries again
      throw error;
    }
  }
}

/** A list of numbers is one prompt of token ids. */
function promptList(prompts: Prompt | readonly Prompt[]): readonly Prompt[] {
  if (!Array.isArray(prompts)) return [prompts as Prompt];
  return typeof prompts[0] === "number"
    ? [prompts as readonly number[]]
    : (prompts as readonly Prompt[]);
}
