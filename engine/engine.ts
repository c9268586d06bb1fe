/** [engine] The engine: takes requests, gives them to its core and what comes back to their readers. No HTTP, no scheduling, no loading. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Device } from "../runtime/index.ts";
import { checkOptions, type EngineOptions } from "./config.ts";
import type { SamplingParams } from "./core.ts";
import { type Connect, CoreKeeper, type Restart } from "./core-keeper.ts";
import type { CoreListener, CoreReport, CoreStats } from "./core-link.ts";
import { CoreLoop } from "./core-loop.ts";
import { CoreProcess } from "./core-process/core-process.ts";
import { sentOptions } from "./core-process/messages.ts";
import {
  type CoreOptions,
  coreParts,
  type LoadedModel,
  loadModel,
  type ModelInfo,
} from "./load.ts";
import { checkOptionNames, ENGINE_OPTIONS, generateOptions } from "./option-names.ts";
import { type RequestOutput, RequestStream } from "./output.ts";
import { checkTokens, encodePrompt } from "./prompt-text.ts";
import { calledOff, refused, sleeps, takesNone } from "./refusals.ts";
import type { RequestClock } from "./request-clock.ts";
import { resolveSampling } from "./sampling.ts";
import { checkPrompt, queueIsFull } from "./scheduler/admission.ts";
import { foldSeed } from "./seeds.ts";
import type { SleepLevel, SleepReport } from "./sleeping-model.ts";
import { Tokenizer } from "./tokenizer/tokenizer.ts";
import { type GenerationConfig, readGenerationConfig } from "./weights/model-config.ts";

/** A prompt as text, or as token ids. */
export type Prompt = string | readonly number[] | { readonly promptTokenIds: readonly number[] };

/** What is asked of a request besides its prompt and how to sample. */
export interface GenerateOptions {
  /** Names the request in its outputs and for `abort`; one of its own where absent. */
  readonly requestId?: string;
  /** Under the policy `priority` lower values come first; 0 where absent. */
  readonly priority?: number;
  /** Cached prompts are shared only with requests of the same salt. */
  readonly cacheSalt?: string;
  /** Id of a request with the same prompt that came just before: the prompt is computed once for both. */
  readonly forkOf?: string;
  /** Filled in with what happens when. */
  readonly clock?: RequestClock;
}

/** What an engine knows of its model; the core has the rest. */
interface ModelSide {
  readonly info: ModelInfo;
  readonly generation: GenerationConfig;
  readonly tokenizer: Tokenizer;
  /** Absent where the device is the core's alone. */
  readonly device?: Device;
}

/** How often it is looked whether the last request has ended. */
const IDLE_POLL_MS = 5;

interface Open {
  readonly key: number;
  readonly stream: RequestStream;
  readonly promptIds: readonly number[];
  readonly cacheSalt: string | undefined;
}

/** One model on one device. Requests may be added at any time; they share steps. */
export class Engine {
  readonly info: ModelInfo;
  /** What generation_config.json suggests; the HTTP server takes its defaults from it. */
  readonly generation: GenerationConfig;
  readonly tokenizer: Tokenizer;
  readonly #options: CoreOptions;
  readonly #device: Device | undefined;
  readonly #keeper: CoreKeeper;
  readonly #stepObservers: ((numTokens: number) => void)[] = [];
  readonly #open = new Map<string, Open>();
  readonly #idOf = new Map<number, string>();
  #closing: Promise<void> | undefined;
  /** From the moment that it is to sleep until it is awake. */
  #isSleepy = false;
  /** While it waits for requests to end, and then for the core. */
  #fallingAsleep: { isCalledOff: boolean; readonly ended: Promise<void> } | undefined;
  #nextKey = 0;

  /** Over a model that lies on its device already; it is closed with the engine. */
  static over(model: LoadedModel, options: CoreOptions): Engine {
    return new Engine(
      model,
      options,
      (listener) => new CoreLoop(coreParts(model, options), listener),
    );
  }

  /**
   * Opens the device and loads a model onto it.
   * @throws ModelError for anything wrong with the options or the model folder, DeviceError where the device cannot be opened
   */
  static async load(options: EngineOptions): Promise<Engine> {
    checkOptionNames(options, ENGINE_OPTIONS);
    if (options.coreProcess === true) return Engine.#loadApart(options);
    return Engine.over(await loadModel(options), options);
  }

