/** [engine] The engine: loads a model, then steps requests through it: schedule, execute, update, report. No HTTP. */
import { randomInt } from "node:crypto";
import { invariant, RequestError } from "../dsl/index.ts";
import { type Device, openDevice, tensorBytes } from "../runtime/index.ts";
import { chooseDtype, type EngineOptions, sizeCache } from "./config.ts";
import { Request, type SamplingParams } from "./core.ts";
import { PagePool } from "./kv/page-pool.ts";
import { Decoder } from "./layers/decoder.ts";
import { WeightLoader } from "./layers/weight-loader.ts";
import { findFamily } from "./models/catalogue.ts";
import { type RequestOutput, RequestStream } from "./output.ts";
import { ModelRunner } from "./runner.ts";
import { resolveSampling } from "./sampling.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import { Tokenizer } from "./tokenizer/tokenizer.ts";
import { Checkpoint } from "./weights/checkpoint.ts";
import { resolveModelFolder } from "./weights/hub.ts";
import {
  checkpointDtype,
  eosTokenIds,
  readGenerationConfig,
  readModelConfig,
} from "./weights/model-config.ts";

/** A prompt as text, or as token ids. */
export type Prompt = string | readonly number[] | { readonly promptTokenIds: readonly number[] };

export interface ModelInfo {
  /** Name that the API answers to. */
  readonly name: string;
  readonly folder: string;
  readonly architecture: string;
  readonly dtype: string;
  readonly vocabSize: number;
  readonly maxModelLen: number;
  readonly numPages: number;
  readonly pageSize: number;
}

interface Parts {
  readonly device: Device;
  readonly ownsDevice: boolean;
  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly runner: ModelRunner;
  readonly scheduler: Scheduler;
  readonly pool: PagePool;
  readonly seed: number | undefined;
}

