/** [engine/models] gpt-oss: attention sinks, a window on every other layer, experts with biases and a clamped gate. Wiring only. */
import { expertCounts } from "./expert-counts.ts";
import { isSliding } from "./gemma2.ts";
import { decoderConfig, type ModelFamily } from "./model.ts";

export const gptOss: ModelFamily = {
  architectures: ["GptOssForCausalLM"],
  layout: () => ({ transposed: /\.experts\.(gate_up_proj|down_proj)$/ }),
  configure: (config, maxModelLen) => {
    const counts = expertCounts(config);
    const hasBias = config.attention_bias ?? true;
    return decoderConfig(config, maxModelLen, {
      attention: (layer) => ({
        qkvBias: hasBias,
        outputBias: hasBias,
        hasSinks: true,
        window: isSliding(config, layer, 2) ? (config.sliding_window ?? 0) : 0,
      }),
      feedForward: (layer) => {
        const name = `model.layers.${layer}.mlp`;
        const [gateUp, down] = [`${name}.experts.gate_up_proj`, `${name}.experts.down_proj`];
        return {
          kind: "moe",
          router: {
            ...counts,
            name: `${name}.router`,
            hasBias: true,
            scores: { kind: "softmax" },
            renormalize: true,
            scaling: 1,
          },
          experts: {
            intermediateSize: config.intermediate_size,
            gate: "clamped",
            tensors: {
              kind: "stacked",
              gateUp,
              down,
              biases: { gateUp: `${gateUp}_bias`, down: `${down}_bias` },
              isInterleaved: true,
            },
          },
        };
      },
    });
  },
};