  /** The model in a process of its own. What needs a listener before there is an engine waits for it. */
  static async #loadApart(options: EngineOptions): Promise<Engine> {
    checkOptions(options);
    const { onProgress, signal } = options;
    const sent = sentOptions(options);
    let heard: CoreListener | undefined;
    const early: CoreListener = {
      report: (report) => heard?.report(report),
      fail: (error) => heard?.fail(error),
    };
    const { core, info } = await CoreProcess.start(sent, early, { onProgress, signal });
    const generation = readGenerationConfig(info.folder);
    const side = { info, generation, tokenizer: Tokenizer.load(info.tokenizerFolder) };
    const connect = (listener: CoreListener) => {
      heard = listener;
      return core;
    };
    return new Engine(side, options, connect, async (listener, signal) => {
      return (await CoreProcess.start(sent, listener, { signal })).core;
    });
  }

  private constructor(side: ModelSide, options: CoreOptions, connect: Connect, restart?: Restart) {
    this.#options = options;
    this.#device = side.device;
    this.info = side.info;
    this.generation = side.generation;
    this.tokenizer = side.tokenizer;
    this.#keeper = new CoreKeeper(connect, restart, {
      report: (report) => this.#hear(report),
      lost: (error) => this.#coreLost(error),
    });
  }

  /** @throws RangeError where the core is another process: its device is there */
  get device(): Device {
    if (this.#device === undefined)
      throw new RangeError("the device belongs to the core's process");
    return this.#device;
  }

  /** Figures of the core: those of this moment, or of the last step where the core is another process. */
  get stats(): CoreStats {
    return this.#keeper.core.stats;
  }

  /** Of the process that the core runs in. */
  get corePid(): number | undefined {
    return this.#keeper.core.pid;
  }

  get numRunning(): number {
    return this.stats.numRunning;
  }

  /** Requests that are on their way to the core's process wait too. */
  get numWaiting(): number {
    const { numRunning, numWaiting } = this.stats;
    return Math.max(numWaiting, this.#open.size - numRunning);
  }

  /** Requests that gave their pages back and started over, since the start. */
  get numPreemptions(): number {
    return this.stats.numPreemptions;
  }

  /** Pages of the KV cache that no request holds. */
  get numFreePages(): number {
    return this.stats.numFreePages;
  }

  /** True while requests are taken: not closed, and the core has not failed or is there again. */
  get isAlive(): boolean {
    const { failure, isRestarting } = this.#keeper;
    return this.#closing === undefined && failure === undefined && !isRestarting;
  }

  /**
   * Starts a request at once and reports it as it grows; the last output carries `finishReason`. Leaving the loop early aborts it.
   * @param options a string is the request's id
   * @throws RequestError for a prompt or parameter that does not fit, with status 429 where the queue is full
   */
  generate(
    prompt: Prompt,
    params: Partial<SamplingParams> = {},
    options: string | GenerateOptions = {},
  ): AsyncIterable<RequestOutput> {
    this.#checkAlive();
    const asked = generateOptions(options);
    const key = this.#nextKey++;
    const id = asked.requestId ?? `request-${key}`;
    if (this.#open.has(id)) throw refused("TW4113", "the request id is in use", id, "a new id");
    const resolved = this.#resolve(params);
    const promptIds = this.#promptIds(prompt);
    checkPrompt(promptIds.length, this.info);
    this.#checkQueue();
    const { priority = 0, cacheSalt, forkOf, clock } = asked;
    const streamed = { id, promptIds, params: resolved, clock };
    const stream = new RequestStream(streamed, this.tokenizer, () => this.abort(id));
    const parent = forkOf === undefined ? undefined : this.#parentOf(forkOf, promptIds, cacheSalt);
    this.#keeper.core.add({
      key,
      promptIds,
      params: resolved,
      seed: this.#seedOf(resolved.seed, key),
      priority,
      scope: cacheSalt === undefined ? {} : { salt: cacheSalt },
      ...(parent === undefined ? {} : { parent }),
    });
    this.#open.set(id, { key, stream, promptIds, cacheSalt });
    this.#idOf.set(key, id);
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
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    this.#forget(requestId, open);
    this.#keeper.core.abort(open.key);
    open.stream.finish("abort");
  }

  /** Requests that come from now on compute their prompts anew. */
  resetPrefixCache(): void {
    this.#keeper.core.resetPrefixCache();
  }

  /** Undefined while it is awake. */
  get sleepLevel(): SleepLevel | undefined {
    return this.#keeper.sleepLevel;
  }

  /** True from the moment that it is to sleep: requests are refused. */
  get isAsleep(): boolean {
    return this.#isSleepy;
  }

  /**
   * Gives the device's memory back, once the requests that run have ended; requests that come are refused until `wake`. Prompts are computed anew after.
   * @param level 1 keeps the weights in the memory of the core's process; 2 drops them, and `wake` reads them again
   * @param abort ends what runs instead of waiting for it
   * @throws RequestError TW4122 while it sleeps or is about to, TW4123 where it was woken while it waited, TW4111 where it is closed
   */
  async sleep(level: SleepLevel = 1, abort = false): Promise<SleepReport> {
    this.#checkAlive();
    this.#isSleepy = true;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const falling = { isCalledOff: false, ended };
    this.#fallingAsleep = falling;
    try {
      if (abort) for (const id of [...this.#open.keys()]) this.abort(id);
      while (this.#open.size > 0 && !falling.isCalledOff) await delay(IDLE_POLL_MS);
      if (!this.isAlive) throw takesNone(this.#whyNot()); // it was closed meanwhile
      if (falling.isCalledOff) throw calledOff();
      return await this.#keeper.sleep(level);
    } catch (error) {
      this.#isSleepy = false;
      throw error;
    } finally {
      this.#fallingAsleep = undefined;
      end();
    }
  }

  /**
   * Takes the memory again. A sleep that still waits for requests is called off; one that has begun is waited for.
   * @throws what the device throws where there is no room; it sleeps on
   */
  async wake(): Promise<void> {
    const falling = this.#fallingAsleep;
    if (falling !== undefined) {
      falling.isCalledOff = true;
      await falling.ended;
    }
    if (this.sleepLevel === undefined) return;
    await this.#keeper.wake();
    this.#isSleepy = false;
  }

  /** Aborts what runs, waits for the step in flight, frees the device memory. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const id of [...this.#open.keys()]) this.abort(id);
    await this.#keeper.close();
  }

  #resolve(params: Partial<SamplingParams>): SamplingParams {
    const { tokenizer, info } = this;
    const resolved = resolveSampling(params, { ...info, tokenizer });
    const width = resolved.beam?.width ?? 0;
    if (width > info.maxNumSeqs) {
      const expected = `at most ${info.maxNumSeqs} (maxNumSeqs, --max-num-seqs)`;
      throw refused("TW4119", "the search has too many beams", String(width), expected, "n");
    }
    if (resolved.n === 1 && (resolved.bestOf ?? 1) === 1) return resolved;
    const seen = `n ${resolved.n}, best_of ${resolved.bestOf ?? resolved.n}`;
    throw refused("TW4115", "a stream is of one choice", seen, "1, or a RequestGroup", "n");
  }

  /** Only what is the same is shared. */
  #parentOf(
    id: string,
    promptIds: readonly number[],
    salt: string | undefined,
  ): number | undefined {
    const other = this.#open.get(id);
    if (other === undefined || other.cacheSalt !== salt) return undefined;
    if (other.promptIds === promptIds) return other.key;
    const isSame =
      other.promptIds.length === promptIds.length &&
      promptIds.every((token, i) => token === other.promptIds[i]);
    return isSame ? other.key : undefined;
  }

  /** Counts all that are open here, so that the bound holds whatever the core has seen of them. */
  #checkQueue(): void {
    const { maxQueuedRequests } = this.#options;
    if (maxQueuedRequests === undefined) return;
    const most = this.info.maxNumSeqs + maxQueuedRequests;
    if (this.#open.size >= most) throw queueIsFull(this.#open.size, most);
  }

  #whyNot(): string {
    if (this.#closing !== undefined) return "a request after close()";
    const { failure } = this.#keeper;
    if (failure !== undefined) return `a failure: ${failure.message}`;
    return "a core that is being started again";
  }

  #checkAlive(): void {
    if (this.isAlive && !this.#isSleepy) return;
    if (this.isAlive) throw sleeps();
    throw takesNone(this.#whyNot());
  }

  #promptIds(prompt: Prompt): readonly number[] {
    if (typeof prompt === "string") return this.encode(prompt);
    const ids = "promptTokenIds" in prompt ? prompt.promptTokenIds : prompt;
    checkTokens(ids, this.info.vocabSize);
    return ids;
  }

  /** All 32 bits count on the device. Requests under one engine seed differ, in the order in which they come. */
  #seedOf(asked: number | undefined, number: number): number {
    if (asked !== undefined) return foldSeed(asked);
    const { seed } = this.#options;
    return seed === undefined ? randomInt(2 ** 31) : foldSeed(seed) ^ Math.imul(number, 0x9e3779b1);
  }

  /** Calls `onStep` with the positions that each step computed, from now on. */
  observeSteps(onStep: (numTokens: number) => void): void {
    this.#stepObservers.push(onStep);
  }

  #hear({ updates, numTokens }: CoreReport): void {
    if (numTokens > 0) for (const onStep of this.#stepObservers) onStep(numTokens);
    for (const update of updates) {
      const id = this.#idOf.get(update.key);
      const open = id === undefined ? undefined : this.#open.get(id);
      if (id === undefined || open === undefined) continue; // it ended before it heard of this step
      open.stream.take(update);
      if (!open.stream.isFinished) continue;
      this.#forget(id, open);
      if (update.finishReason === undefined) this.#keeper.core.abort(open.key); // a stop string ended it
    }
  }

  /** All requests are lost with their core. */
  #coreLost(error: Error): void {
    this.#isSleepy = false; // the next one is awake
    for (const { stream } of this.#open.values()) stream.fail(error);
    this.#open.clear();
    this.#idOf.clear();
  }

  #forget(id: string, { key }: Open): void {
    this.#open.delete(id);
    this.#idOf.delete(key);
  }
}
