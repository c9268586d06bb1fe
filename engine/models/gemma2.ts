/** [engine/models] Gemma 2: norms on both sides of each layer, soft caps, a window on every other layer. Wiring only. */
import type { DecoderConfig } from "../layers/decoder.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { type BlockNorms, decoderConfig, type FamilyTraits, type ModelFamily } from "./model.ts";

export const gemma2: ModelFamily = {
  architectures: ["Gemma2ForCausalLM"],
  configure: (config, maxModelLen) =>
    gemmaConfig(config, maxModelLen, (layer) => ({
      window: isSliding(config, layer, 2) ? (config.sliding_window ?? 0) : 0,
    })),
};

/** What the generations of Gemma share. @param attention what they do not */
export function gemmaConfig(
  config: RawConfig,
  maxModelLen: number,
  attention: NonNullable<FamilyTraits["attention"]>,
): DecoderConfig {
  const { query_pre_attn_scalar: queryScalar, attention_bias: bias } = config;
  const decoder = decoderConfig(config, maxModelLen, {
    attention: (layer) => ({
      qkvBias: bias ?? false,
      outputBias: bias ?? false,
      softcap: config.attn_logit_softcapping ?? 0,
      ...(queryScalar === undefined || queryScalar === null ? {} : { scale: queryScalar ** -0.5 }),
      ...attention(layer),
    }),
    norms: (block) => normsAround(block, config.rms_norm_eps),
  });
  return {
    ...decoder,
    tieWordEmbeddings: config.tie_word_embeddings ?? true,
    norm: { kind: "rms", eps: config.rms_norm_eps, offset: 1, updateScale: 1 },
    embeddingScale: Math.sqrt(config.hidden_size),
    logitCap: config.final_logit_softcapping ?? 0,
  };
}

/** By `layer_types` where it is given, else all layers but every `pattern`th. */
export function isSliding(config: RawConfig, layer: number, pattern: number): boolean {
  const type = config.layer_types?.[layer];
  return type === undefined ? (layer + 1) % pattern !== 0 : type === "sliding_attention";
}

function normsAround(block: string, eps: number): BlockNorms {
  const after = (name: string) => ({ name: `${block}.${name}`, eps, offset: 1 });
  return {
    mixer: { before: `${block}.input_layernorm`, after: after("post_attention_layernorm") },
    feedForward: {
      before: `${block}.pre_feedforward_layernorm`,
      after: after("post_feedforward_layernorm"),
    },
  };
}
