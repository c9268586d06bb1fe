/** [engine/models] Phi-3 and Phi-4-mini: projections fused in the checkpoint, longrope, rotation of part of the head. Wiring only. */
import { decoderConfig, type ModelFamily } from "./model.ts";

export const phi3: ModelFamily = {
  architectures: ["Phi3ForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, {
      attention: () => ({ qkv: ["qkv_proj"], window: config.sliding_window ?? 0 }),
      mlp: { gateUp: ["gate_up_proj"] },
    }),
};
