/** [engine/models] Qwen3 with experts: in the layers that the config does not keep dense. Wiring only. */
import { USUAL_PROJECTIONS } from "../layers/experts.ts";
import type { MoeConfig } from "../layers/moe.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { expertCounts } from "./expert-counts.ts";
import { decoderConfig, expect, type ModelFamily } from "./model.ts";
import { qwen3Attention } from "./qwen3.ts";

export const qwen3Moe: ModelFamily = {
  architectures: ["Qwen3MoeForCausalLM"],
  configure: (config, maxModelLen) =>
    decoderConfig(config, maxModelLen, {
      attention: (layer) => qwen3Attention(config, layer),
      feedForward: (layer) => (isDense(config, layer) ? undefined : experts(config, layer)),
    }),
};

/** All but every `decoder_sparse_step`-th layer, and those of `mlp_only_layers`. */
function isDense(config: RawConfig, layer: number): boolean {
  const isNamed = config.mlp_only_layers?.includes(layer) === true;
  return isNamed || (layer + 1) % (config.decoder_sparse_step ?? 1) !== 0;
}

function experts(config: RawConfig, layer: number): MoeConfig {
  const name = `model.layers.${layer}.mlp`;
  const size = config.moe_intermediate_size ?? 0;
  expect(size > 0, "moe_intermediate_size", "nothing", "the width of an expert");
  return {
    kind: "moe",
    router: {
      ...expertCounts(config),
      name: `${name}.gate`,
      hasBias: false,
      scores: { kind: "softmax" },
      renormalize: config.norm_topk_prob ?? false,
      scaling: 1,
    },
    experts: {
      intermediateSize: size,
      gate: "silu",
      tensors: { kind: "separate", name: `${name}.experts`, projections: USUAL_PROJECTIONS },
    },
  };
}
