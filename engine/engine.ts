/** [engine] The engine: takes requests and steps them through the model: schedule, execute, update, report. No HTTP, no loading. */
import { randomInt } from "node:crypto";
import { invariant, RequestError } from "../dsl/index.ts";
import type { Device } from "../runtime/index.ts";
import type { EngineOptions } from "./config.ts";
import { Request, type SamplingParams } from "./core.ts";
import { type LoadedModel, loadModel, type ModelInfo } from "./load.ts";
import { type RequestOutput, RequestStream } from "./output.ts";
import { encodePrompt } from "./prompt-text.ts";
import { resolveSampling } from "./sampling.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";
import type { GenerationConfig } from "./weights/model-config.ts";

/** A prompt as text, or as token ids. */
export type Prompt = string | readonly number[] | { readonly promptTokenIds: readonly number[] };

/** One model on one device. Requests may be added at any time; they share steps. */
export class Engine {
  readonly device: Device;
  readonly info: ModelInfo;
  /** What generation_config.json suggests; the HTTP server takes its defaults from it. */
  readonly generation: GenerationConfig;
  readonly tokenizer: Tokenizer;
  readonly #model: LoadedModel;
  readonly #streams = new Map<string, RequestStream>();
  #loop: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #failure: unknown;
  #nextId = 0;

  private constructor(model: LoadedModel) {
    this.#model = model;
    this.device = model.device;
    this.info = model.info;
    this.generation = model.generation;
    this.tokenizer = model.tokenizer;
  }

  /**
   * Opens the device and loads a model onto it.
   * @throws ModelError for anything wrong with the model folder, DeviceError where the device cannot be opened
   */
  static async load(options: EngineOptions): Promise<Engine> {
    return new Engine(await loadModel(options));
  }

  get numRunning(): number {
    return this.#model.scheduler.numRunning;
  }

  get numWaiting(): number {
    return this.#model.scheduler.numWaiting;
  }

  /** Requests that gave their pages back and started over, since the start. */
  get numPreemptions(): number {
    return this.#model.scheduler.numPreemptions;
  }

  /** Pages of the KV cache that no request holds. */
  get numFreePages(): number {
    return this.#model.kv.numFree;
  }

  /** True while requests are taken: not closed, and the loop has not failed. */
  get isAlive(): boolean {
    return this.#closing === undefined && this.#failure === undefined;
  }

