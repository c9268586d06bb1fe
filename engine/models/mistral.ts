/** [engine/models] Mistral: Llama with a sliding window on every layer where the config names one. Wiring only. */
import { decoderConfig, type ModelFamily } from "./model.ts";

export const mistral: ModelFamily = {
  architectures: ["MistralForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, {
      attention: () => ({ window: config.sliding_window ?? 0 }),
    }),
};
