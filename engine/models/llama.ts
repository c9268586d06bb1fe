/** [engine/models] Llama 1 to 3 and the models that kept its architecture. Wiring only. */
import { decoderConfig, type ModelFamily } from "./model.ts";

export const llama: ModelFamily = {
  architectures: ["LlamaForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, {
      attention: () => ({
        qkvBias: config.attention_bias ?? false,
        outputBias: config.attention_bias ?? false,
      }),
    }),
};
