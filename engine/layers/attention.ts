/** [engine/layers] Attention over the paged cache: projections, rotary embedding with the cache write, prefill or decode kernel. */

import { type DType, storageBytes } from "../../dsl/index.ts";
import {
  pagedAttention,
  pagedDecode,
  pagedDecodeMerge,
  pagedDecodeMerged,
  pagedDecodeMergedSinks,
  pagedDecodeMergeSinks,
  pagedSinkAttention,
  pageWiden,
  prefillAttention,
  prefillSinkAttention,
  ropeKvWrite,
} from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import { countersOf } from "./arrival-counters.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import { type CacheScales, type ReadScales, readCacheScales } from "./cache-scales.ts";
import {
  attentionShape,
  decodePrograms,
  mergesInPlace,
  optionsOfDecode,
  optionsOfLine,
  optionsOfMerge,
} from "./decode-options.ts";
import { firstOf } from "./first-rows.ts";
import { ExtendedOptions, listedAttention, prefillOptions } from "./launch-options.ts";
import { Linear } from "./linear.ts";
import { QkNorm, type QkNormConfig } from "./qk-norm.ts";
import type { RopeOptions } from "./rope-table.ts";
import type { RowForm, Rows } from "./rows.ts";
import type { StepScope } from "./scope.ts";
import { SharedDecode, sharesBeginnings } from "./shared-decode.ts";
import type { WidenedPrompts, WideningShape } from "./widened-prompts.ts";

export interface AttentionConfig {
  readonly kind: "attention";
  /** Prefix of the weights' names. */
  readonly name: string;
  /** Names of the three projections, or of the one tensor that holds them one after the other; of the output projection. */
  readonly qkv: readonly string[];
  readonly output: string;
  readonly numHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
  /** Biases on q, k and v; on the output projection. */
  readonly qkvBias: boolean;
  readonly outputBias: boolean;
  readonly qkNorm: QkNormConfig | undefined;
  /** Positions attended to, the own one included; 0 is all. */
  readonly window: number;
  /** Factor of the scores, then their bound by a soft cap; 0 for none. */
  readonly scale: number;
  readonly softcap: number;
  /** A learned score of each query head that takes part in the softmax and gives no value. */
  readonly hasSinks: boolean;
  readonly rope: RopeOptions;
}

interface Caches {
  readonly kCache: Tensor;
  readonly vCache: Tensor;
}

type ListedConfig = NonNullable<ReturnType<typeof listedAttention>>;
type ListedRows = Readonly<Record<"q" | "kCache" | "vCache" | "table" | "blocks" | "o", Tensor>>;

interface WidenedRows {
  readonly q: Tensor;
  readonly caches: Caches;
  readonly own: ReadScales;
  readonly o: Tensor;
}

export class Attention {
  readonly #config: AttentionConfig;
  readonly #qkv: Linear;
  readonly #output: Linear;
  readonly #norm: QkNorm | undefined;
  /** `[HKV, G]` */
  readonly #sinks: Tensor | undefined;
  /** `[P, 2, D2]` f32 */
  readonly #cosSin: Tensor;
  /** Of decodes in one launch. */
  readonly #arrived: Tensor | undefined;
  readonly #variant: ExtendedOptions;
  readonly #shared: SharedDecode | undefined;
  readonly #scales: CacheScales;
  #listedOptions: LaunchOptions | undefined;

  constructor(context: BuildContext, config: AttentionConfig) {
    const { weights, hidden, ropes, arrivals } = context;
    const { name, numHeads, numKvHeads, headDim, softcap } = config;
    const output = { name: `${name}.${config.output}`, rows: hidden };
    this.#config = config;
    this.#variant = new ExtendedOptions(softcap === 0 ? {} : { SOFTCAP: softcap });
    this.#scales = readCacheScales(context, name);
    this.#cosSin = ropes.tensor(config.rope);
    this.#arrived = arrivals.counters();
    this.#qkv = Linear.load(weights, projections(config), hidden, config.qkvBias);
    this.#output = Linear.load(weights, [output], numHeads * headDim, config.outputBias);
    this.#norm = config.qkNorm && new QkNorm(weights, config, config.qkNorm);
    this.#sinks = config.hasSinks
      ? reshape(weights.tensor(`${name}.sinks`, [numHeads]), [numKvHeads, numHeads / numKvHeads])
      : undefined;
    this.#shared = sharesBeginnings(config) ? new SharedDecode(config, this.#sinks) : undefined;
  }

