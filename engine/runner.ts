/** [engine] Runs a planned step on the device: the model's weights, the bytes of the KV cache, the batch's arrays. No scheduling. */
import type { DType } from "../dsl/index.ts";
import { pageCopy } from "../dsl/kernels/catalogue.ts";
import { type Device, reshape, type Tensor, zeroTensor } from "../runtime/index.ts";
import {
  type PageCopy,
  Request,
  type StepEntry,
  type StepOutput,
  type StepPlan,
  type StepRunner,
  type TokenLogprobs,
} from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";
import type { LayerCache, StepBatch } from "./layers/batch.ts";
import { type CacheShapes, cacheShapes, keepsStates, numKvHeads } from "./layers/cache-shapes.ts";
import type { Decoder } from "./layers/decoder.ts";
import { StepScope } from "./layers/scope.ts";
import { type ScoreRequest, sampleTokens, scoreTokens, withTop } from "./sampler.ts";
import { resolveSampling } from "./sampling.ts";

export interface RunnerOptions {
  readonly dtype: DType;
  readonly numPages: number;
  readonly pageSize: number;
}

/** Keys of one decode are split when few programs would leave a GPU idle; at least this many keys a part. */
const KEYS_PER_SPLIT = 256;
const MAX_SPLITS = 32;
/** The page table of a step is as wide as its longest request, in steps: its width then always divides by 16, which kernels are compiled for. */
const TABLE_STEP = 16;
/** Programs that fill a GPU. */
const BUSY_PROGRAMS = 264;

/** Batch sizes that take different kernels or tile sizes. */
const WARM_BATCHES = [1, 2, 4, 8, 16] as const;
/** Numbers of splits that decode kernels are compiled apart for: they divide by more and more. */
const WARM_SPLITS = [2, 4, 8, 16] as const;
/** Rows of a prompt that take the kernels for many rows. */
const WARM_PREFILL = 16;

/** What the host knows of a step: the fields of a `StepBatch` of the same names. */
interface StepArrays {
  /** Those that an entry awaits are -1 until the step before is done. */
  readonly tokens: Int32Array;
  readonly positions: Int32Array;
  readonly slots: Int32Array;
  readonly table: Int32Array;
  readonly queryStart: Int32Array;
  readonly lens: Int32Array;
}

export class ModelRunner implements StepRunner {
  readonly device: Device;
  readonly model: Decoder;
  readonly #options: RunnerOptions;
  readonly #weights: readonly Tensor[];
  readonly #caches: readonly LayerCache[];
  /** Programs that a decode has for each sequence before its keys are split. */
  readonly #kvHeads: number;
  /** The step that was submitted last. */
  #last: Promise<unknown> = Promise.resolve();
  /** Tokens of the last step, by request: what the entries of the next one may await. */
  #sampled: ReadonlyMap<Request, number> = new Map();

  constructor(device: Device, model: Decoder, weights: readonly Tensor[], options: RunnerOptions) {
    this.device = device;
    this.model = model;
    this.#weights = weights;
    this.#options = options;
    this.#kvHeads = Math.max(...model.config.blocks.map(({ mixer }) => numKvHeads(mixer.layer)));
    const caches: LayerCache[] = [];
    try {
      for (const { mixer } of model.config.blocks)
        caches.push(allocateCache(device, cacheShapes(mixer.layer, options)));
    } catch (error) {
      freeCaches(device, caches);
      throw error;
    }
    this.#caches = caches;
  }

  /** Steps run one after another; tokens that an entry awaits are filled in when the step before is done. */
  submit(plan: StepPlan): Promise<StepOutput[]> {
    const arrays = this.#arrays(plan);
    const outputs = this.#last.then(() => this.#execute(plan, arrays));
    this.#last = outputs.catch(() => {});
    return outputs;
  }

