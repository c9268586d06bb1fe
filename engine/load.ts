/** [engine] From options to a model on a device: folder, config, weights, cache, scheduler. What runs requests is in engine.ts. */
import type { DType } from "../dsl/index.ts";
import { type Device, openDevice, tensorBytes } from "../runtime/index.ts";
import { type CacheSize, sizeCache } from "./cache-size.ts";
import {
  checkOptions,
  chooseContext,
  type EngineOptions,
  MAX_LOGPROBS,
  WATERMARK,
} from "./config.ts";
import type { StepRunner } from "./core.ts";
import type { CoreParts } from "./core-loop.ts";
import { chooseCacheDtype } from "./dtypes.ts";
import { KvManager } from "./kv/kv-manager.ts";
import type { KvGroup } from "./kv/page-group.ts";
import { Decoder, type DecoderConfig } from "./layers/decoder.ts";
import { InvariantDevice } from "./layers/invariant-device.ts";
import { pageLayout } from "./layers/page-layout.ts";
import { checkModelOptions } from "./model-options.ts";
import { openWeights } from "./model-weights.ts";
import { findFamily } from "./models/catalogue.ts";
import { NullRunner } from "./null-runner.ts";
import { ModelRunner } from "./runner.ts";
import type { SchedulingPolicy } from "./scheduler/options.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import {
  type ModelPlace,
  type PlacedModel,
  type Sleeper,
  SleepingModel,
} from "./sleeping-model.ts";
import { Tokenizer } from "./tokenizer/tokenizer.ts";
import { resolveModelFolder, resolveTokenizerFolder } from "./weights/hub.ts";
import {
  eosTokenIds,
  type GenerationConfig,
  quantizationSection,
  type RawConfig,
  readGenerationConfig,
  readModelConfig,
} from "./weights/model-config.ts";
import { keepsBytes } from "./weights/quantization/cache-scheme.ts";

export interface ModelInfo {
  /** Name that answers have. */
  readonly name: string;
  /** Those that the API answers to, `name` first. */
  readonly names: readonly string[];
  readonly folder: string;
  /** Where the tokenizer and the chat template are. */
  readonly tokenizerFolder: string;
  readonly architecture: string;
  /** Of weights and activations: `f32`, `f16` or `bf16`. */
  readonly dtype: string;
  /** Of cached keys and values: `dtype`, or `f8e4m3`. */
  readonly kvDtype: string;
  readonly vocabSize: number;
  readonly maxModelLen: number;
  readonly numPages: number;
  readonly pageSize: number;
  /** Requests that run at once. */
  readonly maxNumSeqs: number;
  readonly schedulingPolicy: SchedulingPolicy;
  /** Alternatives of one token that requests may ask for; -1 for no bound. */
  readonly maxLogprobs: number;
  /** Positions that the KV cache has for one request. */
  readonly maxPositions: number;
  /** Name and driver of the device. */
  readonly device: { readonly name: string; readonly driver: string };
}

/** Everything that an engine runs with. */
export interface LoadedModel {
  readonly device: Device;
  /** True where the device was opened here and is closed with the engine. */
  readonly ownsDevice: boolean;
  readonly info: ModelInfo;
  readonly generation: GenerationConfig;
  readonly tokenizer: Tokenizer;
  readonly runner: StepRunner;
  readonly scheduler: Scheduler;
  readonly kv: KvManager;
  /** Absent where its memory cannot be given back. */
  readonly sleeper?: Sleeper;
}

/** Options that count after a model is loaded. */
export interface CoreOptions
  extends Pick<EngineOptions, "maxQueuedRequests" | "seed" | "asyncScheduling"> {
  /** Checks the books of the pages after every step, and not only when idle. */
  readonly checksEachStep?: boolean;
}

/** What a core steps a loaded model with. */
export function coreParts(model: LoadedModel, options: CoreOptions): CoreParts {
  const { scheduler, kv, runner, sleeper, device, ownsDevice } = model;
  const { asyncScheduling: overlapped = true, checksEachStep = false } = options;
  const onClose = ownsDevice ? { onClose: () => device.close() } : {};
  const rests = sleeper === undefined ? {} : { sleeper };
  return { scheduler, kv, runner, overlapped, checksEachStep, ...rests, ...onClose };
}

