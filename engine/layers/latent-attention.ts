/** [engine/layers] Multi-head latent attention (MLA): a cache of latents, and up-projections absorbed into queries and outputs, or keys and values made of them for prompts. */
import {
  headLinear,
  mlaDecode,
  mlaExpand,
  mlaGather,
  mlaPrefill,
  mlaRope,
  mlaRopeWhole,
  mlaWrite,
  pagedDecodeMerge,
  raggedAttention,
} from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import {
  attentionShape,
  latentPrograms,
  optionsOfLatentDecode,
  optionsOfLatentMerge,
  optionsOfLine,
} from "./decode-options.ts";
import type { ExpandedPrompts } from "./expanded-prompts.ts";
import { type ExpansionOptions, expansionOptions } from "./expansion-options.ts";
import { firstOf } from "./first-rows.ts";
import { decodeByHalves, type HalvesOptions, halvesOptions, takesHalves } from "./latent-halves.ts";
import { ExtendedOptions, latentPrefillOptions } from "./launch-options.ts";
import { Linear } from "./linear.ts";
import { loadNorm, type Norm } from "./norm.ts";
import type { RopeOptions } from "./rope-table.ts";
import type { StepScope } from "./scope.ts";

export interface LatentAttentionConfig {
  readonly kind: "latent-attention";
  /** Prefix of the weights' names. */
  readonly name: string;
  readonly numHeads: number;
  /** Rank of the queries' down-projection; undefined where queries are projected at once. */
  readonly queryRank: number | undefined;
  /** Rank of the latents that the cache holds. */
  readonly latentRank: number;
  /** Dims of a query and key head that are not rotated, that are, and of a value head. */
  readonly plainDim: number;
  readonly rotaryDim: number;
  readonly valueDim: number;
  readonly hasBias: boolean;
  /** Of the norms of down-projected queries and of latents. */
  readonly eps: number;
  /** Factor of the scores. */
  readonly scale: number;
  /** True where rotated pairs are neighbours in the projections, false where they are halves. */
  readonly isInterleaved: boolean;
  readonly rope: RopeOptions;
}

/** What queries come from: the layer's input, or a normalised down-projection of it. */
interface Queries {
  readonly down: { readonly linear: Linear; readonly norm: Norm } | undefined;
  readonly up: Linear;
}

export class LatentAttention {
  readonly #config: LatentAttentionConfig;
  readonly #queries: Queries;
  /** Latent and rotated part of the key, before norm and rotation. */
  readonly #keyValues: Linear;
  /** `[R]` */
  readonly #latentNorm: Tensor;
  /** `[H, plain + value, R]` */
  readonly #up: Tensor;
  readonly #output: Linear;
  /** `[P, 2, rotary / 2]` f32 */
  readonly #cosSin: Tensor;
  readonly #rope: ExtendedOptions;
  readonly #absorb: ExtendedOptions;
  #halves: { readonly options: HalvesOptions | undefined } | undefined;
  #expansion: { readonly options: ExpansionOptions | undefined } | undefined;

  constructor(context: BuildContext, config: LatentAttentionConfig) {
    const { weights, hidden, ropes } = context;
    const { name, numHeads, latentRank, plainDim, rotaryDim, valueDim, hasBias } = config;
    const load = (part: string, rows: number, inputs: number, bias: boolean) =>
      Linear.load(weights, [{ name: `${name}.${part}`, rows }], inputs, bias);
    this.#config = config;
    this.#cosSin = ropes.tensor(config.rope);
    this.#rope = new ExtendedOptions(config.isInterleaved ? {} : { INTERLEAVED: false });
    this.#absorb = new ExtendedOptions({ TRANSPOSED: true, DEPTH: plainDim });
    this.#queries = loadQueries(context, config);
    this.#keyValues = load("kv_a_proj_with_mqa", latentRank + rotaryDim, hidden, hasBias);
    this.#latentNorm = weights.tensor(`${name}.kv_a_layernorm.weight`, [latentRank]);
    const upRows = numHeads * (plainDim + valueDim);
    const up = weights.floats({ name: `${name}.kv_b_proj`, rows: upRows, inputs: latentRank });
    this.#up = reshape(up, [numHeads, plainDim + valueDim, latentRank]);
    this.#output = load("o_proj", hidden, numHeads * valueDim, hasBias);
  }

