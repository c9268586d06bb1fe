/** [engine/weights] config.json and generation_config.json, parsed and checked. What an architecture makes of them is in models/. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type DType, ModelError } from "../../dsl/index.ts";
import { describeMisfit } from "../misfit.ts";

/** Sizes past 32 bits are those of no model, and of no tensor. */
const size = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1);
const ids = z.union([z.number().int(), z.array(z.number().int())]).nullish();

/** The rope of one type of layers. */
const sectionSchema = z
  .object({ rope_type: z.string(), rope_theta: z.number().positive() })
  .loose();

const ropeSchema = z
  .object({
    rope_type: z.string().optional(),
    type: z.string().optional(),
    rope_theta: z.number().positive().optional(),
    factor: z.number().positive().nullish(),
    low_freq_factor: z.number().positive().nullish(),
    high_freq_factor: z.number().positive().nullish(),
    original_max_position_embeddings: size.nullish(),
    attention_factor: z.number().positive().nullish(),
    beta_fast: z.number().nullish(),
    beta_slow: z.number().nullish(),
    mscale: z.number().nullish(),
    mscale_all_dim: z.number().nullish(),
    truncate: z.boolean().nullish(),
    short_factor: z.array(z.number()).nullish(),
    full_attention: sectionSchema.optional(),
    sliding_attention: sectionSchema.optional(),
    long_factor: z.array(z.number()).nullish(),
    partial_rotary_factor: z.number().positive().max(1).nullish(),
  })
  .loose();

/** Names that older architectures have for fields of the usual ones. */
const ALIASES: Readonly<Record<string, string>> = {
  hidden_activation: "hidden_act",
  activation_function: "hidden_act",
  _sliding_window_pattern: "sliding_window_pattern",
  n_embd: "hidden_size",
  n_inner: "intermediate_size",
  n_routed_experts: "num_local_experts",
  n_layer: "num_hidden_layers",
  n_head: "num_attention_heads",
  n_positions: "max_position_embeddings",
};

/** The same fields under their usual names; what has one already keeps it. */
function withUsualNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const named: Record<string, unknown> = { ...value };
  for (const [alias, name] of Object.entries(ALIASES)) {
    if (named[alias] !== undefined && named[alias] !== null) named[name] ??= named[alias];
  }
  // What an empty n_inner means. Source: transformers' GPT2Config.
  if (typeof named["n_embd"] === "number") named["intermediate_size"] ??= 4 * named["n_embd"];
  if (typeof named["state_size"] === "number") fillStateSpace(named);
  return named;
}

/** Positions of a context that nothing but memory bounds. */
const UNBOUNDED_CONTEXT = 2 ** 20;

/** State-space models have no attention and no table of positions; what those fields mean to others is filled in. */
function fillStateSpace(named: Record<string, unknown>): void {
  named["num_attention_heads"] ??= named["num_heads"];
  named["max_position_embeddings"] ??= UNBOUNDED_CONTEXT;
  named["intermediate_size"] ??= Number(named["expand"] ?? 2) * Number(named["hidden_size"]);
}

