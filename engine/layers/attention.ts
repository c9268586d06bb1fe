/** [engine/layers] Attention over the paged cache: projections, rotary embedding with the cache write, prefill or decode kernel. */
import {
  decodeMerge,
  pagedDecode,
  prefillAttention,
  qkNorm,
  ropeKvWrite,
} from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import { attentionOptions } from "./launch-options.ts";
import { Linear } from "./linear.ts";
import type { RopeOptions } from "./rope-table.ts";

export interface AttentionConfig {
  readonly kind: "attention";
  /** Prefix of the weights' names. */
  readonly name: string;
  readonly numHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
  /** Biases on q, k and v; on the output projection. */
  readonly qkvBias: boolean;
  readonly outputBias: boolean;
  /** RMS norm of each query and key head before the rotation, with this eps. */
  readonly qkNormEps: number | undefined;
  /** Positions attended to, the own one included; 0 is all. */
  readonly window: number;
  /** Factor of the scores. */
  readonly scale: number;
  readonly rope: RopeOptions;
}

export class Attention {
  readonly #config: AttentionConfig;
  readonly #qkv: Linear;
  readonly #output: Linear;
  readonly #norms: { readonly wq: Tensor; readonly wk: Tensor; readonly eps: number } | undefined;
  /** `[P, 2, D / 2]` f32 */
  readonly #cosSin: Tensor;

  constructor({ weights, hidden, ropes }: BuildContext, config: AttentionConfig) {
    const { name, numHeads, numKvHeads, headDim, qkNormEps } = config;
    const parts = [
      { name: `${name}.q_proj`, rows: numHeads * headDim },
      { name: `${name}.k_proj`, rows: numKvHeads * headDim },
      { name: `${name}.v_proj`, rows: numKvHeads * headDim },
    ];
    const output = { name: `${name}.o_proj`, rows: hidden };
    this.#config = config;
    this.#cosSin = ropes.tensor(config.rope);
    this.#qkv = Linear.load(weights, parts, hidden, config.qkvBias);
    this.#output = Linear.load(weights, [output], numHeads * headDim, config.outputBias);
    if (qkNormEps !== undefined) {
      const norm = (part: string) => weights.tensor(`${name}.${part}.weight`, [headDim]);
      this.#norms = { wq: norm("q_norm"), wk: norm("k_norm"), eps: qkNormEps };
    }
  }

  /** @param x `[N, H]` @returns `[N, H]`; keys and values of the rows are in the cache afterwards */
  apply(batch: StepBatch, x: Tensor, cache: LayerCache): Tensor {
    const { scope, numTokens } = batch;
    const { numHeads, numKvHeads, headDim } = this.#config;
    const flat = this.#qkv.apply(scope, x);
    const qkv = reshape(flat, [numTokens, numHeads + 2 * numKvHeads, headDim]);
    if (this.#norms !== undefined) {
      scope.device.launch(qkNorm, { qkv, ...this.#norms, numQ: numHeads, numK: numKvHeads });
    }
    const q = scope.empty(x.dtype, [numTokens, numHeads, headDim]);
    const { positions, slots } = batch;
    const caches = { kCache: cache.keys, vCache: cache.values };
    const rope = { qkv, positions, cosSin: this.#cosSin, slots, q, ...caches };
    scope.device.launch(ropeKvWrite, rope, scope.options.ropeKvWrite);
    const o = batch.isDecode ? this.#decode(batch, q, caches) : this.#prefill(batch, q, caches);
    return this.#output.apply(scope, reshape(o, [numTokens, numHeads * headDim]));
  }

  #prefill(
    batch: StepBatch,
    q: Tensor,
    caches: { readonly kCache: Tensor; readonly vCache: Tensor },
  ): Tensor {
    const { scope, table, queryStart, lens } = batch;
    const o = scope.empty(q.dtype, q.shape);
    const { numHeads, numKvHeads, headDim, window, scale } = this.#config;
    const group = numHeads / numKvHeads;
    const { prefill } = attentionOptions(scope.device, scope.options, q.dtype, headDim, group);
    const args = { q, ...caches, table, queryStart, lens, o, scale, window };
    scope.device.launch(prefillAttention, args, prefill);
    return o;
  }

  #decode(
    batch: StepBatch,
    q: Tensor,
    caches: { readonly kCache: Tensor; readonly vCache: Tensor },
  ): Tensor {
    const { scope, table, lens, numSequences: s, numSplits } = batch;
    const { numHeads, numKvHeads, headDim, window, scale } = this.#config;
    const group = numHeads / numKvHeads;
    const grouped = [s, numKvHeads, group, headDim];
    const partial = scope.empty("f32", [s, numKvHeads, numSplits, group, headDim]);
    const lse = scope.empty("f32", [s, numKvHeads, numSplits, group]);
    const o = scope.empty(q.dtype, grouped);
    const split = { q: reshape(q, grouped), ...caches, table, lens, partial, lse, scale, window };
    const { decode } = attentionOptions(scope.device, scope.options, q.dtype, headDim, group);
    scope.device.launch(pagedDecode, split, decode);
    scope.device.launch(decodeMerge, { partial, lse, o }, scope.options.decodeMerge);
    return o;
  }
}