  async #execute(plan: StepPlan, arrays: StepArrays): Promise<StepOutput[]> {
    const scope = new StepScope(this.device);
    try {
      if (plan.copies.length > 0) this.#copyPages(plan.copies);
      plan.entries.forEach(({ request, awaits }, i) => {
        if (awaits)
          arrays.tokens[(arrays.queryStart[i + 1] ?? 0) - 1] = this.#sampled.get(request) ?? 0;
      });
      const hidden = this.model.forward(this.#batch(plan, arrays, scope), this.#caches);
      const outputs = await this.#outputs(plan, scope, hidden);
      this.#sampled = new Map(
        outputs.flatMap(({ entry, token }) =>
          token === undefined ? [] : [[entry.request, token] as const],
        ),
      );
      return outputs;
    } finally {
      scope.close();
    }
  }

  /** Runs dummy steps of the usual shapes, so that their kernels are compiled. Their keys and values go to the reserved page. */
  async warmUp(
    maxNumSeqs: number,
    maxModelLen: number,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<void> {
    const { pageSize } = this.#options;
    // Each row writes a slot of its own in the one page: two programs may not write one element.
    const room = keepsStates(this.model.config.blocks.map(({ mixer }) => mixer.layer))
      ? 1
      : pageSize;
    const decodes = WARM_BATCHES.filter((size) => size <= Math.min(maxNumSeqs, room));
    const longest = this.device.info.hardware ? maxModelLen : 0;
    const lengths = WARM_SPLITS.map((splits) => splits * KEYS_PER_SPLIT - 1);
    const plans = [
      ...decodes.map((size) => dummyPlan(size, 1, 0, pageSize)),
      ...lengths.filter((past) => past < longest).map((past) => dummyPlan(1, 1, past, pageSize)),
      dummyPlan(1, Math.min(pageSize, WARM_PREFILL), 0, pageSize),
    ];
    for (const [i, plan] of plans.entries()) {
      onProgress(i, plans.length);
      await this.submit(plan);
    }
    onProgress(plans.length, plans.length);
  }

  /** Copies whole pages in every layer: the write half of copy-on-write, for models whose pages hold positions. */
  #copyPages(pairs: readonly PageCopy[]): void {
    const scope = new StepScope(this.device);
    try {
      const table = scope.from(Int32Array.from(pairs.flatMap(({ from, to }) => [from, to])), [
        pairs.length,
        2,
      ]);
      for (const { keys, values } of this.#caches) {
        const caches = { kCache: withHeads(keys), vCache: withHeads(values) };
        this.device.launch(pageCopy, { pairs: table, ...caches });
      }
    } finally {
      scope.close();
    }
  }

  close(): void {
    freeCaches(this.device, this.#caches);
    for (const weight of this.#weights) this.device.free(weight.buffer);
  }

  /** The host's part of a batch. */
  #arrays({ entries, numTokens }: StepPlan): StepArrays {
    const { pageSize } = this.#options;
    const tokens = new Int32Array(numTokens);
    const positions = new Int32Array(numTokens);
    const slots = new Int32Array(numTokens);
    const longest = Math.max(...entries.map(({ request }) => request.pages.length));
    const width = Math.ceil(longest / TABLE_STEP) * TABLE_STEP;
    const table = new Int32Array(entries.length * width).fill(RESERVED_PAGE);
    const queryStart = new Int32Array(entries.length + 1);
    const lens = new Int32Array(entries.length);
    let row = 0;
    entries.forEach(({ request, start, count }, i) => {
      table.set(request.pages, i * width);
      lens[i] = start + count;
      for (let position = start; position < start + count; position++, row++) {
        tokens[row] = request.tokenAt(position);
        positions[row] = position;
        slots[row] =
          (request.pages[Math.floor(position / pageSize)] ?? RESERVED_PAGE) * pageSize +
          (position % pageSize);
      }
      queryStart[i + 1] = row;
    });
    return { tokens, positions, slots, table, queryStart, lens };
  }

  #batch({ entries, numTokens }: StepPlan, arrays: StepArrays, scope: StepScope): StepBatch {
    const { table } = arrays;
    return {
      scope,
      dtype: this.#options.dtype,
      numTokens,
      numSequences: entries.length,
      isDecode: entries.every(({ count }) => count === 1),
      tokens: scope.from(arrays.tokens),
      positions: scope.from(arrays.positions),
      slots: scope.from(arrays.slots),
      table: scope.from(table, [entries.length, table.length / entries.length]),
      queryStart: scope.from(arrays.queryStart),
      lens: scope.from(arrays.lens),
      numSplits: this.#numSplits(entries),
    };
  }

  #numSplits(entries: readonly StepEntry[]): number {
    if (!this.device.info.hardware) return 1;
    const longest = Math.max(1, ...entries.map(({ start, count }) => start + count));
    const programs = entries.length * this.#kvHeads;
    const wanted = Math.min(
      Math.ceil(longest / KEYS_PER_SPLIT),
      Math.ceil(BUSY_PROGRAMS / programs),
      MAX_SPLITS,
    );
    return 2 ** Math.ceil(Math.log2(Math.max(1, wanted)));
  }

  async #outputs(plan: StepPlan, scope: StepScope, hidden: Tensor): Promise<StepOutput[]> {
    const firstRows: number[] = [];
    let row = 0;
    for (const { count } of plan.entries) {
      firstRows.push(row);
      row += count;
    }
    const samplers = plan.entries.flatMap((entry, i) =>
      entry.samples ? [{ i, entry, row: (firstRows[i] ?? 0) + entry.count - 1 }] : [],
    );
    const sampled =
      samplers.length === 0
        ? undefined
        : await sampleTokens(
            this.model,
            scope,
            hidden,
            samplers.map(({ entry }) => entry),
            samplers.map((s) => s.row),
          );
    const prompts = await this.#promptScores(plan.entries, firstRows, hidden);
    const place = new Map(samplers.map(({ i }, k) => [i, k]));
    return plan.entries.map((entry, i) => {
      const k = place.get(i);
      const token = k === undefined ? undefined : sampled?.tokens[k];
      const logprobs = k === undefined ? undefined : sampled?.logprobs[k];
      const promptLogprobs = prompts.get(entry);
      return {
        entry,
        ...(token === undefined ? {} : { token }),
        ...(logprobs === undefined ? {} : { logprobs }),
        ...(promptLogprobs === undefined ? {} : { promptLogprobs }),
      };
    });
  }

  /** For requests that ask for them: each computed prompt position scores the prompt token after it. One launch serves all requests. */
  async #promptScores(
    entries: readonly StepEntry[],
    firstRows: readonly number[],
    hidden: Tensor,
  ): Promise<ReadonlyMap<StepEntry, readonly TokenLogprobs[]>> {
    const asked: ScoreRequest[] = [];
    const shares: { readonly entry: StepEntry; readonly from: number; readonly to: number }[] = [];
    entries.forEach((entry, i) => {
      const { request, start, count } = entry;
      const known = request.promptLogprobs.length >= request.promptIds.length;
      if (request.params.promptLogprobs === undefined || known) return;
      const from = asked.length;
      const end = Math.min(start + count, request.promptIds.length - 1);
      for (let position = start; position < end; position++) {
        const row = (firstRows[i] ?? 0) + position - start;
        asked.push({ row, target: request.tokenAt(position + 1) });
      }
      shares.push({ entry, from, to: asked.length });
    });
    const widthOf = ({ request }: StepEntry) => request.params.promptLogprobs ?? 0;
    const width = Math.max(0, ...shares.map(({ entry }) => widthOf(entry)));
    const scores = await scoreTokens(this.model, hidden, asked, width);
    return new Map(
      shares.map(({ entry, from, to }) => {
        const own = scores.slice(from, to).map((score) => withTop(score, widthOf(entry)));
        return [entry, own] as const;
      }),
    );
  }
}

