/** [engine/models] What a model file provides, and the reading of config fields that families share. */
import { ModelError } from "../../dsl/index.ts";
import type { AttentionConfig } from "../layers/attention.ts";
import type { BlockConfig, FeedForwardConfig } from "../layers/blocks.ts";
import type { DecoderConfig } from "../layers/decoder.ts";
import { type RawConfig, ropeParameters } from "../weights/model-config.ts";

/** A family of checkpoints. The file of a model is this record: which architectures, and how their config maps to the decoder. */
export interface ModelFamily {
  /** Names in config.json's `architectures`. */
  readonly architectures: readonly string[];
  /** @param maxModelLen longest context that will be served; the rope table is that long */
  configure(config: RawConfig, maxModelLen: number): DecoderConfig;
}

/** How a family of the Llama kind differs from Llama. */
export interface FamilyTraits {
  /** Part of every attention layer's config that the family decides. */
  readonly attention: (layer: number) => Partial<AttentionConfig>;
  /** The dense gated block of the config where absent. */
  readonly feedForward?: (layer: number) => FeedForwardConfig;
}

/** @throws ModelError TW4214 for a setting that none of the families here has */
export function decoderConfig(
  config: RawConfig,
  maxModelLen: number,
  traits: FamilyTraits,
): DecoderConfig {
  expect(config.hidden_act === "silu", "hidden_act", config.hidden_act, "silu");
  const attention = attentionConfig(config, maxModelLen);
  const block = (i: number): BlockConfig => {
    const name = `model.layers.${i}`;
    const dense: FeedForwardConfig = {
      kind: "gated",
      name: `${name}.mlp`,
      intermediateSize: config.intermediate_size,
      hasBias: config.mlp_bias ?? false,
    };
    return {
      mixer: {
        before: `${name}.input_layernorm`,
        layer: { ...attention, name: `${name}.self_attn`, ...traits.attention(i) },
      },
      feedForward: {
        before: `${name}.post_attention_layernorm`,
        layer: traits.feedForward?.(i) ?? dense,
      },
    };
  };
  return {
    vocabSize: config.vocab_size,
    hiddenSize: config.hidden_size,
    norm: { kind: "rms", eps: config.rms_norm_eps },
    tieWordEmbeddings: config.tie_word_embeddings,
    names: { embedding: "model.embed_tokens", finalNorm: "model.norm", head: "lm_head" },
    blocks: Array.from({ length: config.num_hidden_layers }, (_, i) => block(i)),
  };
}

/** Full attention with rotary embedding and no biases, by the usual fields. */
function attentionConfig(config: RawConfig, maxModelLen: number): Omit<AttentionConfig, "name"> {
  const numHeads = config.num_attention_heads;
  const numKvHeads = config.num_key_value_heads ?? numHeads;
  const headDim = config.head_dim ?? config.hidden_size / numHeads;
  const divides = numHeads % numKvHeads === 0;
  expect(divides, "num_key_value_heads", String(numKvHeads), `a divisor of ${numHeads}`);
  const isEven = Number.isInteger(headDim) && headDim % 2 === 0;
  expect(isEven, "head_dim", String(headDim), "an even integer");
  return {
    kind: "attention",
    numHeads,
    numKvHeads,
    headDim,
    qkvBias: false,
    outputBias: false,
    qkNormEps: undefined,
    window: 0,
    scale: headDim ** -0.5,
    rope: {
      headDim,
      maxPositions: maxModelLen,
      trainedPositions: config.max_position_embeddings,
      parameters: ropeParameters(config),
    },
  };
}

/** @throws ModelError TW4214 where a field does not hold what the architecture needs */
export function expect(holds: boolean, field: string, seen: string, expected: string): void {
  if (holds) return;
  throw new ModelError({
    code: "TW4214",
    message: `config.json: '${field}' has a value that this architecture does not support`,
    seen,
    expected,
    remedy: "use another model, or correct the file",
  });
}
