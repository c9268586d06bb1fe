/** [engine] Runs a planned step on the device: the model's weights, the bytes of the KV cache, the batch's arrays. No scheduling. */
import type { DType } from "../dsl/index.ts";
import { pageCopy } from "../dsl/kernels/catalogue.ts";
import { type Device, type Tensor, tensorBytes, zeroTensor } from "../runtime/index.ts";
import type { StepEntry, StepOutput, StepPlan } from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";
import type { LayerCache, StepBatch } from "./layers/batch.ts";
import type { Decoder } from "./layers/decoder.ts";
import { StepScope } from "./layers/scope.ts";
import { type ScoreRequest, sampleTokens, scoreTokens } from "./sampler.ts";

export interface RunnerOptions {
  readonly dtype: DType;
  readonly numPages: number;
  readonly pageSize: number;
  readonly maxModelLen: number;
}

/** Keys of one decode are split when few programs would leave a GPU idle; at least this many keys a part. */
const KEYS_PER_SPLIT = 256;
const MAX_SPLITS = 32;
/** Programs that fill a GPU. */
const BUSY_PROGRAMS = 264;

export class ModelRunner {
  readonly device: Device;
  readonly model: Decoder;
  readonly #options: RunnerOptions;
  readonly #weights: readonly Tensor[];
  readonly #caches: readonly LayerCache[];
  readonly #maxPagesPerSequence: number;

  constructor(device: Device, model: Decoder, weights: readonly Tensor[], options: RunnerOptions) {
    this.device = device;
    this.model = model;
    this.#weights = weights;
    this.#options = options;
    this.#maxPagesPerSequence = Math.ceil(options.maxModelLen / options.pageSize);
    const { numKvHeads, headDim } = model.config.attention;
    const shape = [options.numPages, options.pageSize, numKvHeads, headDim];
    this.#caches = model.config.windows.map(() => ({
      keys: zeroTensor(device, options.dtype, shape),
      values: zeroTensor(device, options.dtype, shape),
    }));
  }

  /** Bytes that one page takes over all layers. */
  static pageBytes(model: Decoder["config"], dtype: DType, pageSize: number): number {
    const { numKvHeads, headDim } = model.attention;
    return (
      2 * model.windows.length * tensorBytes({ dtype, shape: [pageSize, numKvHeads, headDim] })
    );
  }

  async execute(plan: StepPlan): Promise<StepOutput[]> {
    const scope = new StepScope(this.device);
    try {
      const hidden = this.model.forward(this.#batch(plan, scope), this.#caches);
      return await this.#outputs(plan, scope, hidden);
    } finally {
      scope.close();
    }
  }

  /** Copies whole pages in every layer: the write half of copy-on-write. */
  copyPages(pairs: readonly { readonly from: number; readonly to: number }[]): void {
    const scope = new StepScope(this.device);
    try {
      const table = scope.from(Int32Array.from(pairs.flatMap(({ from, to }) => [from, to])), [
        pairs.length,
        2,
      ]);
      for (const { keys, values } of this.#caches) {
        this.device.launch(pageCopy, { pairs: table, kCache: keys, vCache: values });
      }
    } finally {
      scope.close();
    }
  }

  close(): void {
    for (const { keys, values } of this.#caches) {
      this.device.free(keys.buffer);
      this.device.free(values.buffer);
    }
    for (const weight of this.#weights) this.device.free(weight.buffer);
  }

  #batch(plan: StepPlan, scope: StepScope): StepBatch {
    const { entries, numTokens } = plan;
    const { pageSize, dtype } = this.#options;
    const tokens = new Int32Array(numTokens);
    const positions = new Int32Array(numTokens);
    const slots = new Int32Array(numTokens);
    const table = new Int32Array(entries.length * this.#maxPagesPerSequence).fill(RESERVED_PAGE);
    const queryStart = new Int32Array(entries.length + 1);
    const lens = new Int32Array(entries.length);
    let row = 0;
    entries.forEach(({ request, start, count }, i) => {
      table.set(request.pages, i * this.#maxPagesPerSequence);
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
    return {
      scope,
      dtype,
      numTokens,
      numSequences: entries.length,
      isDecode: entries.every(({ count }) => count === 1),
      tokens: scope.from(tokens),
      positions: scope.from(positions),
      slots: scope.from(slots),
      table: scope.from(table, [entries.length, this.#maxPagesPerSequence]),
      queryStart: scope.from(queryStart),
      lens: scope.from(lens),
      numSplits: this.#numSplits(entries),
    };
  }

  #numSplits(entries: readonly StepEntry[]): number {
    if (!this.device.info.hardware) return 1;
    const longest = Math.max(1, ...entries.map(({ start, count }) => start + count));
    const programs = entries.length * this.model.config.attention.numKvHeads;
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
            samplers.map(({ entry }) => entry.request),
            samplers.map((s) => s.row),
          );
    const prompts = await this.#promptScores(plan.entries, firstRows, scope, hidden);
    const place = new Map(samplers.map(({ i }, k) => [i, k]));
    return plan.entries.map((entry, i) => {
      const k = place.get(i);
      const token = k === undefined ? undefined : sampled?.tokens[k];
      const logprobs = k === undefined ? undefined : sampled?.logprobs[k];
      const promptLogprobs = prompts.get(i);
      return {
        entry,
        ...(token === undefined ? {} : { token }),
        ...(logprobs === undefined ? {} : { logprobs }),
        ...(promptLogprobs === undefined ? {} : { promptLogprobs }),
      };
    });
  }

  /** For requests that ask for them: each computed prompt position scores the prompt token after it. */
  async #promptScores(
    entries: readonly StepEntry[],
    firstRows: readonly number[],
    scope: StepScope,
    hidden: Tensor,
  ) {
    const found = new Map<number, Awaited<ReturnType<typeof scoreTokens>>>();
    for (const [i, { request, start, count }] of entries.entries()) {
      const width = request.params.promptLogprobs;
      const end = Math.min(start + count, request.promptIds.length - 1);
      if (width === undefined || request.promptLogprobs.length >= request.promptIds.length)
        continue;
      const asked: ScoreRequest[] = [];
      for (let position = start; position < end; position++) {
        asked.push({
          row: (firstRows[i] ?? 0) + position - start,
          target: request.tokenAt(position + 1),
        });
      }
      found.set(
        i,
        asked.length === 0 ? [] : await scoreTokens(this.model, scope, hidden, asked, width),
      );
    }
    return found;
  }
}
