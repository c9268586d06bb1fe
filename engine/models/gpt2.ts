/** [engine/models] GPT-2: layer norms with biases, learned positions, a plain MLP. Wiring only. */
import type { BlockConfig } from "../layers/blocks.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { activationOf, attentionConfig, expect, type ModelFamily } from "./model.ts";

const PREFIX = "transformer.";

export const gpt2: ModelFamily = {
  architectures: ["GPT2LMHeadModel"],
  layout: () => ({
    optionalPrefix: PREFIX,
    transposed: /\.(c_attn|c_proj|c_fc)\.weight$/,
  }),
  configure: (config, maxModelLen) => {
    const plain = attentionConfig(config, maxModelLen);
    // One object for all layers: that is what they share a table by.
    const rope = { ...plain.rope, parameters: { rope_type: "none", rope_theta: 1 } } as const;
    const attention = { ...plain, rope };
    return {
      vocabSize: config.vocab_size,
      hiddenSize: config.hidden_size,
      norm: { kind: "layer", eps: config.layer_norm_epsilon ?? 1e-5 },
      tieWordEmbeddings: config.tie_word_embeddings ?? true,
      names: { embedding: `${PREFIX}wte`, finalNorm: `${PREFIX}ln_f`, head: "lm_head" },
      embeddingScale: 1,
      positions: { name: `${PREFIX}wpe.weight`, count: config.max_position_embeddings },
      logitScale: 1,
      logitCap: 0,
      blocks: Array.from({ length: config.num_hidden_layers }, (_, layer) =>
        blockConfig(config, attention, layer),
      ),
    };
  },
};

function blockConfig(
  config: RawConfig,
  attention: ReturnType<typeof attentionConfig>,
  layer: number,
): BlockConfig {
  const name = `${PREFIX}h.${layer}`;
  const activation = activationOf(config);
  if (activation === "silu") expect(false, "activation_function", "silu", "a gelu");
  const share = config.scale_attn_by_inverse_layer_idx === true ? 1 / (layer + 1) : 1;
  return {
    mixer: {
      before: `${name}.ln_1`,
      after: undefined,
      layer: {
        ...attention,
        name: `${name}.attn`,
        qkv: ["c_attn"],
        output: "c_proj",
        qkvBias: true,
        outputBias: true,
        scale: (config.scale_attn_weights === false ? 1 : attention.scale) * share,
      },
    },
    feedForward: {
      before: `${name}.ln_2`,
      after: undefined,
      layer: {
        kind: "plain",
        up: `${name}.mlp.c_fc`,
        down: `${name}.mlp.c_proj`,
        intermediateSize: config.intermediate_size,
        activation: activation === "gelu" ? "gelu" : "gelu-tanh",
      },
    },
  };
}