  /**
   * Starts a request at once and reports it as it grows; the last output carries `finishReason`. Leaving the loop early aborts it.
   * @throws RequestError for a prompt or parameter that does not fit
   */
  generate(
    prompt: Prompt,
    params: Partial<SamplingParams> = {},
    requestId?: string,
  ): AsyncIterable<RequestOutput> {
    this.#checkAlive();
    const number = this.#nextId++;
    const id = requestId ?? `request-${number}`;
    if (this.#streams.has(id)) throw refused("TW4113", "the request id is in use", id, "a new id");
    const { tokenizer } = this;
    const resolved = resolveSampling(params, { vocabSize: this.info.vocabSize, tokenizer });
    if (resolved.n !== 1 || (resolved.bestOf ?? 1) !== 1) {
      const seen = `n ${resolved.n}, best_of ${resolved.bestOf ?? resolved.n}`;
      throw refused("TW4115", "a stream is of one choice", seen, "1, or a RequestGroup", "n");
    }
    const promptIds = this.#promptIds(prompt);
    const request = new Request(id, promptIds, resolved, this.#seedOf(resolved.seed, number));
    this.#model.scheduler.add(request);
    const stream = new RequestStream(request, this.tokenizer, () => this.abort(id));
    this.#streams.set(id, stream);
    this.#loop ??= this.#run();
    return stream;
  }

  /**
   * Token ids of a prompt's text.
   * @throws RequestError TW4102 for a text that cannot fit into the context, TW4222 where the model has no tokenizer
   */
  encode(text: string, addSpecialTokens = true): number[] {
    return encodePrompt(this.tokenizer, text, addSpecialTokens, this.info.maxModelLen);
  }

  /** Ends a request; what it has so far is its last output, with finishReason `abort`. Unknown ids are ignored. */
  abort(requestId: string): void {
    const stream = this.#streams.get(requestId);
    if (stream === undefined) return;
    this.#streams.delete(requestId);
    this.#model.scheduler.abort(requestId);
    stream.finish();
  }

  /** Aborts what runs, waits for the step in flight, frees the device memory. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const id of [...this.#streams.keys()]) this.abort(id);
    await this.#loop;
    this.#model.runner.close();
    if (this.#model.ownsDevice) await this.device.close();
  }

  #checkAlive(): void {
    if (this.isAlive) return;
    const seen =
      this.#failure === undefined ? "a request after close()" : `a failure: ${this.#failure}`;
    throw new RequestError(
      {
        code: "TW4111",
        message: "the engine takes no more requests",
        seen,
        expected: "an open engine",
        remedy: "load it again",
      },
      503,
    );
  }

  #promptIds(prompt: Prompt): readonly number[] {
    if (typeof prompt === "string") return this.encode(prompt);
    const ids = "promptTokenIds" in prompt ? prompt.promptTokenIds : prompt;
    const bad = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= this.info.vocabSize);
    if (bad === undefined) return ids;
    const expected = `ids from 0 to ${this.info.vocabSize - 1}`;
    const message = "the prompt holds a token id that the model does not have";
    throw refused("TW4112", message, String(bad), expected, "prompt");
  }

  /** All 32 bits count on the device. Requests under one engine seed differ, in the order in which they come. */
  #seedOf(asked: number | undefined, number: number): number {
    if (asked !== undefined) return foldSeed(asked);
    const { seed } = this.#model;
    return seed === undefined ? randomInt(2 ** 31) : foldSeed(seed) ^ Math.imul(number, 0x9e3779b1);
  }

  /** Steps while there is work. When the books of the pages do not add up, the engine takes no more requests. */
  async #run(): Promise<void> {
    const { scheduler } = this.#model;
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve)); // requests that arrive together share their first step
        if (!scheduler.hasWork) break;
        await this.#step();
      }
      scheduler.checkIntegrity();
    } catch (error) {
      this.#failure = error;
      for (const stream of this.#streams.values()) stream.fail(error);
      this.#streams.clear();
    }
    this.#loop = undefined;
  }

  /** A failing step fails the requests in it; the others go on. */
  async #step(): Promise<void> {
    const { scheduler, runner } = this.#model;
    const plan = scheduler.schedule();
    invariant(plan !== undefined, () => "requests wait and none can be scheduled");
    try {
      scheduler.update(plan, await runner.submit(plan));
    } catch (error) {
      scheduler.fail(plan);
      for (const { request } of plan.entries) {
        this.#streams.get(request.id)?.fail(error);
        this.#streams.delete(request.id);
      }
      return;
    }
    for (const { request } of plan.entries) this.#report(request);
  }

  #report(request: Request): void {
    const stream = this.#streams.get(request.id);
    if (stream === undefined) return;
    const stop = stream.advance();
    if (stop !== undefined && request.finishReason !== "stop") {
      this.#model.scheduler.abort(request.id);
      request.finishReason = "stop";
      request.stopReason = stop;
    }
    if (!request.isFinished) {
      stream.wake();
      return;
    }
    this.#streams.delete(request.id);
    stream.finish();
  }
}

/** Both words of a 53-bit integer, as 32 bits. */
function foldSeed(seed: number): number {
  return (seed ^ Math.floor(seed / 2 ** 32)) | 0;
}

function refused(
  code: "TW4112" | "TW4113" | "TW4115",
  message: string,
  seen: string,
  expected: string,
  param: string | null = null,
): RequestError {
  return new RequestError(
    { code, message, seen, expected, remedy: "correct the request" },
    400,
    param,
  );
}
