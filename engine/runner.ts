/** [engine] Runs planned steps on the device: the model's weights, the bytes of the KV cache, steps in flight. No scheduling. */
import type { DType } from "../dsl/index.ts";
import { sample, selectTokens } from "../dsl/kernels/catalogue.ts";
import { type Device, readTensor, type Tensor } from "../runtime/index.ts";
import type {
  Request,
  StepEntry,
  StepOutput,
  StepPlan,
  StepRunner,
  TokenLogprobs,
} from "./core.ts";
import { DecodeRows, isDecode } from "./decode-rows.ts";
import { LayerCaches } from "./layer-caches.ts";
import type { LayerCache, ModelBatch } from "./layers/batch.ts";
import { keepsStates } from "./layers/cache-shapes.ts";
import type { Decoder } from "./layers/decoder.ts";
import { RowBlockLists } from "./layers/row-blocks.ts";
import { StepScope } from "./layers/scope.ts";
import { sharingOf } from "./layers/shared-decode.ts";
import { LogitAdjuster } from "./logit-adjuster.ts";
import { OwnedTensors } from "./owned-tensors.ts";
import { poolStates } from "./pool-states.ts";
import {
  type ScoreRequest,
  samplesPlainly,
  sampleTokens,
  scoreTokens,
  withTop,
} from "./sampler.ts";
import { SharedPrefixes, savedPositions } from "./shared-prefix.ts";
import { type StepArrays, stepArrays, tableWidth } from "./step-arrays.ts";
import { bucketRows, StepGraphs } from "./step-graphs.ts";
import { inOrder, stepOutput } from "./step-output.ts";
import { warmBeginning, warmUpPlans } from "./warm-up.ts";

export interface RunnerOptions {
  /** Of activations. */
  readonly dtype: DType;
  /** Of cached keys and values; that of activations where absent. */
  readonly kvDtype?: DType;
  readonly numPages: number;
  /** Slots of states beside the pages of positions, the reserved one included. */
  readonly numStates?: number;
  readonly pageSize: number;
  readonly maxNumSeqs: number;
  readonly maxModelLen: number;
  /** Tokens that end a sequence: not sampled before a request's least number of tokens. */
  readonly eosTokenIds?: readonly number[];
  /** True: one kernel computes a row of attention, whatever else is in the step. */
  readonly batchInvariant?: boolean;
  /** True: no step is captured. */
  readonly enforceEager: boolean;
  /** True: decodes read what sequences share once for each of them. */
  readonly disableCascadeAttn?: boolean;
}

/** Batch sizes that take different kernels or tile sizes. */
const WARM_BATCHES = [1, 2, 4, 8, 16] as const;

/** What stays of a captured decode for the launches behind it. */
interface DecodeResult {
  /** `[rows, H]` */
  readonly hidden: Tensor;
}

export class ModelRunner implements StepRunner {
  readonly device: Device;
  readonly model: Decoder;
  readonly #options: RunnerOptions;
  readonly #isInvariant: boolean;
  readonly #weights: readonly Tensor[];
  /** Caches, rows of decodes and sampled tokens. */
  readonly #memory: OwnedTensors;
  readonly #caches: LayerCaches;
  readonly #keepsStates: boolean;
  readonly #keepsLatents: boolean;
  readonly #rows: DecodeRows;
  /** Absent where no layer takes shared beginnings. */
  readonly #prefixes: SharedPrefixes | undefined;
  readonly #graphs: StepGraphs<DecodeResult>;
  /** `[rows]` i32: what the last step sampled; its next one reads it there. */
  readonly #sampled: Tensor;
  readonly #adjuster: LogitAdjuster;
  numSharedPositions = 0;
  /** Places in `#sampled`. */
  #placeOf: ReadonlyMap<Request, number> = new Map();

