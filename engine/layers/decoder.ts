/** [engine/layers] What all decoders share: embedding, blocks, final norm, head. Wiring of a family is in models/. */
import type { DType } from "../../dsl/index.ts";
import { capLogits, embedding, embeddingWithPositions } from "../../dsl/kernels/catalogue.ts";
import type { LaunchOptions, Tensor } from "../../runtime/index.ts";
import { ArrivalCounters } from "./arrival-counters.ts";
import type { LayerCache, ModelBatch } from "./batch.ts";
import { Block, type BlockConfig } from "./blocks.ts";
import { RopeTables } from "./build-context.ts";
import { optionsUnless } from "./launch-options.ts";
import { Linear } from "./linear.ts";
import { loadNorm, type Norm, type NormConfig } from "./norm.ts";
import { ResidualStream } from "./residual.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface DecoderConfig {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly norm: NormConfig;
  readonly tieWordEmbeddings: boolean;
  /** Prefixes of tensor names. */
  readonly names: DecoderNames;
  /** Factor of the token embeddings. */
  readonly embeddingScale: number;
  /** Learned embeddings of positions, added to those of tokens. */
  readonly positions: { readonly name: string; readonly count: number } | undefined;
  /** Factor of the logits, then their bound by a soft cap; 0 for none. */
  readonly logitScale: number;
  readonly logitCap: number;
  readonly blocks: readonly BlockConfig[];
}

export interface DecoderNames {
  readonly embedding: string;
  readonly finalNorm: string;
  readonly head: string;
}

export class Decoder {
  readonly config: DecoderConfig;
  readonly #embedding: Tensor;
  readonly #embeddingOptions: LaunchOptions | undefined;
  /** `[P, H]` */
  readonly #positions: Tensor | undefined;
  readonly #blocks: readonly Block[];
  readonly #finalNorm: Norm;
  readonly #head: Linear;

  /** @param cacheDtype of cached keys and values */
  constructor(weights: WeightLoader, config: DecoderConfig, cacheDtype: DType = weights.dtype) {
    const { hiddenSize: hidden, vocabSize: rows, norm, names, positions } = config;
    this.config = config;
    this.#embedding = weights.tensor(`${names.embedding}.weight`, [rows, hidden]);
    const { embeddingScale: SCALE } = config;
    this.#embeddingOptions = optionsUnless(SCALE === 1, { SCALE });
    this.#positions = positions && weights.tensor(positions.name, [positions.count, hidden]);
    const arrivals = new ArrivalCounters(weights);
    const context = { weights, hidden, norm, ropes: new RopeTables(weights), arrivals, cacheDtype };
    this.#blocks = config.blocks.map((block) => new Block(context, block));
    this.#finalNorm = loadNorm(weights, names.finalNorm, hidden, norm);
    if (config.tieWordEmbeddings) {
      weights.skip(`${names.head}.weight`);
      this.#head = new Linear(this.#embedding, undefined);
    } else this.#head = Linear.load(weights, [{ name: names.head, rows }], hidden, false);
  }

  /** @returns normalised hidden states of every row, `[N, H]` */
  forward(batch: ModelBatch, caches: readonly LayerCache[]): Tensor {
    const { scope, groups, ...step } = batch;
    const batches = groups.map((tables) => ({ ...step, scope, ...tables }));
    const mark = scope.mark();
    const stream = new ResidualStream(scope, this.#embed(batch));
    this.#blocks.forEach((block, i) => {
      const cache = caches[i];
      const own = batches[cache?.group ?? -1];
      if (cache === undefined || own === undefined) throw new RangeError(`layer ${i} has no cache`);
      block.apply(own, stream, cache);
      scope.releaseSince(mark, stream.tensors);
    });
    const hidden = stream.read(this.#finalNorm);
    scope.releaseSince(mark, [hidden]);
    return hidden;
  }

  /** @param hidden `[R, H]` @returns logits `[R, V]`, f32 */
  logits(scope: StepScope, hidden: Tensor): Tensor {
    const x = this.#head.apply(scope, hidden, "f32");
    const { logitScale: scale, logitCap: cap } = this.config;
    if (scale !== 1 || cap !== 0) {
      scope.device.launch(capLogits, { x, scale, cap }, scope.options.alongVocabulary);
    }
    return x;
  }

  #embed({ scope, tokens, positions, numTokens, dtype }: ModelBatch): Tensor {
    const y = scope.empty(dtype, [numTokens, this.config.hiddenSize]);
    const args = { ids: tokens, table: this.#embedding, y };
    const learned = this.#positions;
    if (learned === undefined) scope.device.launch(embedding, args, this.#embeddingOptions);
    else scope.device.launch(embeddingWithPositions, { ...args, positions, learned });
    return y;
  }
}
