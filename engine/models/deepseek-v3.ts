/** [engine/models] DeepSeek-V3 and R1: DeepSeek-V2 with a router by sigmoid, a bias on its choice, and groups. Wiring only. */
import { deepseekConfig, groupsOf } from "./deepseek-v2.ts";
import type { ModelFamily } from "./model.ts";

export const deepseekV3: ModelFamily = {
  architectures: ["DeepseekV3ForCausalLM"],
  layout: ({ num_hidden_layers: depth, num_nextn_predict_layers: extra }) => {
    // Layers past the last one predict further tokens; they draft for speculation.
    const layers = Array.from({ length: extra ?? 0 }, (_, i) => depth + i);
    return extra ? { ignored: new RegExp(`^model\\.layers\\.(${layers.join("|")})\\.`) } : {};
  },
  configure: (config, maxModelLen) =>
    deepseekConfig(config, maxModelLen, (mlp) => ({
      scores: { kind: "sigmoid", bias: `${mlp}.gate.e_score_correction_bias` },
      renormalize: config.norm_topk_prob ?? true,
      scaling: config.routed_scaling_factor ?? 1,
      groups: groupsOf(config),
    })),
};
