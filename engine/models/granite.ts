/** [engine/models] Granite 3: Llama with multipliers of embeddings, scores, residual updates and logits. Wiring only. */
import { decoderConfig, type ModelFamily } from "./model.ts";

export const granite: ModelFamily = {
  architectures: ["GraniteForCausalLM"],
  configure: (config, maxModelLen) => {
    const { attention_multiplier: scale, attention_bias: bias } = config;
    const decoder = decoderConfig(config, maxModelLen, {
      attention: () => ({
        qkvBias: bias ?? false,
        outputBias: bias ?? false,
        ...(scale === undefined || scale === null ? {} : { scale }),
      }),
    });
    const updateScale = config.residual_multiplier ?? 1;
    return {
      ...decoder,
      norm: { kind: "rms", eps: config.rms_norm_eps, offset: 0, updateScale },
      embeddingScale: config.embedding_multiplier ?? 1,
      logitScale: 1 / (config.logits_scaling ?? 1),
    };
  },
};
