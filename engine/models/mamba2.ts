/** [engine/models] Mamba-2: blocks of one state-space layer each, no attention. Wiring only. */
import type { BlockConfig } from "../layers/blocks.ts";
import type { StateSpaceConfig } from "../layers/state-space.ts";
import type { RawConfig } from "../weights/model-config.ts";
import { expect, type ModelFamily } from "./model.ts";

export const mamba2: ModelFamily = {
  architectures: ["Mamba2ForCausalLM"],
  configure: (config) => {
    const layer = stateSpace(config);
    const block = (i: number): BlockConfig => {
      const name = `backbone.layers.${i}`;
      const mixer = { ...layer, name: `${name}.mixer` };
      return {
        mixer: { before: `${name}.norm`, after: undefined, layer: mixer },
        feedForward: undefined,
      };
    };
    return {
      vocabSize: config.vocab_size,
      hiddenSize: config.hidden_size,
      norm: { kind: "rms", eps: layer.eps, offset: 0, updateScale: 1 },
      tieWordEmbeddings: config.tie_word_embeddings ?? false,
      names: { embedding: "backbone.embeddings", finalNorm: "backbone.norm_f", head: "lm_head" },
      embeddingScale: 1,
      positions: undefined,
      logitScale: 1,
      logitCap: 0,
      blocks: Array.from({ length: config.num_hidden_layers }, (_, i) => block(i)),
    };
  },
};

/** Greatest f32: a bound that bounds nothing. */
const NO_BOUND = 3.4028234663852886e38;

/** @source defaults of transformers' Mamba2Config */
function stateSpace(config: RawConfig): Omit<StateSpaceConfig, "name"> {
  const numHeads = config.num_attention_heads;
  const numGroups = config.n_groups ?? 8;
  const headDim = config.head_dim ?? 64;
  const [low, high] = config.time_step_limit ?? [0, Number.POSITIVE_INFINITY];
  expect(config.hidden_act === "silu", "hidden_act", config.hidden_act, "silu");
  const divides = numHeads % numGroups === 0;
  expect(divides, "n_groups", String(numGroups), `a divisor of ${numHeads}`);
  return {
    kind: "state-space",
    numHeads,
    headDim,
    stateSize: config.state_size ?? 128,
    numGroups,
    convWidth: config.conv_kernel ?? 4,
    hasConvBias: config.use_conv_bias ?? true,
    hasBias: config.use_bias ?? false,
    eps: config.layer_norm_epsilon ?? 1e-5,
    dtMin: bound(low),
    dtMax: Math.min(bound(high), NO_BOUND),
  };
}

/** A number, or infinity as `{ "__float__": "Infinity" }`. */
function bound(value: unknown): number {
  const written = typeof value === "object" && value !== null && "__float__" in value;
  const number = Number(written ? value.__float__ : value);
  expect(!Number.isNaN(number), "time_step_limit", JSON.stringify(value), "numbers");
  return number;
}
