/** [engine/model-bench] Measures the decode steps of a model that is made of its config alone: steps, loop, host and every kernel. */
import type { DType } from "../../dsl/index.ts";
import {
  type Ceiling,
  copyCeiling,
  type Device,
  DeviceClock,
  elementsOf,
  fillNoise,
  median,
  sliceRows,
  spreadOf,
  type Tensor,
  tensorBytes,
} from "../../runtime/index.ts";
import { Request, type StepPlan } from "../core.ts";
import { chooseCacheDtype, type KvCacheDtype } from "../dtypes.ts";
import { pagedGroups } from "../kv/page-counts.ts";
import type { KvGroup } from "../kv/page-group.ts";
import { Decoder, type DecoderConfig } from "../layers/decoder.ts";
import { InvariantDevice } from "../layers/invariant-device.ts";
import { pageLayout } from "../layers/page-layout.ts";
import { RandomWeights } from "../layers/random-weights.ts";
import { findFamily } from "../models/catalogue.ts";
import { ModelRunner } from "../runner.ts";
import { resolveSampling } from "../sampling.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { type Load, launchBytes, stepFloor } from "./floor.ts";
import type { KernelShare, ModelReport, StepMeasurement, TracedStep } from "./report.ts";
import { TracedDevice, type TracedLaunch } from "./traced-device.ts";

export interface ModelBenchOptions {
  /** What the report calls the model. */
  readonly name: string;
  readonly config: RawConfig;
  readonly dtype: DType;
  readonly batches: readonly number[];
  readonly contexts: readonly number[];
  readonly kvCacheDtype?: KvCacheDtype;
  readonly pageSize?: number;
  readonly enforceEager?: boolean;
  readonly batchInvariant?: boolean;
  /** Steps of one round, each one position further, around the context. */
  readonly steps?: number;
  readonly rounds?: number;
  readonly onProgress?: (line: string) => void;
}

export interface ModelBenchResult {
  readonly report: ModelReport;
  /** One step of each load, launch by launch. */
  readonly traces: readonly TracedStep[];
}

const PAGE_SIZE = 16;
const STEPS = 32;
const ROUNDS = 7;

/** @throws DeviceError where weights and caches do not fit into the device's memory, ModelError for a config that no family takes */
export async function benchModel(
  device: Device,
  options: ModelBenchOptions,
): Promise<ModelBenchResult> {
  const bench = new ModelBench(device, options);
  try {
    const copy = await copyCeiling(device);
    const steps: StepMeasurement[] = [];
    const traces: TracedStep[] = [];
    for (const batch of options.batches) {
      for (const context of options.contexts) {
        options.onProgress?.(`batch ${batch}, context ${context}`);
        const { step, launches } = await bench.measure({ batch, context }, copy);
        steps.push(step);
        traces.push({ name: `batch ${batch}, context ${context}`, launches });
      }
    }
    return { report: { ...bench.describe(), copy, steps }, traces };
  } finally {
    bench.close();
  }
}

class ModelBench {
  readonly #options: ModelBenchOptions;
  readonly #traced: TracedDevice;
  readonly #clock: DeviceClock;
  readonly #model: DecoderConfig;
  readonly #runner: ModelRunner;
  readonly #groups: readonly KvGroup[];
  readonly #weightBytes: number;
  readonly #pageSize: number;
  readonly #kvDtype: DType;
  readonly #steps: number;

