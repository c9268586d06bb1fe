/** [engine/models] What a model file provides, and the reading of config fields that families share. */
import { ModelError } from "../../dsl/index.ts";
import type { AttentionConfig } from "../layers/attention.ts";
import type { BlockConfig, FeedForwardConfig, MixerConfig, Sublayer } from "../layers/blocks.ts";
import type { DecoderConfig } from "../layers/decoder.ts";
import type { Activation, GatedMlpConfig } from "../layers/mlp.ts";
import type { CheckpointLayout } from "../weights/checkpoint.ts";
import { type RawConfig, ropeParameters, rotaryShare } from "../weights/model-config.ts";

/** A family of checkpoints. The file of a model is this record: which architectures, and how their config maps to the decoder. */
export interface ModelFamily {
  /** Names in config.json's `architectures`. */
  readonly architectures: readonly string[];
  /** Where the checkpoint's tensors differ from what the layers ask for. */
  readonly layout?: (config: RawConfig) => CheckpointLayout;
  /** @param maxModelLen longest context that will be served; the rope table is that long */
  configure(config: RawConfig, maxModelLen: number): DecoderConfig;
}

/** How a family of the Llama kind differs from Llama. */
export interface FamilyTraits {
  /** Part of every attention layer's config that the family decides. */
  readonly attention?: (layer: number) => Partial<AttentionConfig>;
  /** Another layer in the place of attention. @param block prefix of the block's names */
  readonly mixer?: (block: string) => MixerConfig;
  /** Part of every dense gated block's config that the family decides. */
  readonly mlp?: Partial<GatedMlpConfig>;
  /** Another layer in the place of the dense gated block; undefined where the block stays. */
  readonly feedForward?: (layer: number) => FeedForwardConfig | undefined;
  /** Norms around both layers of a block; before each of them where absent. */
  readonly norms?: (block: string) => BlockNorms;
}

type SublayerNorms = Omit<Sublayer<unknown>, "layer">;

export interface BlockNorms {
  readonly mixer: SublayerNorms;
  readonly feedForward: SublayerNorms;
}

function normsBefore(block: string): BlockNorms {
  return {
    mixer: { before: `${block}.input_layernorm`, after: undefined },
    feedForward: { before: `${block}.post_attention_layernorm`, after: undefined },
  };
}

/** @throws ModelError TW4214 for a setting that none of the families here has */
export function decoderConfig(
  config: RawConfig,
  maxModelLen: number,
  traits: FamilyTraits,
): DecoderConfig {
  const attention = attentionConfig(config, maxModelLen);
  const activation = activationOf(config);
  const block = (i: number): BlockConfig => {
    const name = `model.layers.${i}`;
    const norms = (traits.norms ?? normsBefore)(name);
    const dense: FeedForwardConfig = {
      kind: "gated",
      name: `${name}.mlp`,
      intermediateSize: config.intermediate_size,
      activation,
      gateUp: ["gate_proj", "up_proj"],
      hasBias: config.mlp_bias ?? false,
      ...traits.mlp,
    };
    const usual = { ...attention, name: `${name}.self_attn`, ...traits.attention?.(i) };
    const mixer = traits.mixer?.(name) ?? usual;
    return {
      mixer: { ...norms.mixer, layer: mixer },
      feedForward: { ...norms.feedForward, layer: traits.feedForward?.(i) ?? dense },
    };
  };
  return {
    vocabSize: config.vocab_size,
    hiddenSize: config.hidden_size,
    norm: { kind: "rms", eps: config.rms_norm_eps, offset: 0, updateScale: 1 },
    tieWordEmbeddings: config.tie_word_embeddings ?? false,
    names: { embedding: "model.embed_tokens", finalNorm: "model.norm", head: "lm_head" },
    embeddingScale: 1,
    positions: undefined,
    logitScale: 1,
    logitCap: 0,
    blocks: Array.from({ length: config.num_hidden_layers }, (_, i) => block(i)),
  };
}

/** Names of `hidden_act` in checkpoints. */
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  silu: "silu",
  gelu: "gelu",
  gelu_new: "gelu-tanh",
  gelu_pytorch_tanh: "gelu-tanh",
};

/** @throws ModelError TW4214 for an activation that is not known */
export function activationOf({ hidden_act: name }: RawConfig): Activation {
  const activation = ACTIVATIONS[name];
  const known = Object.keys(ACTIVATIONS).join(", ");
  if (activation === undefined) return refuse("hidden_act", name, known);
  return activation;
}

/** Full attention with rotary embedding and no biases, by the usual fields. */
export function attentionConfig(
  config: RawConfig,
  maxModelLen: number,
): Omit<AttentionConfig, "name"> {
  const numHeads = config.num_attention_heads;
  const numKvHeads = config.num_key_value_heads ?? numHeads;
  const headDim = config.head_dim ?? config.hidden_size / numHeads;
  const divides = numHeads % numKvHeads === 0;
  expect(divides, "num_key_value_heads", String(numKvHeads), `a divisor of ${numHeads}`);
  const isEven = Number.isInteger(headDim) && headDim % 2 === 0;
  expect(isEven, "head_dim", String(headDim), "an even integer");
  const rotaryDim = Math.floor(headDim * rotaryShare(config));
  const rotates = rotaryDim > 0 && rotaryDim % 2 === 0;
  expect(rotates, "partial_rotary_factor", String(rotaryDim), "an even number of rotated dims");
  return {
    kind: "attention",
    qkv: ["q_proj", "k_proj", "v_proj"],
    output: "o_proj",
    numHeads,
    numKvHeads,
    headDim,
    qkvBias: false,
    outputBias: false,
    qkNorm: undefined,
    window: 0,
    scale: headDim ** -0.5,
    softcap: 0,
    hasSinks: false,
    rope: {
      headDim: rotaryDim,
      maxPositions: maxModelLen,
      trainedPositions: config.max_position_embeddings,
      parameters: ropeParameters(config),
    },
  };
}

/** @throws ModelError TW4214 where a field does not hold what the architecture needs */
export function expect(holds: boolean, field: string, seen: string, expected: string): void {
  if (!holds) refuse(field, seen, expected);
}

function refuse(field: string, seen: string, expected: string): never {
  throw new ModelError({
    code: "TW4214",
    message: `config.json: '${field}' has a value that this architecture does not support`,
    seen,
    expected,
    remedy: "use another model, or correct the file",
  });
}
