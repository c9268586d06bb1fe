/** [engine/layers] The pre-norm decoder that Llama and its kin share: embedding, blocks, final norm, head. Wiring of a family is in models/. */
import { embedding } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import { Attention, type AttentionConfig } from "./attention.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import { Linear } from "./linear.ts";
import { GatedMlp } from "./mlp.ts";
import { RmsNorm } from "./norm.ts";
import { type RopeOptions, ropeTable } from "./rope-table.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface DecoderConfig {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly numLayers: number;
  readonly rmsNormEps: number;
  readonly tieWordEmbeddings: boolean;
  readonly mlpBias: boolean;
  readonly attention: Omit<AttentionConfig, "window" | "hiddenSize">;
  /** Window of each layer; 0 is full attention. */
  readonly windows: readonly number[];
  readonly rope: RopeOptions;
}

interface Block {
  readonly inputNorm: RmsNorm;
  readonly attention: Attention;
  readonly postNorm: RmsNorm;
  readonly mlp: GatedMlp;
}

export class Decoder {
  readonly config: DecoderConfig;
  readonly #embedding: Tensor;
  readonly #blocks: readonly Block[];
  readonly #finalNorm: RmsNorm;
  readonly #head: Linear;

  constructor(weights: WeightLoader, config: DecoderConfig) {
    const { hiddenSize: hidden, rmsNormEps: eps, rope } = config;
    this.config = config;
    this.#embedding = weights.tensor("model.embed_tokens.weight", [config.vocabSize, hidden]);
    const cosSin = weights.table(ropeTable(rope), [rope.maxPositions, 2, rope.headDim / 2]);
    this.#blocks = config.windows.map((window, i) => {
      const name = `model.layers.${i}`;
      return {
        inputNorm: RmsNorm.load(weights, `${name}.input_layernorm`, hidden, eps),
        attention: new Attention(
          weights,
          `${name}.self_attn`,
          { ...config.attention, hiddenSize: hidden, window },
          cosSin,
        ),
        postNorm: RmsNorm.load(weights, `${name}.post_attention_layernorm`, hidden, eps),
        mlp: new GatedMlp(weights, `${name}.mlp`, hidden, config.intermediateSize, config.mlpBias),
      };
    });
    this.#finalNorm = RmsNorm.load(weights, "model.norm", hidden, eps);
    if (config.tieWordEmbeddings) {
      weights.skip("lm_head.weight");
      this.#head = new Linear(this.#embedding, undefined);
    } else
      this.#head = Linear.load(
        weights,
        [{ name: "lm_head", rows: config.vocabSize }],
        hidden,
        false,
      );
  }

  /** @returns normalised hidden states of every row, `[N, H]` */
  forward(batch: StepBatch, caches: readonly LayerCache[]): Tensor {
    const { scope, tokens, numTokens } = batch;
    const residual = scope.empty(batch.dtype, [numTokens, this.config.hiddenSize]);
    scope.device.launch(embedding, { ids: tokens, table: this.#embedding, y: residual });
    let update: Tensor | undefined;
    this.#blocks.forEach((block, i) => {
      const cache = caches[i];
      if (cache === undefined) throw new RangeError(`layer ${i} has no cache`);
      const x =
        update === undefined
          ? block.inputNorm.apply(scope, residual)
          : block.inputNorm.addAndApply(scope, update, residual);
      const attended = block.attention.apply(batch, x, cache);
      update = block.mlp.apply(scope, block.postNorm.addAndApply(scope, attended, residual));
    });
    return update === undefined
      ? this.#finalNorm.apply(scope, residual)
      : this.#finalNorm.addAndApply(scope, update, residual);
  }

  /** @param hidden `[R, H]` @returns logits `[R, V]`, f32 */
  logits(scope: StepScope, hidden: Tensor): Tensor {
    return this.#head.apply(scope, hidden, "f32");
  }
}
