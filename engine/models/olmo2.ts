/** [engine/models] OLMo 2: norms after the layers instead of before them, and over whole projections of queries and keys. Wiring only. */
import { decoderConfig, type ModelFamily } from "./model.ts";

export const olmo2: ModelFamily = {
  architectures: ["Olmo2ForCausalLM"],
  configure: (config, maxModelLen) => {
    const eps = config.rms_norm_eps;
    const after = (name: string) => ({ before: undefined, after: { name, eps, offset: 0 } });
    return decoderConfig(config, maxModelLen, {
      attention: () => ({
        qkvBias: config.attention_bias ?? false,
        outputBias: config.attention_bias ?? false,
        qkNorm: { over: "row", eps, offset: 0 },
      }),
      norms: (block) => ({
        mixer: after(`${block}.post_attention_layernorm`),
        feedForward: after(`${block}.post_feedforward_layernorm`),
      }),
    });
  },
};
