/** [engine/models] DeepSeek-V2: latent attention, and experts by softmax beside shared ones, after a few dense layers. Wiring only. */
import type { DecoderConfig } from "../layers/decoder.ts";
import { USUAL_PROJECTIONS } from "../layers/experts.ts";
import type { LatentAttentionConfig } from "../layers/latent-attention.ts";
import type { MoeConfig } from "../layers/moe.ts";
import type { RouterConfig } from "../layers/router.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { expertCounts } from "./expert-counts.ts";
import { attentionConfig, decoderConfig, expect, type ModelFamily } from "./model.ts";

export const deepseekV2: ModelFamily = {
  architectures: ["DeepseekV2ForCausalLM"],
  configure: (config, maxModelLen) =>
    deepseekConfig(config, maxModelLen, () => ({
      scores: { kind: "softmax" },
      renormalize: config.norm_topk_prob ?? false,
      scaling: config.routed_scaling_factor ?? 1,
      ...(config.topk_method === "group_limited_greedy" ? { groups: groupsOf(config) } : {}),
    })),
};

type Routing = Pick<RouterConfig, "scores" | "renormalize" | "scaling" | "groups">;

/** What the generations share. @param routing how the router of the layer with this prefix chooses */
export function deepseekConfig(
  config: RawConfig,
  maxModelLen: number,
  routing: (mlp: string) => Routing,
): DecoderConfig {
  const attention = latentAttention(config, maxModelLen);
  return decoderConfig(config, maxModelLen, {
    mixer: (block) => ({ ...attention, name: `${block}.self_attn` }),
    feedForward: (layer) =>
      isDense(config, layer) ? undefined : experts(config, `model.layers.${layer}.mlp`, routing),
  });
}

/** @throws ModelError TW4214 where the groups do not divide the experts */
export function groupsOf(config: RawConfig) {
  const { numExperts, topK } = expertCounts(config);
  const [count, kept] = [config.n_group ?? 1, config.topk_group ?? 1];
  const fits = numExperts % count === 0 && kept <= count && (kept * numExperts) / count >= topK;
  expect(fits, "n_group", `${count}, ${kept} of them kept`, `groups of ${numExperts} experts`);
  return { count, kept };
}

function isDense(config: RawConfig, layer: number): boolean {
  if (layer < (config.first_k_dense_replace ?? 0)) return true;
  return layer % (config.moe_layer_freq ?? 1) !== 0;
}

function experts(config: RawConfig, mlp: string, routing: (mlp: string) => Routing): MoeConfig {
  const size = need(config, "moe_intermediate_size");
  const shared = config.n_shared_experts ?? 0;
  return {
    kind: "moe",
    router: { ...expertCounts(config), name: `${mlp}.gate`, hasBias: false, ...routing(mlp) },
    experts: {
      intermediateSize: size,
      gate: "silu",
      tensors: { kind: "separate", name: `${mlp}.experts`, projections: USUAL_PROJECTIONS },
    },
    ...(shared === 0 ? {} : { shared: { mlp: sharedExpert(mlp, shared * size) } }),
  };
}

function sharedExpert(mlp: string, intermediateSize: number) {
  return {
    kind: "gated",
    name: `${mlp}.shared_experts`,
    intermediateSize,
    activation: "silu",
    gateUp: ["gate_proj", "up_proj"],
    hasBias: false,
  } as const;
}

function latentAttention(
  config: RawConfig,
  maxModelLen: number,
): Omit<LatentAttentionConfig, "name"> {
  const rotaryDim = need(config, "qk_rope_head_dim");
  const plainDim = need(config, "qk_nope_head_dim");
  expect(rotaryDim % 2 === 0, "qk_rope_head_dim", String(rotaryDim), "an even integer");
  const { rope } = attentionConfig({ ...config, head_dim: rotaryDim }, maxModelLen);
  const { factor, mscale_all_dim: allDim } = rope.parameters;
  // Where yarn stretches the context, scores are sharpened by the square of its temperature. Source: the reference code of DeepSeek-V2.
  const sharpness = factor && factor > 1 && allDim ? 0.1 * allDim * Math.log(factor) + 1 : 1;
  return {
    kind: "latent-attention",
    numHeads: config.num_attention_heads,
    queryRank: config.q_lora_rank ?? undefined,
    latentRank: need(config, "kv_lora_rank"),
    plainDim,
    rotaryDim,
    valueDim: need(config, "v_head_dim"),
    hasBias: config.attention_bias ?? false,
    eps: config.rms_norm_eps,
    scale: (plainDim + rotaryDim) ** -0.5 * sharpness ** 2,
    isInterleaved: config.rope_interleave ?? true,
    rope,
  };
}

type SizeField =
  | "kv_lora_rank"
  | "moe_intermediate_size"
  | "qk_nope_head_dim"
  | "qk_rope_head_dim"
  | "v_head_dim";

function need(config: RawConfig, field: SizeField): number {
  const value = config[field] ?? 0;
  expect(value > 0, field, "nothing", "a size");
  return value;
}
