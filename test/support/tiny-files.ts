/** [test/support] The files of a model folder small enough for protocol tests: random Llama weights from a seed, a tokenizer of bytes. No reference values. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface TinyModelOptions {
  readonly seed?: number;
  /** False for a folder that takes token ids only. */
  readonly tokenizer?: boolean;
  /** Files that the weights are spread over; 1 is a single model.safetensors. */
  readonly shards?: number;
  readonly config?: Readonly<Record<string, unknown>>;
}

export const BOS = 0;
export const EOS = 1;
/** Id of byte b is FIRST_BYTE + b. */
export const FIRST_BYTE = 2;
export const TINY_CONTEXT = 128;
const VOCAB = 264; // a few ids past the bytes have no token, as in padded vocabularies

const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  vocab_size: VOCAB,
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 8,
  max_position_embeddings: TINY_CONTEXT,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  hidden_act: "silu",
  tie_word_embeddings: false,
  bos_token_id: BOS,
  eos_token_id: EOS,
  torch_dtype: "float32",
} as const;

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Fills a folder. */
export function writeTinyFiles(folder: string, options: TinyModelOptions = {}): void {
  writeJson(folder, "config.json", { ...CONFIG, ...options.config });
  if (options.tokenizer !== false) writeJson(folder, "tokenizer.json", byteTokenizer());
  writeShards(folder, tensorsOf(options.seed ?? 1), options.shards ?? 1);
}

export function writeJson(folder: string, name: string, value: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(value));
}

/** Spreads tensors over files, in order, with an index where there are several. */
export function writeShards(folder: string, tensors: readonly NamedTensor[], shards: number): void {
  if (shards === 1) {
    writeFileSync(join(folder, "model.safetensors"), safetensorsOf(tensors));
    return;
  }
  const weightMap: Record<string, string> = {};
  for (let shard = 0; shard < shards; shard++) {
    const number = (n: number) => String(n).padStart(5, "0");
    const file = `model-${number(shard + 1)}-of-${number(shards)}.safetensors`;
    const own = tensors.filter((_, i) => i % shards === shard);
    for (const { name } of own) weightMap[name] = file;
    writeFileSync(join(folder, file), safetensorsOf(own));
  }
  const metadata = { total_size: tensors.reduce((n, { values }) => n + values.byteLength, 0) };
  writeJson(folder, "model.safetensors.index.json", { metadata, weight_map: weightMap });
}

export function safetensorsOf(tensors: readonly NamedTensor[]): Uint8Array {
  let offset = 0;
  const header = Object.fromEntries(
    tensors.map(({ name, shape, values }) => {
      const start = offset;
      offset += values.byteLength;
      return [name, { dtype: "F32", shape, data_offsets: [start, offset] }];
    }),
  );
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const bodies = tensors.map(({ values }) => new Uint8Array(values.buffer));
  return Buffer.concat([length, json, ...bodies]);
}

/** Mulberry32: a full-period generator of 32-bit numbers, here as uniform in (0, 1). */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

function tensorsOf(seed: number): readonly NamedTensor[] {
  const next = uniform(seed);
  const normal = (std: number) =>
    std * Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const tensor = (name: string, shape: readonly number[], std: number, mean = 0): NamedTensor => {
    const size = shape.reduce((n, dim) => n * dim, 1);
    return { name, shape, values: Float32Array.from({ length: size }, () => mean + normal(std)) };
  };
  const { hidden_size: h, intermediate_size: i, head_dim: d } = CONFIG;
  const [q, kv] = [CONFIG.num_attention_heads * d, CONFIG.num_key_value_heads * d];
  const layers = Array.from({ length: CONFIG.num_hidden_layers }, (_, layer) => {
    const part = (name: string, ...rest: [readonly number[], number, number?]) =>
      tensor(`model.layers.${layer}.${name}.weight`, ...rest);
    return [
      part("input_layernorm", [h], 0.1, 1),
      part("self_attn.q_proj", [q, h], 0.4),
      part("self_attn.k_proj", [kv, h], 0.4),
      part("self_attn.v_proj", [kv, h], 0.3),
      part("self_attn.o_proj", [h, q], 0.3),
      part("post_attention_layernorm", [h], 0.1, 1),
      part("mlp.gate_proj", [i, h], 0.3),
      part("mlp.up_proj", [i, h], 0.3),
      part("mlp.down_proj", [h, i], 0.3),
    ];
  });
  return [
    tensor("model.embed_tokens.weight", [VOCAB, h], 1),
    ...layers.flat(),
    tensor("model.norm.weight", [h], 0.1, 1),
    readable(tensor("lm_head.weight", [VOCAB, h], 0.5)),
  ];
}

/** Keeps the logits of all but printable ASCII small, so that the model writes mostly readable characters. */
function readable(head: NamedTensor): NamedTensor {
  const { hidden_size: h } = CONFIG;
  const values = head.values.map((value, at) => {
    const byte = Math.floor(at / h) - FIRST_BYTE;
    return byte >= 32 && byte < 127 ? value : value / 20;
  });
  return { ...head, values };
}

/** Byte-level BPE without merges: each byte of a text is one token, `<s>` comes first. */
function byteTokenizer(): object {
  const printable = (b: number) =>
    (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  const vocab: Record<string, number> = { "<s>": BOS, "</s>": EOS };
  let other = 256;
  for (let byte = 0; byte < 256; byte++)
    vocab[String.fromCodePoint(printable(byte) ? byte : other++)] = FIRST_BYTE + byte;
  const special = (id: number, content: string) => {
    const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
    return { id, content, ...plain, special: true };
  };
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true };
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [special(BOS, "<s>"), special(EOS, "</s>")],
    normalizer: null,
    pre_tokenizer: { ...byteLevel, use_regex: false },
    post_processor: {
      type: "TemplateProcessing",
      single: [{ SpecialToken: { id: "<s>", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
      pair: [],
      special_tokens: { "<s>": { id: "<s>", ids: [BOS], tokens: ["<s>"] } },
    },
    decoder: { ...byteLevel, use_regex: false },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges: [],
    },
  };
}
