/** [engine/models] Gemma 3, text: Gemma 2 with norms of queries and keys, and rotary tables of their own for layers with a window. Wiring only. */
import type { RawConfig } from "../weights/model-config.ts";
import { gemmaConfig, isSliding } from "./gemma2.ts";
import { attentionConfig, type ModelFamily } from "./model.ts";

/** @source defaults of transformers' Gemma3TextConfig */
const PATTERN = 6;
const LOCAL_THETA = 10000;

export const gemma3: ModelFamily = {
  architectures: ["Gemma3ForCausalLM"],
  configure: (config, maxModelLen) => {
    const ropes = ropesOf(config, maxModelLen);
    return gemmaConfig(config, maxModelLen, (layer) => {
      const isLocal = isSliding(config, layer, config.sliding_window_pattern ?? PATTERN);
      return {
        qkNorm: { over: "head", eps: config.rms_norm_eps, offset: 1 },
        window: isLocal ? (config.sliding_window ?? 0) : 0,
        rope: isLocal ? ropes.local : ropes.global,
      };
    });
  },
};

/** One table for layers with a window, one for the others; the scaling of the config is the latter's. */
function ropesOf(config: RawConfig, maxModelLen: number) {
  const { rope } = attentionConfig(config, maxModelLen);
  const sections = config.rope_parameters;
  const local = sections?.sliding_attention;
  const global = sections?.full_attention;
  const localTheta = config.rope_local_base_freq ?? LOCAL_THETA;
  return {
    global: { ...rope, parameters: { ...rope.parameters, ...global } },
    local: {
      ...rope,
      parameters: { rope_type: "default", rope_theta: localTheta, ...local },
    },
  };
}