  get form(): RowForm | undefined {
    return this.#qkv.form;
  }

  /** @param x `[N, H]` @returns `[N, H]`; keys and values of the rows are in the cache afterwards */
  apply(batch: StepBatch, x: Rows, cache: LayerCache): Tensor {
    const { scope, numTokens, positions, slots } = batch;
    const { numHeads, numKvHeads, headDim } = this.#config;
    const flat = this.#qkv.apply(scope, x);
    const qkv = reshape(flat, [numTokens, numHeads + 2 * numKvHeads, headDim]);
    const q = scope.empty(x.dtype, [numTokens, numHeads, headDim]);
    const caches = { kCache: cache.keys, vCache: cache.values };
    const scales = this.#scales;
    const rope = { qkv, positions, cosSin: this.#cosSin, slots, q, ...caches, ...scales };
    if (this.#norm !== undefined) this.#norm.applyAndRotate(scope, flat, rope);
    else scope.device.launch(ropeKvWrite, rope, scope.options.ropeKvWrite);
    const own = { scale: this.#config.scale * scales.kScale, vScale: scales.vScale };
    const o = batch.isDecode
      ? this.#decode(batch, q, caches, own)
      : this.#prompts(batch, q, caches, own);
    return this.#output.apply(scope, reshape(o, [numTokens, numHeads * headDim]));
  }

  /** In row blocks that wgmma takes, where device and sizes allow them. */
  #prompts(batch: StepBatch, q: Tensor, caches: Caches, own: ReadScales): Tensor {
    const { scope, table, rowBlocks } = batch;
    const { numHeads, headDim } = this.#config;
    const [, page = 0] = caches.kCache.shape;
    const sizes = { headDim, heads: numHeads, page };
    const config = listedAttention(scope.options, q.dtype, sizes);
    const o = scope.empty(q.dtype, q.shape);
    const isWide = caches.kCache.dtype === q.dtype; // it multiplies pages as they are
    if (rowBlocks === undefined || config === undefined) this.#prefill(batch, q, caches, own, o);
    else if (isWide) {
      const blocks = rowBlocks.list({ BM: config.BM, HQ: numHeads, heads: config.heads });
      this.#listed(scope, config, { q, ...caches, table, blocks, o });
    } else {
      const widened = rowBlocks.widened(wideningShape(this.#config, q.dtype, page, config));
      if (widened === undefined) this.#prefill(batch, q, caches, own, o);
      else this.#widened(batch, config, widened, { q, caches, own, o });
    }
    return o;
  }

  #listed(scope: StepScope, config: ListedConfig, rows: ListedRows, scale = this.#config.scale) {
    const { numHeads, window, softcap } = this.#config;
    this.#listedOptions ??= {
      config: { ...config, SOFTCAP: softcap, WINDOW: window > 0 ? 1 : 0 },
    };
    const args = { ...rows, scale, window };
    if (this.#sinks === undefined) scope.device.launch(pagedAttention, args, this.#listedOptions);
    else {
      const sinks = reshape(this.#sinks, [numHeads]);
      scope.device.launch(pagedSinkAttention, { ...args, sinks }, this.#listedOptions);
    }
  }

  /** Long prompts through pages of 16 bits that are made for the step; rows before them by the pages as they are. */
  #widened(
    batch: StepBatch,
    config: ListedConfig,
    widened: WidenedPrompts,
    { q, caches, own, o }: WidenedRows,
  ): void {
    const { scope, table } = batch;
    const { numOtherRows } = widened;
    if (numOtherRows > 0) {
      const first = (tensor: Tensor) => ({ ...tensor, shape: [numOtherRows, ...q.shape.slice(1)] });
      const others = firstOf(batch, widened);
      if (others.isDecode) this.#decode(others, first(q), caches, own, first(o));
      else this.#prefill(others, first(q), caches, own, first(o));
    }
    for (const { numPages, pages, table: made, blocks } of widened.parts) {
      const mark = scope.mark();
      const shape = [numPages, ...caches.kCache.shape.slice(1)];
      const [k, v] = [scope.empty(q.dtype, shape), scope.empty(q.dtype, shape)];
      scope.device.launch(pageWiden, { ...caches, table, pages, k, v, vScale: own.vScale });
      const rows = { q, kCache: k, vCache: v, table: made, blocks, o };
      this.#listed(scope, config, rows, own.scale);
      scope.releaseSince(mark, []);
    }
  }

  #prefill(batch: StepBatch, q: Tensor, caches: Caches, own: ReadScales, o: Tensor): void {
    const { scope, table, queryStart, lens } = batch;
    const { numHeads, numKvHeads, headDim, window } = this.#config;
    const group = numHeads / numKvHeads;
    const prefill = prefillOptions(scope.device, scope.options, q.dtype, headDim, group);
    const args = { q, ...caches, table, queryStart, lens, o, ...own, window };
    const options = this.#variant.of(prefill);
    if (this.#sinks === undefined) scope.device.launch(prefillAttention, args, options);
    else {
      const sinks = reshape(this.#sinks, [numHeads]);
      scope.device.launch(prefillSinkAttention, { ...args, sinks }, options);
    }
  }

  /** @param into `[S, HQ, D]`; one of its own where absent */
  #decode(batch: StepBatch, q: Tensor, caches: Caches, own: ReadScales, into?: Tensor): Tensor {
    if (batch.sharedRows !== undefined && this.#shared !== undefined)
      return this.#shared.apply(batch, batch.sharedRows, q, caches, own);
    const { scope, table, lens, numSequences: s } = batch;
    const { numHeads, numKvHeads, headDim, window } = this.#config;
    const group = numHeads / numKvHeads;
    const shape = attentionShape(scope.device, q.dtype, headDim, group);
    const options = optionsOfLine(optionsOfDecode(shape, scope.options.pagedDecode), s);
    const programs = decodePrograms(scope.device, shape, options.config, {
      kvHeads: numKvHeads,
      sequences: s,
      cache: caches.kCache.dtype,
    });
    const rows = s + programs;
    const grouped = [s, numKvHeads, group, headDim];
    const arrived = mergesInPlace(s, programs)
      ? countersOf(this.#arrived, [s, numKvHeads, group])
      : undefined;
    const partial = scope.empty("f32", [rows, numKvHeads, group, headDim]);
    const lse = scope.empty("f32", [rows, numKvHeads, group]);
    const o = reshape(into ?? scope.empty(q.dtype, q.shape), grouped);
    const pieces = { partial, lse, lens, window };
    const keys = { q: reshape(q, grouped), ...caches, table, ...own };
    const sinks = this.#sinks;
    if (arrived !== undefined) {
      const args = { ...keys, ...pieces, arrived, o };
      const merged = this.#variant.of(options.merged);
      if (sinks === undefined) scope.device.launch(pagedDecodeMerged, args, merged);
      else scope.device.launch(pagedDecodeMergedSinks, { ...args, sinks }, merged);
      return o;
    }
    scope.device.launch(pagedDecode, { ...keys, ...pieces }, this.#variant.of(options.decode));
    const merge = optionsOfMerge(options, s, programs);
    if (sinks === undefined) scope.device.launch(pagedDecodeMerge, { ...pieces, o }, merge);
    else scope.device.launch(pagedDecodeMergeSinks, { ...pieces, o, sinks }, merge);
    return o;
  }
}

/** Sizes of the pages that a layer's prompts are widened to. @param config of `listedAttention` */
export function wideningShape(
  { numHeads, numKvHeads, headDim }: AttentionConfig,
  dtype: DType,
  page: number,
  { BM, heads: section }: ListedConfig,
): WideningShape {
  return { numHeads, numKvHeads, headDim, page, elementBytes: storageBytes(dtype, 1), BM, section };
}

/** Checkpoint tensors of q, k and v, whose rows follow one another. */
function projections({ name, qkv, numHeads, numKvHeads, headDim }: AttentionConfig) {
  const rows = [numHeads * headDim, numKvHeads * headDim, numKvHeads * headDim];
  const total = rows.reduce((sum, n) => sum + n, 0);
  return qkv.map((part, i) => ({
    name: `${name}.${part}`,
    rows: qkv.length === 1 ? total : (rows[i] ?? 0),
  }));
}