interface Described {
  readonly folder: string;
  readonly tokenizerFolder: string;
  readonly config: RawConfig;
  readonly generation: GenerationConfig;
  readonly tokenizer: Tokenizer;
  readonly maxModelLen: number;
}

/** @throws ModelError for anything wrong with the model folder, DeviceError where the device cannot be opened */
export async function loadModel(asked: EngineOptions): Promise<LoadedModel> {
  checkOptions(asked);
  const { signal, onProgress } = asked;
  signal?.throwIfAborted();
  const options: EngineOptions =
    signal === undefined
      ? asked
      : {
          ...asked,
          onProgress: (progress) => {
            signal.throwIfAborted(); // what was placed so far is taken back, as at any failure
            onProgress?.(progress);
          },
        };
  const folder = await resolveModelFolder(options);
  const tokenizerFolder = await resolveTokenizerFolder(options, folder);
  const config = readModelConfig(folder);
  const described: Described = {
    folder,
    tokenizerFolder,
    config,
    generation: readGenerationConfig(folder),
    tokenizer: Tokenizer.load(tokenizerFolder),
    maxModelLen: chooseContext(options.maxModelLen, config),
  };
  const ownsDevice = typeof options.device !== "object";
  const device =
    typeof options.device === "object" ? options.device : await openDevice(options.device);
  try {
    if (options.device === "null")
      return assemble(options, described, {
        device,
        ownsDevice,
        ...imagine(options, described, device),
      });
    const placed = placeModel(options, described, device);
    await warmUp(placed.runner, options);
    const sleeper = sleeperOf(options, described, device, placed);
    return assemble(options, described, { device, ownsDevice, sleeper, ...placed });
  } catch (error) {
    if (ownsDevice) await device.close();
    throw error;
  }
}

/** Nothing stays on the device when it fails. */
async function warmUp(
  runner: ModelRunner,
  { warmUp: wanted = false, onProgress }: EngineOptions,
  keepsWeights = false,
): Promise<void> {
  if (wanted === false) return;
  try {
    await runner.warmUp(wanted === "every-batch", (done, total) =>
      onProgress?.({ stage: "compile", done, total }),
    );
  } catch (error) {
    runner.close(keepsWeights);
    throw error;
  }
}

/** Weights and cache on the device. Nothing stays there when it fails. */
function placeModel(
  options: EngineOptions,
  described: Described,
  opened: Device,
  known?: CacheSize,
) {
  const { config, maxModelLen } = described;
  const batchInvariant = options.batchInvariant === true;
  const device = batchInvariant ? new InvariantDevice(opened) : opened;
  const family = findFamily(config.architectures, options.families);
  const { weights, dtype, close } = openWeights(options, described, family, device);
  try {
    const layers = family.configure(config, maxModelLen);
    const kvDtype = cacheDtypeOf(options, described, dtype, layers);
    checkModelOptions(options, layers);
    const model = new Decoder(weights, layers, kvDtype);
    const tensors = weights.finish();
    const weightBytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
    const cache =
      known ??
      sizeCache(options, {
        model: model.config,
        dtype,
        kvDtype,
        device,
        weightBytes,
        maxModelLen,
      });
    const { enforceEager = false, disableCascadeAttn = false } = options;
    const stopIds = eosTokenIds(config, described.generation);
    const shape = {
      dtype,
      kvDtype,
      ...cache,
      maxModelLen,
      enforceEager,
      disableCascadeAttn,
      batchInvariant,
      eosTokenIds: stopIds,
    };
    const runner = new ModelRunner(device, model, tensors, shape);
    const runAgain = () => new ModelRunner(device, model, tensors, shape);
    const groups = groupsOf(model.config, maxModelLen);
    return { runner, cache, dtype, kvDtype, groups, weights: tensors, runAgain };
  } catch (error) {
    weights.release();
    throw error;
  } finally {
    close();
  }
}

function cacheDtypeOf(
  { kvCacheDtype }: EngineOptions,
  { folder, config }: Described,
  dtype: DType,
  { blocks }: DecoderConfig,
): DType {
  const layers = blocks.map(({ mixer }) => mixer.layer);
  const use = { layers, keepsBytes: keepsBytes(quantizationSection(folder, config)) };
  return chooseCacheDtype(kvCacheDtype, dtype, use);
}

type Placed = ReturnType<typeof placeModel>;