/** Buffers of one layer; a failure leaves none behind. */
function allocateCache(device: Device, { keys: shape, values }: CacheShapes): LayerCache {
  const keys = zeroTensor(device, shape.dtype, shape.shape);
  try {
    return { keys, values: zeroTensor(device, values.dtype, values.shape) };
  } catch (error) {
    device.free(keys.buffer);
    throw error;
  }
}

/** `[pages, page size, heads, D]` of a cache that may have no dim of heads. */
function withHeads(cache: Tensor): Tensor {
  const [pages = 0, pageSize = 0, ...rest] = cache.shape;
  return rest.length === 2 ? cache : reshape(cache, [pages, pageSize, 1, ...rest]);
}

function freeCaches(device: Device, caches: readonly LayerCache[]): void {
  for (const { keys, values } of caches) {
    device.free(keys.buffer);
    device.free(values.buffer);
  }
}

/** A step of `size` requests with `count` tokens after `past` others, all in the reserved page; request i writes from slot past + i on. */
function dummyPlan(size: number, count: number, past: number, pageSize: number): StepPlan {
  const params = resolveSampling({ temperature: 1 });
  const entries = Array.from({ length: size }, (_, i) => {
    const start = past + i;
    const tokens = new Array<number>(start + count).fill(0);
    const request = new Request(`warm-up-${i}`, tokens, params, i);
    const numPages = Math.ceil((start + count) / pageSize);
    request.pages.push(...new Array<number>(numPages).fill(RESERVED_PAGE));
    return { request, start, count, samples: true, awaits: false };
  });
  return { entries, numTokens: size * count, preempted: [], copies: [] };
}