/** One model on one device. Requests may be added at any time; they share steps. */
export class Engine {
  readonly device: Device;
  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly #parts: Parts;
  readonly #streams = new Map<string, RequestStream>();
  #loop: Promise<void> | undefined;
  #closed = false;
  #nextId = 0;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.device = parts.device;
    this.info = parts.info;
    this.tokenizer = parts.tokenizer;
  }

  /**
   * Opens the device and loads a model onto it.
   * @throws ModelError for anything wrong with the model folder, DeviceError where the device cannot be opened
   */
  static async load(options: EngineOptions): Promise<Engine> {
    const folder = await resolveModelFolder(options);
    const config = readModelConfig(folder);
    const generation = readGenerationConfig(folder);
    const family = findFamily(config.architectures);
    const tokenizer = Tokenizer.load(folder);
    const ownsDevice = typeof options.device !== "object";
    const device =
      typeof options.device === "object" ? options.device : await openDevice(options.device);
    const checkpoint = new Checkpoint(folder);
    try {
      const dtype = chooseDtype(options.dtype, checkpointDtype(config), device);
      const maxModelLen = Math.min(
        options.maxModelLen ?? config.max_position_embeddings,
        config.max_position_embeddings * maxStretch(config),
      );
      const total = checkpoint.totalBytes;
      const weights = new WeightLoader(device, dtype, checkpoint, (done) =>
        options.onProgress?.({ stage: "weights", done, total }),
      );
      const model = new Decoder(weights, family.configure(config, maxModelLen));
      const tensors = weights.finish();
      const weightBytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
      const cache = sizeCache(options, model.config, dtype, device, weightBytes, maxModelLen);
      const pool = new PagePool(cache.numPages, cache.pageSize);
      const scheduler = new Scheduler(
        { maxBatchedTokens: cache.maxNumBatchedTokens, maxNumSeqs: cache.maxNumSeqs, maxModelLen },
        pool,
        eosTokenIds(config, generation),
      );
      const runner = new ModelRunner(device, model, tensors, {
        dtype,
        numPages: cache.numPages,
        pageSize: cache.pageSize,
        maxModelLen,
      });
      const info: ModelInfo = {
        name: options.servedModelName ?? options.model,
        folder,
        architecture: config.architectures.join(", "),
        dtype,
        vocabSize: config.vocab_size,
        maxModelLen,
        numPages: cache.numPages,
        pageSize: cache.pageSize,
      };
      return new Engine({
        device,
        ownsDevice,
        info,
        tokenizer,
        runner,
        scheduler,
        pool,
        seed: options.seed,
      });
    } catch (error) {
      if (ownsDevice) await device.close();
      throw error;
    } finally {
      checkpoint.close();
    }
  }

  get numRunning(): number {
    return this.#parts.scheduler.numRunning;
  }

  get numWaiting(): number {
    return this.#parts.scheduler.numWaiting;
  }

  get isClosed(): boolean {
    return this.#closed;
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
    const resolved = resolveSampling(params);
    const promptIds = this.#promptIds(prompt);
    if (this.#closed) {
      throw new RequestError(
        {
          code: "TW4111",
          message: "the engine is closed",
          seen: "a request after close()",
          expected: "an open engine",
          remedy: "load it again",
        },
        503,
      );
    }
    const id = requestId ?? `request-${this.#nextId++}`;
    const seed = resolved.seed ?? this.#parts.seed ?? randomInt(2 ** 31);
    const request = new Request(id, promptIds, resolved, seed | 0);
    this.#parts.scheduler.add(request);
    const stream = new RequestStream(request, this.tokenizer, () => this.abort(id));
    this.#streams.set(id, stream);
    this.#loop ??= this.#run();
    return stream;
  }

  /** Ends a request; what it has so far is its last output, with finishReason `abort`. */
  abort(requestId: string): void {
    this.#parts.scheduler.abort(requestId);
    this.#streams.get(requestId)?.finish();
    this.#streams.delete(requestId);
  }

  /** Aborts what runs, waits for the step in flight, frees the device memory. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of [...this.#streams.keys()]) this.abort(id);
    await this.#loop;
    this.#parts.runner.close();
    if (this.#parts.ownsDevice) await this.device.close();
  }

  #promptIds(prompt: Prompt): readonly number[] {
    if (typeof prompt === "string") return this.tokenizer.encode(prompt);
    const ids = "promptTokenIds" in prompt ? prompt.promptTokenIds : prompt;
    const bad = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= this.info.vocabSize);
    if (bad === undefined) return ids;
    throw new RequestError(
      {
        code: "TW4112",
        message: "the prompt holds a token id that the model does not have",
        seen: String(bad),
        expected: `ids from 0 to ${this.info.vocabSize - 1}`,
        remedy: "encode the prompt with this model's tokenizer",
      },
      400,
      "prompt",
    );
  }

  /** Steps while there is work. A failing step fails every request in it and the loop goes on with the others. */
  async #run(): Promise<void> {
    const { scheduler, pool } = this.#parts;
    while (scheduler.hasWork) {
      await new Promise((resolve) => setImmediate(resolve)); // requests that arrive together share their first step
      await this.#step();
    }
    pool.checkIntegrity();
    this.#loop = undefined;
  }

  async #step(): Promise<void> {
    const { scheduler, runner } = this.#parts;
    const plan = scheduler.schedule();
    try {
      invariant(plan.entries.length > 0, () => "requests wait and none can be scheduled");
      scheduler.update(plan, await runner.execute(plan));
    } catch (error) {
      const ids =
        plan.entries.length > 0
          ? plan.entries.map(({ request }) => request.id)
          : [...this.#streams.keys()];
      for (const id of ids) {
        scheduler.abort(id);
        this.#streams.get(id)?.fail(error);
        this.#streams.delete(id);
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
      this.#parts.scheduler.abort(request.id);
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

/** A context beyond the trained one is allowed only where the rope scaling names a factor for it. */
function maxStretch(config: ReturnType<typeof readModelConfig>): number {
  return Math.max(1, config.rope_scaling?.factor ?? config.rope_parameters?.factor ?? 1);
}
