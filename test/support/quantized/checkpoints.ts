/** [test/support/quantized] One small quantized checkpoint for each scheme: config, files, and the model that those stand for. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EightBit, eightBit } from "./eight-bit.ts";
import {
  awq,
  bitsAndBytes,
  type Encoded,
  type Grouping,
  gptq,
  mxfp4,
  packQuantized,
  randomIndex,
} from "./four-bit.ts";
import {
  EXPERTS,
  LINEAR,
  LINEAR_WITH_EXPERTS,
  type Matrix,
  type Module,
  Random,
  type Rest,
  SIZES,
  seededRest,
} from "./plain-model.ts";
import { matrix, type StoredTensor, writeSafetensors } from "./stored-tensor.ts";

export interface Scheme {
  readonly title: string;
  /** Of the model; chosen so that no activation lies at the edge of two codes where activations have codes. */
  readonly seed: number;
  /** Ids; few where activations have codes. */
  readonly prompts: readonly (readonly number[])[];
  /** Whether activations become 8-bit floats. */
  readonly hasFloatCodes?: boolean;
  /** Whether modules that read the same activations share their columns out in ways of their own; the weight is then kept as floats. */
  readonly hasOwnOrders?: boolean;
  /** Whether each layer has experts in place of one feed-forward part. */
  readonly hasExperts?: boolean;
  /** `quantization_config` of config.json. */
  readonly config: Readonly<Record<string, unknown>>;
  /** @param index a group for each column, the same for modules that read the same activations where `hasOwnOrders` is absent */
  encode(name: string, weight: Matrix, index: (group: number) => readonly number[]): Encoded;
}

/** Past the edge of some tiles, and shorter than any. */
const PROMPTS = [Array.from({ length: 11 }, (_, i) => (i * 37 + 5) % SIZES.vocab), [7, 90]];
const FEW = [[7, 90, 33, 2]];

const F16 = { scales: "F16", bits: 4 } as const;

function gptqScheme(title: string, group: number, isSymmetric: boolean, more: object): Scheme {
  const settings = { checkpoint_format: "gptq", desc_act: false, ...more };
  return {
    title: `gptq, ${title}`,
    seed: 11,
    prompts: PROMPTS,
    config: {
      quant_method: "gptq",
      bits: 4,
      group_size: group || -1,
      sym: isSymmetric,
      ...settings,
    },
    encode: (name, weight, index) => {
      const own = settings.desc_act ? { index: index(group) } : {};
      const grouping: Grouping = { ...F16, group, isSymmetric, ...own };
      return gptq(name, weight, grouping, settings.checkpoint_format === "gptq");
    },
  };
}

function awqScheme(group: number): Scheme {
  return {
    title: `awq, groups of ${group}`,
    seed: 11,
    prompts: PROMPTS,
    config: { quant_method: "awq", bits: 4, group_size: group, zero_point: true, version: "gemm" },
    encode: (name, weight) => awq(name, weight, { ...F16, group, isSymmetric: false }),
  };
}

function compressed(format: string, weights: object, activations?: object): Scheme["config"] {
  const group = { targets: ["Linear"], weights, input_activations: activations ?? null };
  return {
    quant_method: "compressed-tensors",
    format,
    config_groups: { group_0: group },
    ignore: ["lm_head"],
  };
}

function packedScheme(title: string, grouping: Grouping, strategy: string): Scheme {
  const { bits, group, isSymmetric, index } = grouping;
  const actorder = index === undefined ? null : "group";
  const weights = { num_bits: bits, type: "int", symmetric: isSymmetric, strategy, actorder };
  const size = group === 0 ? null : group;
  return {
    title: `compressed-tensors pack-quantized, ${title}`,
    seed: 11,
    prompts: PROMPTS,
    config: compressed("pack-quantized", { ...weights, group_size: size }),
    encode: (name, weight, indexOf) =>
      packQuantized(name, weight, {
        ...grouping,
        ...(index === undefined ? {} : { index: indexOf(group) }),
      }),
  };
}

function bytesScheme(title: string, seed: number, how: EightBit, config: Scheme["config"]): Scheme {
  const prompts = how.activations === "none" ? PROMPTS : FEW;
  const hasFloatCodes = how.activations !== "none" && how.dtype === "F8_E4M3";
  return {
    title,
    seed,
    prompts,
    hasFloatCodes,
    config,
    encode: (name, weight) => eightBit(name, weight, how),
  };
}