/** Pages stay as many as they are, whatever is free when it wakes. */
function sleeperOf(
  options: EngineOptions,
  described: Described,
  device: Device,
  first: Placed,
): SleepingModel {
  let placed = first;
  const describe = (runner: ModelRunner): PlacedModel => {
    const caches = runner.caches.flatMap(({ keys, values }) => [keys, values]);
    const cacheBytes = caches.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
    return { runner, weights: placed.weights, cacheBytes };
  };
  const place: ModelPlace = {
    park: (weights) =>
      device.park(
        weights.map(({ buffer }) => buffer),
        true,
      ),
    trim: async () => {
      await device.synchronize();
      device.trim();
    },
    runAgain: async () => {
      const runner = placed.runAgain();
      await warmUp(runner, options, true);
      return describe(runner);
    },
    placeAgain: async () => {
      placed = placeModel(options, described, device, first.cache);
      await warmUp(placed.runner, options);
      return describe(placed.runner);
    },
  };
  return new SleepingModel(place, describe(first.runner));
}

/** By its name the null device stands for a model that computes nothing: no weight is read. */
function imagine(options: EngineOptions, described: Described, device: Device) {
  const { config, maxModelLen } = described;
  const family = findFamily(config.architectures, options.families);
  const model = family.configure(config, maxModelLen);
  const dtype = "f32";
  const kvDtype = cacheDtypeOf(options, described, dtype, model);
  const cache = sizeCache(options, { model, dtype, kvDtype, device, weightBytes: 0, maxModelLen });
  const runAgain = () => new NullRunner(config.vocab_size);
  const runner = runAgain();
  const empty = { weights: [], cacheBytes: 0 };
  const place = {
    park: () => device.park([], true),
    trim: async () => device.trim(),
    runAgain: async () => ({ runner: runAgain(), ...empty }),
    placeAgain: async () => ({ runner: runAgain(), ...empty }),
  };
  const sleeper = new SleepingModel(place, { runner, ...empty });
  const groups = groupsOf(model, maxModelLen);
  return { runner, sleeper, cache, dtype, kvDtype, groups };
}

function assemble(
  options: EngineOptions,
  { folder, tokenizerFolder, config, generation, tokenizer, maxModelLen }: Described,
  placed: Pick<LoadedModel, "device" | "ownsDevice" | "runner"> & {
    readonly sleeper: Sleeper;
    readonly cache: CacheSize;
    readonly dtype: string;
    readonly kvDtype: string;
    readonly groups: readonly KvGroup[];
  },
): LoadedModel {
  const { device, ownsDevice, runner, sleeper, cache, dtype, kvDtype, groups } = placed;
  const { numPages, numStates, pageSize, maxNumSeqs, maxNumBatchedTokens } = cache;
  const prefixCaching = options.enablePrefixCaching ?? true;
  const kv = new KvManager({ numPages, numStates, pageSize, groups, prefixCaching });
  const given = [options.servedModelName ?? []].flat();
  const names = given.length === 0 ? [options.model] : given;
  const info: ModelInfo = {
    name: names[0] ?? options.model,
    names,
    folder,
    tokenizerFolder,
    architecture: config.architectures.join(", "),
    dtype,
    kvDtype,
    vocabSize: config.vocab_size,
    maxModelLen,
    numPages,
    pageSize,
    maxNumSeqs,
    schedulingPolicy: options.schedulingPolicy ?? "fcfs",
    maxLogprobs: options.maxLogprobs ?? MAX_LOGPROBS,
    maxPositions: kv.maxPositions(maxNumBatchedTokens),
    device: { name: device.info.name, driver: device.info.driver },
  };
  const stopIds = eosTokenIds(config, generation);
  const scheduler = new Scheduler(
    {
      maxBatchedTokens: maxNumBatchedTokens,
      maxNumSeqs,
      maxModelLen,
      policy: options.schedulingPolicy ?? "fcfs",
      longestPrefixFirst: options.longestPrefixFirst ?? false,
      longPrefillThreshold: options.longPrefillTokenThreshold ?? 0,
      watermark: WATERMARK,
    },
    kv,
    stopIds,
  );
  return { device, ownsDevice, info, generation, tokenizer, runner, sleeper, scheduler, kv };
}

function groupsOf({ blocks }: DecoderConfig, maxModelLen: number): readonly KvGroup[] {
  return pageLayout(
    blocks.map(({ mixer }) => mixer.layer),
    maxModelLen,
  ).groups;
}