const fieldsSchema = z
  .object({
    architectures: z.array(z.string()).min(1),
    vocab_size: size,
    hidden_size: size,
    intermediate_size: size,
    num_hidden_layers: size,
    num_attention_heads: size,
    num_key_value_heads: size.nullish(),
    head_dim: size.nullish(),
    max_position_embeddings: size,
    rms_norm_eps: z.number().positive().default(1e-6),
    hidden_act: z.string().default("silu"),
    rope_theta: z.number().positive().nullish(),
    rope_scaling: ropeSchema.nullish(),
    rope_parameters: ropeSchema.nullish(),
    tie_word_embeddings: z.boolean().nullish(),
    attention_bias: z.boolean().nullish(),
    mlp_bias: z.boolean().nullish(),
    sliding_window: size.nullish(),
    use_sliding_window: z.boolean().nullish(),
    max_window_layers: z.number().int().nullish(),
    layer_types: z.array(z.string()).nullish(),
    original_max_position_embeddings: size.nullish(),
    partial_rotary_factor: z.number().positive().max(1).nullish(),
    embedding_multiplier: z.number().positive().nullish(),
    residual_multiplier: z.number().positive().nullish(),
    attention_multiplier: z.number().positive().nullish(),
    logits_scaling: z.number().positive().nullish(),
    query_pre_attn_scalar: z.number().positive().nullish(),
    attn_logit_softcapping: z.number().positive().nullish(),
    final_logit_softcapping: z.number().positive().nullish(),
    layer_norm_epsilon: z.number().positive().nullish(),
    scale_attn_weights: z.boolean().nullish(),
    scale_attn_by_inverse_layer_idx: z.boolean().nullish(),
    rope_local_base_freq: z.number().positive().nullish(),
    sliding_window_pattern: size.nullish(),
    num_experts: size.nullish(),
    num_local_experts: size.nullish(),
    num_experts_per_tok: size.nullish(),
    moe_intermediate_size: size.nullish(),
    state_size: size.nullish(),
    n_groups: size.nullish(),
    conv_kernel: size.nullish(),
    use_bias: z.boolean().nullish(),
    use_conv_bias: z.boolean().nullish(),
    /** Two numbers; exporters write infinity in several ways. */
    time_step_limit: z.array(z.unknown()).length(2).nullish(),
    norm_topk_prob: z.boolean().nullish(),
    first_k_dense_replace: z.number().int().nonnegative().nullish(),
    moe_layer_freq: size.nullish(),
    topk_method: z.string().nullish(),
    n_group: size.nullish(),
    topk_group: size.nullish(),
    n_shared_experts: z.number().int().nonnegative().nullish(),
    routed_scaling_factor: z.number().positive().nullish(),
    kv_lora_rank: size.nullish(),
    q_lora_rank: size.nullish(),
    qk_nope_head_dim: size.nullish(),
    qk_rope_head_dim: size.nullish(),
    v_head_dim: size.nullish(),
    rope_interleave: z.boolean().nullish(),
    num_nextn_predict_layers: z.number().int().nonnegative().nullish(),
    decoder_sparse_step: size.nullish(),
    mlp_only_layers: z.array(z.number().int()).nullish(),
    bos_token_id: ids,
    eos_token_id: ids,
    torch_dtype: z.string().nullish(),
    dtype: z.string().nullish(),
    quantization_config: z.unknown().optional(),
    /** Older name of the same in files of compressed-tensors. */
    compression_config: z.unknown().optional(),
  })
  .loose();

const configSchema = z.preprocess(withUsualNames, fieldsSchema);

export type RawConfig = z.infer<typeof fieldsSchema>;
export type RopeParameters = z.infer<typeof ropeSchema>;

const generationSchema = z
  .object({
    bos_token_id: ids,
    eos_token_id: ids,
    temperature: z.number().nonnegative().nullish(),
    top_p: z.number().positive().max(1).nullish(),
    top_k: z.number().int().min(-1).nullish(),
    min_p: z.number().min(0).max(1).nullish(),
    repetition_penalty: z.number().positive().nullish(),
    do_sample: z.boolean().nullish(),
  })
  .loose();

export type GenerationConfig = z.infer<typeof generationSchema>;

/** @throws ModelError TW4210 (no or unreadable config.json), TW4211 (fields) */
export function readModelConfig(folder: string): RawConfig {
  const config = parseFile(folder, "config.json", configSchema);
  if (config === undefined) {
    throw new ModelError({
      code: "TW4210",
      message: "the model folder has no config.json",
      seen: folder,
      expected: "a folder in Hugging Face layout",
      remedy:
        "give the folder that holds config.json and the weights, or a hub id, as model (--model)",
    });
  }
  return config;
}