const FP8 = { dtype: "F8_E4M3", scaleName: "weight_scale" } as const;
const INT8 = { dtype: "I8", scaleName: "weight_scale" } as const;
/** Of activations, about twice their deviation: some saturate. */
const STATIC = Math.fround(3 / 448);
const token = (type: string) => ({ num_bits: 8, type, strategy: "token", dynamic: true });
const channel = (type: string) => ({ num_bits: 8, type, strategy: "channel" });

export const SCHEMES: readonly Scheme[] = [
  gptqScheme("symmetric, groups of 128", 128, true, {}),
  gptqScheme("zero points, groups of 32", 32, false, {}),
  gptqScheme("v2, whole columns", 0, false, { checkpoint_format: "gptq_v2" }),
  gptqScheme("act-order, groups of 64", 64, false, { desc_act: true }),
  {
    ...gptqScheme("act-order of each module", 64, true, { desc_act: true }),
    hasOwnOrders: true,
  },
  awqScheme(64),
  awqScheme(128),
  packedScheme("groups of 32", { group: 32, isSymmetric: true, scales: "BF16", bits: 4 }, "group"),
  packedScheme("zero points", { group: 64, isSymmetric: false, scales: "F16", bits: 4 }, "group"),
  packedScheme("channels", { group: 0, isSymmetric: true, scales: "F32", bits: 4 }, "channel"),
  packedScheme(
    "act-order",
    { group: 128, isSymmetric: true, scales: "F16", bits: 4, index: [] },
    "group",
  ),
  packedScheme("8 bits", { group: 128, isSymmetric: false, scales: "BF16", bits: 8 }, "group"),
  ...[false, true].map(
    (isNested): Scheme => ({
      title: `bitsandbytes nf4${isNested ? ", scales quantized again" : ""}`,
      seed: 11,
      prompts: PROMPTS,
      config: {
        quant_method: "bitsandbytes",
        load_in_4bit: true,
        bnb_4bit_quant_type: "nf4",
        bnb_4bit_use_double_quant: isNested,
        llm_int8_skip_modules: ["lm_head"],
      },
      encode: (name, weight) => bitsAndBytes(name, weight, isNested),
    }),
  ),
  {
    title: "mxfp4",
    seed: 11,
    prompts: PROMPTS,
    config: { quant_method: "mxfp4", modules_to_not_convert: ["lm_head"] },
    encode: (name, weight) => mxfp4(name, weight),
  },
  bytesScheme(
    "fp8, dynamic",
    29,
    { ...FP8, weights: "tensor", activations: "token" },
    { quant_method: "fp8", activation_scheme: "dynamic", ignored_layers: ["lm_head"] },
  ),
  bytesScheme(
    "fp8, static",
    17,
    { ...FP8, weights: "tensor", activations: STATIC },
    { quant_method: "fp8", activation_scheme: "static", ignored_layers: ["lm_head"] },
  ),
  bytesScheme(
    "fp8, blocks",
    24,
    { dtype: "F8_E4M3", weights: "block", activations: "group", scaleName: "weight_scale_inv" },
    {
      quant_method: "fp8",
      activation_scheme: "dynamic",
      weight_block_size: [128, 128],
      modules_to_not_convert: ["lm_head"],
    },
  ),
  bytesScheme(
    "compressed-tensors int-quantized",
    17,
    { ...INT8, weights: "channel", activations: "token" },
    compressed("int-quantized", channel("int"), token("int")),
  ),
  bytesScheme(
    "compressed-tensors float-quantized",
    20,
    { ...FP8, weights: "channel", activations: "token" },
    compressed("float-quantized", channel("float"), token("float")),
  ),
  bytesScheme(
    "compressed-tensors float-quantized, weights alone",
    16,
    { ...FP8, weights: "channel", activations: "none" },
    compressed("float-quantized", channel("float")),
  ),
];

export interface Checkpoint {
  readonly folder: string;
  readonly rest: Rest;
  /** As computed by hand of what is in the files. */
  moduleOf(name: string): Module;
}

