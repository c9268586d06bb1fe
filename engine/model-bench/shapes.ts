/** [engine/model-bench] Models that are measured by the sizes of their config alone. No weights. */
import { existsSync } from "node:fs";
import { RequestError } from "../../dsl/index.ts";
import { modelConfigOf, type RawConfig, readModelConfig } from "../weights/model-config.ts";

type Fields = Readonly<Record<string, unknown>>;

const LLAMA: Fields = {
  architectures: ["LlamaForCausalLM"],
  vocab_size: 128256,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  max_position_embeddings: 131072,
  rms_norm_eps: 1e-5,
  rope_theta: 500000,
};

function llamaScaling(factor: number): Fields {
  const range = { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };
  return { rope_scaling: { rope_type: "llama3", factor, ...range } };
}

const QWEN: Fields = {
  vocab_size: 151936,
  head_dim: 128,
  max_position_embeddings: 40960,
  rms_norm_eps: 1e-6,
  rope_theta: 1000000,
};

/** @source config.json of each model on the Hugging Face hub */
const SHAPES: Readonly<Record<string, Fields>> = {
  "llama-3.1-8b": {
    ...LLAMA,
    ...llamaScaling(8),
    hidden_size: 4096,
    intermediate_size: 14336,
    num_hidden_layers: 32,
    head_dim: 128,
    tie_word_embeddings: false,
  },
  "llama-3.2-1b": {
    ...LLAMA,
    ...llamaScaling(32),
    hidden_size: 2048,
    intermediate_size: 8192,
    num_hidden_layers: 16,
    head_dim: 64,
    tie_word_embeddings: true,
  },
  "qwen3-0.6b": {
    ...QWEN,
    architectures: ["Qwen3ForCausalLM"],
    hidden_size: 1024,
    intermediate_size: 3072,
    num_hidden_layers: 28,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    tie_word_embeddings: true,
  },
  "qwen3-30b-a3b": {
    ...QWEN,
    architectures: ["Qwen3MoeForCausalLM"],
    hidden_size: 2048,
    intermediate_size: 6144,
    moe_intermediate_size: 768,
    num_hidden_layers: 48,
    num_attention_heads: 32,
    num_key_value_heads: 4,
    num_experts: 128,
    num_experts_per_tok: 8,
    norm_topk_prob: true,
    tie_word_embeddings: false,
  },
};

/**
 * The config of a model by its name here, or of a folder that holds a config.json.
 * @throws RequestError TW4418 for anything else
 */
export function shapeConfig(name: string): RawConfig {
  const fields = SHAPES[name];
  if (fields !== undefined) return modelConfigOf(fields);
  if (existsSync(name)) return readModelConfig(name);
  throw new RequestError({
    code: "TW4418",
    message: "the shape to measure is not known",
    seen: name,
    expected: `${Object.keys(SHAPES).join(", ")}, or a folder with a config.json`,
    remedy: "correct --model",
  });
}
