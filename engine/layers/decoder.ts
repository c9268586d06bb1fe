/** [engine/layers] What all decoders share: embedding, blocks, final norm, head. Wiring of a family is in models/. */
import { embedding } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import { Block, type BlockConfig } from "./blocks.ts";
import { RopeTables } from "./build-context.ts";
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
  readonly #blocks: readonly Block[];
  readonly #finalNorm: Norm;
  readonly #head: Linear;

  constructor(weights: WeightLoader, config: DecoderConfig) {
    const { hiddenSize: hidden, vocabSize: rows, norm, names } = config;
    this.config = config;
    this.#embedding = weights.tensor(`${names.embedding}.weight`, [rows, hidden]);
    const context = { weights, hidden, norm, ropes: new RopeTables(weights) };
    this.#blocks = config.blocks.map((block) => new Block(context, block));
    this.#finalNorm = loadNorm(weights, names.finalNorm, hidden, norm);
    if (config.tieWordEmbeddings) {
      weights.skip(`${names.head}.weight`);
      this.#head = new Linear(this.#embedding, undefined);
    } else this.#head = Linear.load(weights, [{ name: names.head, rows }], hidden, false);
  }

  /** @returns normalised hidden states of every row, `[N, H]` */
  forward(batch: StepBatch, caches: readonly LayerCache[]): Tensor {
    const { scope } = batch;
    const stream = new ResidualStream(scope, this.#embed(batch));
    this.#blocks.forEach((block, i) => {
      const cache = caches[i];
      if (cache === undefined) throw new RangeError(`layer ${i} has no cache`);
      block.apply(batch, stream, cache);
    });
    return stream.read(this.#finalNorm);
  }

  /** @param hidden `[R, H]` @returns logits `[R, V]`, f32 */
  logits(scope: StepScope, hidden: Tensor): Tensor {
    return this.#head.apply(scope, hidden, "f32");
  }

  #embed({ scope, tokens, numTokens, dtype }: StepBatch): Tensor {
    const y = scope.empty(dtype, [numTokens, this.config.hiddenSize]);
    scope.device.launch(embedding, { ids: tokens, table: this.#embedding, y });
    return y;
  }
}