const folders: string[] = [];
/** Removes every folder that was written; the writer's caller does it when all is done. */
export function removeQuantized(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  vocab_size: SIZES.vocab,
  hidden_size: SIZES.hidden,
  intermediate_size: SIZES.intermediate,
  num_hidden_layers: SIZES.layers,
  num_attention_heads: SIZES.heads,
  num_key_value_heads: SIZES.kvHeads,
  head_dim: SIZES.headDim,
  max_position_embeddings: SIZES.context,
  rms_norm_eps: SIZES.eps,
  rope_theta: SIZES.theta,
  hidden_act: "silu",
  tie_word_embeddings: false,
  bos_token_id: 0,
  eos_token_id: 1,
  torch_dtype: "float32",
} as const;

const weights = new Map<string, ReadonlyMap<string, Matrix>>();

const MIXTRAL = {
  ...CONFIG,
  architectures: ["MixtralForCausalLM"],
  model_type: "mixtral",
  intermediate_size: EXPERTS.intermediate,
  num_local_experts: EXPERTS.count,
  num_experts_per_tok: EXPERTS.topK,
} as const;

/** Weights of the linear modules by name, made once for a seed and what layers are made of. */
function seededWeights(seed: number, linear: typeof LINEAR): ReadonlyMap<string, Matrix> {
  const key = `${seed} ${linear.length}`;
  const known = weights.get(key);
  if (known !== undefined) return known;
  const random = new Random(seed + 1);
  const made = new Map<string, Matrix>();
  for (let layer = 0; layer < SIZES.layers; layer++)
    for (const [part, rows, columns] of linear.flat())
      made.set(
        `model.layers.${layer}.${part}`,
        random.matrix(rows, columns, 1 / Math.sqrt(columns)),
      );
  weights.set(key, made);
  return made;
}

const written = new Map<string, Checkpoint>();

/**
 * A model of seeded weights in files, written once for a scheme; `removeQuantized` takes the folder away.
 * @param plain names of modules that are left as they are
 */
export function writeQuantized(scheme: Scheme, plain: readonly string[] = []): Checkpoint {
  const { title, seed, hasExperts, config } = scheme;
  const key = JSON.stringify([title, seed, hasExperts, config, plain]);
  const known = written.get(key);
  if (known !== undefined) return known;
  const made = write(scheme, plain);
  written.set(key, made);
  return made;
}

function write(scheme: Scheme, plain: readonly string[]): Checkpoint {
  const { seed, hasExperts = false } = scheme;
  const linear = hasExperts ? LINEAR_WITH_EXPERTS : LINEAR;
  const folder = mkdtempSync(join(tmpdir(), "tilewright-quantized-"));
  folders.push(folder);
  const rest = seededRest(seed, hasExperts);
  const random = new Random(seed + 2);
  const own = seededWeights(seed, linear);
  const modules = new Map<string, Module>();
  const tensors: StoredTensor[] = [
    matrix("model.embed_tokens.weight", rest.embedding),
    matrix("lm_head.weight", rest.head),
    ...rest.routers.map((router, layer) =>
      matrix(`model.layers.${layer}.${EXPERTS.name}.gate.weight`, router),
    ),
  ];
  rest.norms.forEach((norm, i) => {
    const names = ["input_layernorm", "post_attention_layernorm"];
    const isLast = i === rest.norms.length - 1;
    const name = isLast ? "model.norm" : `model.layers.${Math.floor(i / 2)}.${names[i % 2]}`;
    tensors.push({ ...matrix(`${name}.weight`, norm), shape: [norm.columns] });
  });
  for (let layer = 0; layer < SIZES.layers; layer++)
    for (const together of linear) {
      let index: readonly number[] | undefined;
      for (const [part, rows, columns] of together) {
        const name = `model.layers.${layer}.${part}`;
        const weight = own.get(name) ?? { rows, columns, values: new Float64Array() };
        const indexOf = (group: number): readonly number[] => {
          if (index === undefined || scheme.hasOwnOrders)
            index = randomIndex(random, columns, group);
          return index;
        };
        const encoded: Encoded = plain.includes(name)
          ? { weight, tensors: [matrix(`${name}.weight`, weight)] }
          : scheme.encode(name, weight, indexOf);
        modules.set(name, encoded);
        tensors.push(...encoded.tensors);
      }
    }
  writeSafetensors(folder, tensors);
  const config = {
    ...(hasExperts ? MIXTRAL : CONFIG),
    quantization_config: scheme.config,
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const moduleOf = (name: string): Module => {
    const found = modules.get(name);
    if (found === undefined) throw new Error(`no module ${name}`);
    return found;
  };
  return { folder, rest, moduleOf };
}