  constructor(device: Device, options: ModelBenchOptions) {
    const { config, dtype, batches, contexts } = options;
    const { enforceEager = false, batchInvariant = false } = options;
    this.#options = options;
    this.#steps = options.steps ?? STEPS;
    this.#pageSize = options.pageSize ?? PAGE_SIZE;
    this.#traced = new TracedDevice(device);
    this.#clock = new DeviceClock(device);
    const maxModelLen = Math.max(...contexts) + this.#steps;
    const maxNumSeqs = Math.max(...batches);
    const runs = batchInvariant ? new InvariantDevice(this.#traced) : this.#traced;
    const weights = new RandomWeights(runs, dtype);
    try {
      const model = new Decoder(
        weights,
        findFamily(config.architectures, undefined).configure(config, maxModelLen),
      );
      const tensors = weights.finish();
      this.#model = model.config;
      const layers = model.config.blocks.map(({ mixer }) => mixer.layer);
      this.#kvDtype = chooseCacheDtype(options.kvCacheDtype, dtype, { layers });
      this.#groups = pageLayout(layers, maxModelLen).groups;
      const perSequence = Math.ceil(maxModelLen / this.#pageSize);
      const numPages = maxNumSeqs * perSequence * pagedGroups(this.#groups).length + 1;
      this.#weightBytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
      this.#runner = new ModelRunner(runs, model, tensors, {
        dtype,
        kvDtype: this.#kvDtype,
        numPages,
        numStates: maxNumSeqs + 1,
        pageSize: this.#pageSize,
        maxNumSeqs,
        maxModelLen,
        enforceEager,
        batchInvariant,
      });
      this.#fillCaches();
    } catch (cause) {
      weights.release();
      throw cause;
    }
  }

  describe(): Omit<ModelReport, "copy" | "steps"> {
    const { name, dtype } = this.#options;
    return {
      format: "tilewright-model-bench-1",
      model: name,
      device: this.#traced.info.name,
      hardware: this.#traced.info.hardware === true,
      dtype,
      layers: this.#model.blocks.length,
      weightBytes: this.#weightBytes,
      captured: this.#runner.capturesSteps,
      clock: this.#traced.createEvent === undefined ? "calls" : "events",
    };
  }

  close(): void {
    this.#clock.close();
    this.#runner.close();
  }

  /** Noise, as zeros would take less power than what a model keeps. */
  #fillCaches(): void {
    this.#runner.caches.forEach(({ keys, values }, i) => {
      fillPages(this.#traced, keys, 2 * i);
      fillPages(this.#traced, values, 2 * i + 1);
    });
  }

  async measure(
    load: Load,
    copy: Ceiling,
  ): Promise<{ readonly step: StepMeasurement; readonly launches: readonly TracedLaunch[] }> {
    const { batch } = load;
    const requests = this.#requests(load);
    const launches = await this.#trace(load, requests);
    await this.#queue(load, requests).done; // captures; the next rounds replay
    const rounds: number[] = [];
    const hosts: number[] = [];
    const loops: number[] = [];
    for (let round = 0; round < (this.#options.rounds ?? ROUNDS); round++) {
      let queued = { hostMs: 0, done: Promise.resolve<unknown>(undefined) };
      const ms = await this.#clock.span(() => {
        queued = this.#queue(load, requests);
      });
      await queued.done;
      rounds.push(ms / this.#steps);
      hosts.push(queued.hostMs / this.#steps);
      loops.push(await this.#loop(load, requests));
    }
    const stepMs = spreadOf(rounds);
    const [loopMs, hostMs] = [median(loops), median(hosts)];
    const kernels = kernelShares(launches, load, copy);
    const floor = this.#floor(load, copy, stepMs.median);
    const step: StepMeasurement = {
      ...load,
      stepMs,
      loopMs,
      hostMs,
      exposedMs: Math.max(0, loopMs - stepMs.median),
      tokensPerSecond: (1000 * batch) / stepMs.median,
      launches: launches.length,
      floor,
      kernels,
    };
    return { step, launches };
  }

  /** The launches of a step at the context itself, one by one: a graph's are not seen. */
  async #trace(load: Load, requests: readonly Request[]): Promise<readonly TracedLaunch[]> {
    await this.#runner.submitEagerly(this.#plan(requests, load.context - 1, false));
    return this.#traced.trace(() =>
      this.#runner.submitEagerly(this.#plan(requests, load.context - 1, false)),
    );
  }