  constructor(device: Device, model: Decoder, weights: readonly Tensor[], options: RunnerOptions) {
    this.device = device;
    this.model = model;
    this.#weights = weights;
    this.#options = options;
    this.#isInvariant = options.batchInvariant === true;
    const layers = model.config.blocks.map(({ mixer }) => mixer.layer);
    this.#keepsStates = keepsStates(layers);
    this.#keepsLatents = layers.some(({ kind }) => kind === "latent-attention");
    const memory = new OwnedTensors(device);
    this.#memory = memory;
    const extent = { ...options, dtype: options.kvDtype ?? options.dtype };
    this.#caches = new LayerCaches(device, memory, layers, extent);
    const { pageSize, maxNumSeqs, maxModelLen } = options;
    const maxRows = bucketRows(maxNumSeqs);
    this.#graphs = new StepGraphs(device, !options.enforceEager);
    const sharing =
      options.disableCascadeAttn || this.#isInvariant
        ? undefined
        : sharingOf(device, layers, this.#caches.layers);
    this.#prefixes = sharing && new SharedPrefixes({ pageSize, ...sharing });
    this.#rows = new DecodeRows(device, memory, {
      ...(sharing && { tiles: { members: sharing.members, leastRows: sharing.rule.rows } }),
      maxRows,
      maxPages: tableWidth(Math.ceil(maxModelLen / pageSize)),
      pageSize,
      numGroups: this.#caches.numGroups,
      paddingLength: this.#keepsStates ? 1 : 0,
    });
    this.#sampled = memory.zero("i32", [maxRows]);
    this.#adjuster = new LogitAdjuster(device, model.config.vocabSize, options.eosTokenIds ?? []);
  }

  /** True where decodes are captured and replayed. */
  get capturesSteps(): boolean {
    return this.#graphs.isOn;
  }

  /** Keys and values, or states, of each layer. */
  get caches(): readonly LayerCache[] {
    return this.#caches.layers;
  }

  /** Captured shapes. */
  get numGraphs(): number {
    return this.#graphs.size;
  }

  /** Everything is queued when the call returns. Tokens that an entry awaits never leave the device on their way into the next step. */
  submit(plan: StepPlan): Promise<StepOutput[]> {
    return this.#submit(plan, false);
  }

  /** The same, launch by launch: what is captured stays unused. */
  submitEagerly(plan: StepPlan): Promise<StepOutput[]> {
    return this.#submit(plan, true);
  }

  async #submit(plan: StepPlan, isEager: boolean): Promise<StepOutput[]> {
    for (const request of [...plan.preempted, ...(plan.moved ?? [])]) {
      this.#rows.forget(request);
      this.#prefixes?.forget(request);
    }
    for (const { request, count } of plan.entries) if (count > 1) this.#rows.forget(request);
    if (plan.copies.length > 0) this.#caches.copy(plan.copies);
    return isDecode(plan) ? this.#decode(plan, isEager) : this.#mixed(plan);
  }

  /**
   * Runs dummy steps of the usual shapes, so that their kernels are compiled and captured. Their keys and values go to the reserved page.
   * @param everyBatch also decodes of every size that steps are captured for
   */
  async warmUp(
    everyBatch: boolean,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<void> {
    const { pageSize } = this.#options;
    const plans = warmUpPlans({
      batches: this.#warmBatches(everyBatch),
      pageSize,
      shared: this.device.info.hardware ? warmBeginning(this.#prefixes, this.#options) : undefined,
    });
    for (const [i, plan] of plans.entries()) {
      onProgress(i, plans.length);
      await this.submit(plan);
    }
    this.numSharedPositions = 0; // no request has saved any so far
    onProgress(plans.length, plans.length);
  }

  /** Where memory is checked, no two rows of a dummy step may write one slot. */
  #warmBatches(everyBatch: boolean): readonly number[] {
    const { pageSize, maxNumSeqs } = this.#options;
    if (everyBatch && this.device.info.hardware && this.#graphs.isOn) {
      const sizes = Array.from({ length: maxNumSeqs }, (_, i) => bucketRows(i + 1));
      return [...new Set(sizes.map((size) => Math.min(size, maxNumSeqs)))];
    }
    const most = Math.min(maxNumSeqs, this.#keepsStates ? 1 : pageSize);
    return WARM_BATCHES.filter((size) => size <= most);
  }

  close(keepsWeights = false): void {
    this.#graphs.close();
    this.#adjuster.close();
    this.#memory.close();
    if (!keepsWeights) for (const { buffer } of this.#weights) this.device.free(buffer);
  }

  /** One token a sequence: rows that stay where they are, and launches that were captured for a step of this shape. */
  async #decode({ entries }: StepPlan, isEager: boolean): Promise<StepOutput[]> {
    const count = entries.length;
    const rows = this.#graphs.isOn ? bucketRows(count) : count;
    const shared = this.#rows.sharedIn(this.#prefixes?.find(entries) ?? [], rows);
    this.numSharedPositions += savedPositions(shared);
    const sourceOf = (request: Request) => this.#placeOf.get(request) ?? -1;
    const placed = this.#rows.fill(entries, rows, sourceOf, shared);
    const isPlain = entries.every(({ request }) => samplesPlainly(request));
    const shares = shared.length > 0;
    const record = (scope: StepScope) => this.#recordDecode(scope, rows, isPlain, shares);
    const { hidden } = isEager
      ? this.#graphs.once(record)
      : this.#graphs.run(`${rows}/${isPlain}/${shares}`, record);
    const places = new Map(placed.map(({ request }, row) => [request, row]));
    this.#placeOf = places;
    const scope = new StepScope(this.device);
    try {
      const own = { ...hidden, shape: [count, ...hidden.shape.slice(1)] };
      const { tokens, logprobs } = isPlain
        ? { tokens: await this.#readSampled(scope, count), logprobs: [] }
        : await this.#sample(scope, own, placed, [...placed.keys()]);
      return entries.map((entry) => {
        const row = places.get(entry.request) ?? 0;
        return stepOutput(entry, tokens[row], logprobs[row], undefined);
      });
    } finally {
      scope.close();
    }
  }

  #recordDecode(scope: StepScope, rows: number, isPlain: boolean, shares: boolean): DecodeResult {
    const { given, source, temperature, topP, minP, topK, seed, place, sharedRows, ...fields } =
      this.#rows.inputs(rows);
    const tokens = scope.empty("i32", [rows]);
    this.device.launch(selectTokens, { given, source, last: this.#sampled, tokens });
    const batch: ModelBatch = {
      ...fields,
      scope,
      dtype: this.#options.dtype,
      numTokens: rows,
      numSequences: rows,
      isDecode: !this.#isInvariant,
      tokens,
      ...(shares && sharedRows && { sharedRows }),
    };
    const hidden = this.model.forward(batch, this.#caches.layers);
    if (isPlain) {
      const logits = this.model.logits(scope, hidden);
      const rules = { temperature, topP, minP, topK, seed, position: place };
      const token = { ...this.#sampled, shape: [rows] };
      this.device.launch(sample, { logits, ...rules, token }, scope.options.alongVocabulary);
    }
    return { hidden };
  }

  /** What was sampled, by a copy: the next step may be queued before it is read. */
  async #readSampled(scope: StepScope, count: number): Promise<ArrayLike<number>> {
    const copy = scope.empty("i32", [count]);
    this.device.copy(this.#sampled.buffer, 0, copy.buffer, 0, WORD * count);
    return readTensor(copy);
  }

  /** Prompts, or parts of them, and decodes among them. */
  async #mixed(given: StepPlan): Promise<StepOutput[]> {
    const { pageSize } = this.#options;
    const plan = this.#keepsLatents ? shortestFirst(given) : given;
    const arrays = stepArrays(
      plan,
      pageSize,
      this.#caches.numGroups,
      (r) => this.#placeOf.get(r) ?? -1,
    );
    const scope = new StepScope(this.device);
    try {
      const hidden = this.model.forward(this.#batch(plan, arrays, scope), this.#caches.layers);
      return inOrder(given.entries, await this.#outputs(plan, scope, hidden));
    } finally {
      scope.close();
    }
  }

  #batch({ entries, numTokens }: StepPlan, arrays: StepArrays, scope: StepScope): ModelBatch {
    return {
      scope,
      dtype: this.#options.dtype,
      numTokens,
      numSequences: entries.length,
      isDecode: !this.#isInvariant && entries.every(({ count }) => count === 1),
      tokens: this.#tokens(entries, arrays, scope),
      positions: scope.from(arrays.positions),
      groups: arrays.groups.map(({ slots, table }) => ({
        slots: scope.from(slots),
        table: scope.from(table, [entries.length, table.length / entries.length]),
      })),
      queryStart: scope.from(arrays.queryStart),
      lens: scope.from(arrays.lens),
      rowBlocks: new RowBlockLists(
        scope,
        entries.map(({ start, count }) => ({ queries: count, length: start + count })),
      ),
    };
  }

  #tokens(entries: readonly StepEntry[], arrays: StepArrays, scope: StepScope): Tensor {
    const given = scope.from(arrays.tokens);
    if (!entries.some(({ awaits }) => awaits)) return given;
    const tokens = scope.empty("i32", given.shape);
    const source = scope.from(arrays.source);
    this.device.launch(selectTokens, { given, source, last: this.#sampled, tokens });
    return tokens;
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
    this.#placeOf = new Map(samplers.map(({ entry }, at) => [entry.request, at]));
    // All is queued before anything is awaited: what is queued later is of the next step.
    const parts = [
      samplers.length === 0
        ? undefined
        : this.#sample(
            scope,
            hidden,
            samplers.map(({ entry }) => entry),
            samplers.map((s) => s.row),
          ),
      this.#promptScores(plan.entries, firstRows, scope, hidden),
      poolStates(plan.entries, firstRows, scope, hidden),
    ] as const;
    await Promise.allSettled(parts); // their tensors are freed once all have been read
    const [sampled, prompts, pooled] = await Promise.all(parts);
    const place = new Map(samplers.map(({ i }, k) => [i, k]));
    return plan.entries.map((entry, i) => {
      const k = place.get(i);
      const token = k === undefined ? undefined : sampled?.tokens[k];
      const logprobs = k === undefined ? undefined : sampled?.logprobs[k];
      const sum = pooled.get(entry);
      const output = stepOutput(entry, token, logprobs, prompts.get(entry));
      return sum === undefined ? output : { ...output, pooled: sum };
    });
  }

  #sample(
    scope: StepScope,
    hidden: Tensor,
    entries: readonly StepEntry[],
    rows: readonly number[],
  ): ReturnType<typeof sampleTokens> {
    return sampleTokens(this.model, scope, hidden, entries, rows, this.#sampled, this.#adjuster);
  }

  /** For requests that ask for them: each computed prompt position scores the prompt token after it. One launch serves all requests. */
  async #promptScores(
    entries: readonly StepEntry[],
    firstRows: readonly number[],
    scope: StepScope,
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
    const scores = await scoreTokens(this.model, scope, hidden, asked, width);
    return new Map(
      shares.map(({ entry, from, to }) => {
        const own = scores.slice(from, to).map((score) => withTop(score, widthOf(entry)));
        return [entry, own] as const;
      }),
    );
  }
}

const WORD = 4;

/** The same step with the fewest new tokens first: latent attention has one form for what stands before the long prompts, and one for those. */
function shortestFirst(plan: StepPlan): StepPlan {
  return { ...plan, entries: plan.entries.toSorted((a, b) => a.count - b.count) };
}
