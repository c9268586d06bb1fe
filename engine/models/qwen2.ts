/** [engine/models] Qwen2 and Qwen2.5: biases on q, k and v; a window on the upper layers where the config asks for it. Wiring only. */
import type { RawConfig } from "../weights/model-config.ts";
import { decoderConfig, type ModelFamily } from "./model.ts";

export const qwen2: ModelFamily = {
  architectures: ["Qwen2ForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, {
      attention: (layer) => ({ qkvBias: true, window: qwenWindow(config, layer) }),
    }),
};

/** @source default of transformers' Qwen2Config and Qwen3Config */
const DEFAULT_WINDOW_LAYERS = 28;

/** `layer_types` where it is given, else layers from `max_window_layers` on. */
export function qwenWindow(config: RawConfig, layer: number): number {
  const window = config.use_sliding_window === true ? (config.sliding_window ?? 0) : 0;
  const type = config.layer_types?.[layer];
  if (type !== undefined) return type === "sliding_attention" ? window : 0;
  return layer >= (config.max_window_layers ?? DEFAULT_WINDOW_LAYERS) ? window : 0;
}