  /** Queues the steps of a round; the first token of each sequence is given, the others stay on the device. */
  #queue(
    load: Load,
    requests: readonly Request[],
  ): { readonly hostMs: number; readonly done: Promise<unknown> } {
    const outputs: Promise<unknown>[] = [];
    const start = performance.now();
    for (let i = 0; i < this.#steps; i++)
      outputs.push(this.#runner.submit(this.#plan(requests, this.#start(load) + i, i > 0)));
    return { hostMs: performance.now() - start, done: Promise.all(outputs) };
  }

  /** @returns milliseconds a step where each is queued before the one in front of it is read */
  async #loop(load: Load, requests: readonly Request[]): Promise<number> {
    const from = this.#start(load);
    const start = performance.now();
    let before: Promise<unknown> = Promise.resolve();
    for (let i = 0; i < this.#steps; i++) {
      const output = this.#runner.submit(this.#plan(requests, from + i, i > 0));
      await before;
      before = output;
    }
    await before;
    return (performance.now() - start) / this.#steps;
  }

  /** Position of a round's first token, so that the context lies in the middle of the round. */
  #start({ context }: Load): number {
    return Math.max(0, context - 1 - Math.floor(this.#steps / 2));
  }

  #requests({ batch, context }: Load): readonly Request[] {
    const params = resolveSampling({ temperature: 1, maxTokens: this.#steps + 1 });
    const perSequence = Math.ceil((context + this.#steps) / this.#pageSize);
    const prompt = new Array<number>(context).fill(1);
    const paged = pagedGroups(this.#groups);
    return Array.from({ length: batch }, (_, i) => {
      const request = new Request(`sequence-${i}`, prompt, params, i);
      this.#groups.forEach((group, g) => {
        const place = paged.indexOf(group);
        const first = 1 + (i * paged.length + place) * perSequence;
        const all = Array.from({ length: perSequence }, (_, page) => first + page);
        const pages = place < 0 ? [i + 1] : all;
        if (g === 0) request.pages.push(...pages);
        else request.tables.push(pages);
      });
      return request;
    });
  }

  #plan(requests: readonly Request[], start: number, awaits: boolean): StepPlan {
    const entries = requests.map((request) => ({
      request,
      start,
      count: 1,
      samples: true,
      awaits,
    }));
    return { entries, numTokens: entries.length, preempted: [], copies: [] };
  }

  #floor(load: Load, { perSecond }: Ceiling, stepMs: number): StepMeasurement["floor"] {
    const bytes = stepFloor(this.#model, this.#options.dtype, load, this.#kvDtype);
    if (bytes === undefined) return undefined;
    const ms = ((bytes.weights + bytes.cache) / perSecond) * 1000;
    return { ...bytes, ms, reached: ms / stepMs };
  }
}

/** In parts that a kernel can count. */
function fillPages(device: Device, cache: Tensor, seed: number): void {
  const [pages = 0] = cache.shape;
  const perPage = elementsOf(cache.shape.slice(1));
  const most = Math.max(1, Math.floor(2 ** 30 / perPage));
  for (let page = 0; page < pages; page += most) {
    const part = sliceRows(cache, page, Math.min(pages, page + most));
    fillNoise(device, part, seed, 1);
  }
}

/** Launches of a step by kernel, the longest first. */
function kernelShares(
  launches: readonly TracedLaunch[],
  load: Load,
  { perSecond }: Ceiling,
): readonly KernelShare[] {
  const groups = new Map<string, TracedLaunch[]>();
  for (const launch of launches) {
    const name = productName(launch);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [launch]);
    else group.push(launch);
  }
  const shares = [...groups].map(([kernel, group]) => {
    const us = group.reduce((sum, { ms }) => sum + ms * 1000, 0);
    const bytes = group.reduce((sum, one) => sum + launchBytes(one.kernel, one.args, load), 0);
    const ofRoofline = us === 0 ? 0 : ((bytes / perSecond) * 1e6) / us;
    return { kernel, launches: group.length, us, bytes, ofRoofline };
  });
  return shares.sort((a, b) => b.us - a.us);
}

/** Products of different sizes are told apart. */
function productName({ kernel, args }: TracedLaunch): string {
  const { w } = args;
  return kernel.startsWith("linear") && typeof w === "object"
    ? `${kernel} ${w.shape.join("×")}`
    : kernel;
}