  /** @param x `[N, H]` @returns `[N, H]`; latents and rotated keys of the rows are in the cache afterwards */
  apply(batch: StepBatch, x: Tensor, cache: LayerCache): Tensor {
    const { scope, numTokens, positions, slots } = batch;
    const { numHeads, plainDim, rotaryDim, valueDim, eps } = this.#config;
    const flat = this.#projectQueries(scope, x);
    const q = reshape(flat, [numTokens, numHeads, plainDim + rotaryDim]);
    const kv = this.#keyValues.apply(scope, x);
    const caches = { latents: cache.keys, ropes: cache.values };
    const angles = { positions, cosSin: this.#cosSin };
    const write = { kv, w: this.#latentNorm, ...angles, slots, ...caches, eps };
    scope.device.launch(mlaWrite, write, this.#rope.of(undefined));
    const o = scope.empty(x.dtype, [numTokens, numHeads, valueDim]);
    const options = this.#optionsOf(scope, x);
    const prompts = options && batch.rowBlocks?.expanded(options.shape);
    if (options === undefined || prompts === undefined) this.#absorbed(batch, q, caches, o);
    else {
      const others = firstOf(batch, prompts);
      if (others.numTokens > 0) this.#absorbed(others, q, caches, o);
      this.#expanded(batch, q, caches, { o, prompts, options });
    }
    return this.#output.apply(scope, reshape(o, [numTokens, numHeads * valueDim]));
  }

  #optionsOf({ options }: StepScope, { dtype }: Tensor): ExpansionOptions | undefined {
    this.#expansion ??= { options: expansionOptions(options, dtype, this.#config) };
    return this.#expansion.options;
  }

  /** The batch's rows by the absorbed form; q and o may have more. */
  #absorbed(batch: StepBatch, q: Tensor, caches: Caches, o: Tensor): void {
    const { scope, numTokens, positions } = batch;
    const { numHeads, latentRank, plainDim, rotaryDim } = this.#config;
    const own = { ...q, shape: [numTokens, ...q.shape.slice(1)] };
    const qRope = scope.empty(q.dtype, [numTokens, numHeads, rotaryDim]);
    const args = { q: own, positions, cosSin: this.#cosSin, qRope };
    scope.device.launch(mlaRope, args, this.#rope.of(scope.options.ropeKvWrite));
    const absorbed = scope.empty(q.dtype, [numTokens, numHeads, latentRank]);
    this.#throughHeads(scope, own, absorbed, 0, true);
    const latent = batch.isDecode
      ? this.#decode(batch, absorbed, qRope, caches)
      : this.#prefill(batch, absorbed, qRope, caches);
    const y = { ...o, shape: [numTokens, ...o.shape.slice(1)] };
    this.#throughHeads(scope, latent, y, plainDim, false);
  }

  /** Rows of prompts by keys and values that are made of latents, past ones and new ones. */
  #expanded(
    { scope, positions, table }: StepBatch,
    q: Tensor,
    caches: Caches,
    { o, prompts, options }: Expansion,
  ): void {
    const { device } = scope;
    const { dtype } = q;
    const { numHeads, latentRank, plainDim, rotaryDim, valueDim, scale } = this.#config;
    const whole = scope.empty(dtype, q.shape);
    const args = { q, positions, cosSin: this.#cosSin, y: whole };
    device.launch(mlaRopeWhole, args, this.#rope.of(scope.options.ropeKvWrite));
    for (const { numKeys, heads, hasSections, copies, blocks } of prompts.parts) {
      const mark = scope.mark();
      const x = scope.empty(dtype, [numKeys, latentRank]);
      const k = scope.empty(dtype, [numKeys, heads, plainDim + rotaryDim]);
      const v = scope.empty(dtype, [numKeys, heads, valueDim]);
      device.launch(mlaGather, { ...caches, table, copies, x, k }, options.gather);
      const attention = hasSections ? options.attentionBySections : options.attention;
      for (let firstHead = 0; firstHead < numHeads; firstHead += heads) {
        const from = { x, w: this.#up, firstHead };
        device.launch(mlaExpand, { ...from, first: 0, y: k }, options.keys);
        device.launch(mlaExpand, { ...from, first: plainDim, y: v }, options.values);
        device.launch(raggedAttention, { q: whole, k, v, blocks, o, scale, firstHead }, attention);
      }
      scope.releaseSince(mark, []);
    }
  }

  #projectQueries(scope: StepScope, x: Tensor): Tensor {
    const { down, up } = this.#queries;
    if (down === undefined) return up.apply(scope, x);
    return up.apply(scope, down.norm.apply(scope, down.linear.apply(scope, x)));
  }

  /** Each head through its part of the up-projection, rows from `first` on; transposed, the rows are the terms of a sum. */
  #throughHeads(
    scope: StepScope,
    x: Tensor,
    y: Tensor,
    first: number,
    isTransposed: boolean,
  ): void {
    const usual = scope.options.headLinear;
    const options: LaunchOptions | undefined = isTransposed ? this.#absorb.of(usual) : usual;
    scope.device.launch(headLinear, { x, w: this.#up, y, first }, options);
  }

  #prefill(batch: StepBatch, q: Tensor, qRope: Tensor, caches: Caches): Tensor {
    const { scope, table, queryStart, lens } = batch;
    const o = scope.empty(q.dtype, q.shape);
    const { latentRank, rotaryDim, numHeads, scale } = this.#config;
    const { device, options } = scope;
    const keyDim = latentRank + rotaryDim;
    const prefill = latentPrefillOptions(device, options, q.dtype, keyDim, numHeads);
    const args = { q, qRope, ...caches, table, queryStart, lens, o, scale };
    scope.device.launch(mlaPrefill, args, prefill);
    return o;
  }

  #decode(batch: StepBatch, q: Tensor, qRope: Tensor, caches: Caches): Tensor {
    const { scope, table, lens, numSequences: s } = batch;
    const { numHeads, latentRank, rotaryDim, scale } = this.#config;
    const { device } = scope;
    const [, page = 0] = caches.latents.shape;
    this.#halves ??= { options: halvesOptions(scope.options, q.dtype, this.#config, page) };
    const { options: halves } = this.#halves;
    if (halves !== undefined && takesHalves(s))
      return decodeByHalves(batch, { q, qRope, ...caches, scale }, halves);
    const shape = attentionShape(device, q.dtype, latentRank + rotaryDim, numHeads);
    const options = optionsOfLine(optionsOfLatentDecode(shape, scope.options.pagedDecode), s);
    const programs = latentPrograms(device, shape, options.config, s);
    const partial = scope.empty("f32", [s + programs, 1, numHeads, latentRank]);
    const lse = scope.empty("f32", [s + programs, 1, numHeads]);
    const o = scope.empty(q.dtype, [s, 1, numHeads, latentRank]);
    const args = { q, qRope, ...caches, table, lens, partial, lse, scale };
    device.launch(mlaDecode, args, options.decode);
    const merge = optionsOfLatentMerge(options, s, programs);
    device.launch(pagedDecodeMerge, { partial, lse, lens, o, window: 0 }, merge);
    return reshape(o, [s, numHeads, latentRank]);
  }
}

interface Caches {
  readonly latents: Tensor;
  readonly ropes: Tensor;
}

/** What the unabsorbed form takes besides queries and caches. */
interface Expansion {
  /** `[N, H, V]`, of which the prompts' rows are written. */
  readonly o: Tensor;
  readonly prompts: ExpandedPrompts;
  readonly options: ExpansionOptions;
}

function loadQueries({ weights, hidden }: BuildContext, config: LatentAttentionConfig): Queries {
  const { name, numHeads, plainDim, rotaryDim, queryRank, hasBias, eps } = config;
  const rows = numHeads * (plainDim + rotaryDim);
  if (queryRank === undefined) {
    const up = Linear.load(weights, [{ name: `${name}.q_proj`, rows }], hidden, false);
    return { down: undefined, up };
  }
  const down = { name: `${name}.q_a_proj`, rows: queryRank };
  const norm = { kind: "rms", eps, offset: 0, updateScale: 1 } as const;
  return {
    down: {
      linear: Linear.load(weights, [down], hidden, hasBias),
      norm: loadNorm(weights, `${name}.q_a_layernorm`, queryRank, norm),
    },
    up: Linear.load(weights, [{ name: `${name}.q_b_proj`, rows }], queryRank, false),
  };
}
