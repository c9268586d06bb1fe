/** [engine/models] Mixtral: Mistral with experts in every layer, weighed by a softmax over those chosen. Wiring only. */
import { expertCounts } from "./expert-counts.ts";
import { decoderConfig, type ModelFamily } from "./model.ts";

export const mixtral: ModelFamily = {
  architectures: ["MixtralForCausalLM"],
  configure: (config, maxModelLen) => {
    const counts = expertCounts(config);
    return decoderConfig(config, maxModelLen, {
      attention: () => ({ window: config.sliding_window ?? 0 }),
      feedForward: (layer) => {
        const name = `model.layers.${layer}.block_sparse_moe`;
        return {
          kind: "moe",
          router: {
            ...counts,
            name: `${name}.gate`,
            hasBias: false,
            scores: { kind: "softmax" },
            renormalize: true,
            scaling: 1,
          },
          experts: {
            intermediateSize: config.intermediate_size,
            gate: "silu",
            tensors: {
              kind: "separate",
              name: `${name}.experts`,
              projections: { gate: "w1", up: "w3", down: "w2" },
            },
          },
        };
      },
    });
  },
};