/** The fields of a config.json that is not in a file. @throws ZodError where they are not those of a model */
export function modelConfigOf(fields: Readonly<Record<string, unknown>>): RawConfig {
  return configSchema.parse(fields);
}

const fileSchema = z.object({}).loose();

/** What says how the weights are quantized, of config.json or, from older tools of GPTQ, of a file of its own; undefined where nothing does. */
export function quantizationSection(folder: string, config: RawConfig): unknown {
  const { quantization_config: section, compression_config: older } = config;
  if (section !== undefined && section !== null) return section;
  if (typeof older === "object" && older !== null)
    return { quant_method: "compressed-tensors", ...older };
  const own = parseFile(folder, "quantize_config.json", fileSchema);
  return own === undefined ? undefined : { quant_method: "gptq", ...own };
}

/** Empty where the file is absent. */
export function readGenerationConfig(folder: string): GenerationConfig {
  return parseFile(folder, "generation_config.json", generationSchema) ?? {};
}

/** Ids that end a generation: generation_config.json's where it names any, else config.json's. */
export function eosTokenIds(config: RawConfig, generation: GenerationConfig): readonly number[] {
  const named = generation.eos_token_id ?? config.eos_token_id;
  return named === undefined || named === null ? [] : [named].flat();
}

const DTYPE_OF: ReadonlyMap<string, DType> = new Map([
  ["float32", "f32"],
  ["float16", "f16"],
  ["bfloat16", "bf16"],
]);

/** A dtype of models by torch's name, or undefined. */
export function dtypeNamed(name: string): DType | undefined {
  return DTYPE_OF.get(name);
}

/** The dtype the checkpoint says it is in, or undefined. */
export function checkpointDtype(config: RawConfig): DType | undefined {
  return dtypeNamed((config.dtype ?? config.torch_dtype ?? "").replace("torch.", ""));
}

/** The rope section of either spelling: transformers 5 (`rope_parameters`) or older (`rope_theta` and `rope_scaling`). */
export function ropeParameters(
  config: RawConfig,
): RopeParameters & { readonly rope_theta: number; readonly rope_type: string } {
  const section = config.rope_parameters ?? config.rope_scaling ?? {};
  const type = section.rope_type ?? section.type ?? "default";
  // Phi-3 has it beside the section, for any type; elsewhere it would widen the context.
  const original = type === "default" ? undefined : config.original_max_position_embeddings;
  return {
    ...(original === undefined ? {} : { original_max_position_embeddings: original }),
    ...section,
    rope_type: type,
    rope_theta: section.rope_theta ?? config.rope_theta ?? 10000,
  };
}

/** Share of the head dim that is rotated, from its start on. */
export function rotaryShare(config: RawConfig): number {
  return ropeParameters(config).partial_rotary_factor ?? config.partial_rotary_factor ?? 1;
}

/** Strings, or the bare words that Python writes for what JSON has no numbers for. */
const BARE_NUMBER = /"(?:[^"\\]|\\.)*"|\bInfinity\b/g;

/** JSON as Python's encoder writes it: Infinity may stand where a number does. */
function parseJson(text: string): unknown {
  return JSON.parse(text.replace(BARE_NUMBER, (token) => (token === "Infinity" ? "1e999" : token)));
}

function parseFile<T>(folder: string, name: string, schema: z.ZodType<T>): T | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  let value: unknown;
  try {
    value = parseJson(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ModelError(
      {
        code: "TW4210",
        message: `${name} is not JSON`,
        seen: cause instanceof Error ? cause.message : String(cause),
        expected: "a JSON object",
        remedy: "download the file again",
      },
      { cause },
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ModelError(
    parsed.error.issues.map((issue) => {
      const { field, seen, expected } = describeMisfit(issue, value);
      return {
        code: "TW4211" as const,
        message: field === "" ? `${name} does not fit` : `${name}: field '${field}' does not fit`,
        seen,
        expected,
        remedy: "use a supported decoder-only model, or correct the file",
      };
    }),
  );
}
