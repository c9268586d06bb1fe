/** [engine/models] Qwen3, dense: RMS norm on every query and key head, no biases by default. Wiring only. */
import type { AttentionConfig } from "../layers/attention.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { decoderConfig, type ModelFamily } from "./model.ts";
import { qwenWindow } from "./qwen2.ts";

export const qwen3: ModelFamily = {
  architectures: ["Qwen3ForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, { attention: (layer) => qwen3Attention(config, layer) }),
};

/** What Qwen3 decides of an attention layer, with experts or without. */
export function qwen3Attention(config: RawConfig, layer: number): Partial<AttentionConfig> {
  return {
    qkvBias: config.attention_bias ?? false,
    outputBias: config.attention_bias ?? false,
    qkNorm: { over: "head", eps: config.rms_norm_eps, offset: 0 },
    window: qwenWindow(config, layer),
  };
}
