/** [test/unit/engine] How config.json maps to layers where checkpoints write it in several ways, or leave defaults out. No weights. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MixerConfig } from "../../../engine/layers/blocks.ts";
import { ropeTable } from "../../../engine/layers/rope-table.ts";
import { findFamily } from "../../../engine/models/catalogue.ts";
import { readModelConfig } from "../../../engine/weights/model-config.ts";

const SIZES = {
  vocab_size: 10,
  hidden_size: 64,
  intermediate_size: 96,
  num_hidden_layers: 12,
  num_attention_heads: 4,
  max_position_embeddings: 64,
};

function familyOf(architecture: string, fields: Readonly<Record<string, unknown>>, text?: string) {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-families-"));
  const json = JSON.stringify({ architectures: [architecture], ...SIZES, ...fields });
  writeFileSync(join(folder, "config.json"), text === undefined ? json : json.replace('"?"', text));
  const config = readModelConfig(folder);
  const family = findFamily(config.architectures);
  return { config, family, decoder: family.configure(config, 64) };
}

function attentionOf(mixer: MixerConfig) {
  if (mixer.kind !== "attention") throw new Error(`${mixer.kind} is no attention`);
  return mixer;
}

function attentions(architecture: string, fields: Readonly<Record<string, unknown>>) {
  const { decoder } = familyOf(architecture, fields);
  return decoder.blocks.map(({ mixer }) => attentionOf(mixer.layer));
}

describe("windows without layer_types", () => {
  const fields = { sliding_window: 8, hidden_activation: "gelu_pytorch_tanh", head_dim: 16 };

  it("bug class 32, a window taken for all layers: it is on every other layer of Gemma 2", () => {
    const windows = attentions("Gemma2ForCausalLM", fields).map(({ window }) => window);
    expect(windows.slice(0, 4)).toEqual([8, 0, 8, 0]);
  });

  it("are on five of six layers of Gemma 3, with a rotary base of their own", () => {
    const rope = { rope_theta: 1e6, rope_scaling: { rope_type: "linear", factor: 8 } };
    const layers = attentions("Gemma3ForCausalLM", { ...fields, ...rope });
    expect(layers.map(({ window }) => window).slice(3, 7)).toEqual([8, 8, 0, 8]);
    const [local, global] = [layers[0]?.rope.parameters, layers[5]?.rope.parameters];
    expect(local).toMatchObject({ rope_theta: 10000, rope_type: "default" });
    expect(global).toMatchObject({ rope_theta: 1e6, rope_type: "linear", factor: 8 });
    expect(layers[0]?.rope).toBe(layers[1]?.rope);
  });
});

describe("defaults that checkpoints leave out", () => {
  it("tie the head of Gemma and GPT-2 to the embedding", () => {
    const gemma = familyOf("Gemma2ForCausalLM", { hidden_act: "gelu" }).decoder;
    const gpt = familyOf("GPT2LMHeadModel", { activation_function: "gelu_new" }).decoder;
    expect([gemma.tieWordEmbeddings, gpt.tieWordEmbeddings]).toEqual([true, true]);
    expect(familyOf("GraniteForCausalLM", {}).decoder).toMatchObject({
      tieWordEmbeddings: false,
      embeddingScale: 1,
      logitScale: 1,
    });
  });

  it("scale the scores of GPT-2 by the layer only where it is asked for", () => {
    const fields = { activation_function: "gelu_new" };
    const plain = attentions("GPT2LMHeadModel", fields);
    const scaled = attentions("GPT2LMHeadModel", {
      ...fields,
      scale_attn_by_inverse_layer_idx: true,
    });
    expect(plain[2]?.scale).toBeCloseTo(0.25);
    expect(scaled[2]?.scale).toBeCloseTo(0.25 / 3);
  });
});

describe("rotation", () => {
  it("takes part of a head where the config says so, in either place", () => {
    const beside = attentions("Phi3ForCausalLM", { partial_rotary_factor: 0.5 });
    const within = attentions("Phi3ForCausalLM", {
      rope_parameters: { rope_type: "default", partial_rotary_factor: 0.5 },
    });
    expect([beside[0]?.rope.headDim, within[0]?.rope.headDim]).toEqual([8, 8]);
    expect(() => attentions("Phi3ForCausalLM", { partial_rotary_factor: 0.3 })).not.toThrow();
    expect(() => attentions("Phi3ForCausalLM", { partial_rotary_factor: 0.2 })).toThrow("TW4214");
  });

  it.each([
    { rope_type: "yarn", factor: 40, beta_fast: 0, beta_slow: 0 },
    { rope_type: "yarn", factor: 4, mscale: 1, mscale_all_dim: -10 / Math.log(4) },
    {
      rope_type: "longrope",
      short_factor: new Array<number>(8).fill(0),
      long_factor: new Array<number>(8).fill(0),
    },
    { rope_type: "linear", factor: 1e-45 },
  ])("by numbers that divide by 0 is refused: %j", (rope_scaling) => {
    const [attention] = attentions("LlamaForCausalLM", { rope_scaling });
    expect(attention && (() => ropeTable(attention.rope))).toThrow(/TW4213[\s\S]*finite/);
  });

  it("turns nothing where positions are learned", () => {
    const [attention] = attentions("GPT2LMHeadModel", { activation_function: "gelu_new" });
    if (attention === undefined) throw new Error("no layer");
    const table = ropeTable({ ...attention.rope, maxPositions: 3 });
    const row = [...new Array<number>(8).fill(1), ...new Array<number>(8).fill(0)];
    expect(Array.from(table)).toEqual([...row, ...row, ...row]);
  });
});

describe("DeepSeek", () => {
  const fields = {
    kv_lora_rank: 32,
    qk_nope_head_dim: 16,
    qk_rope_head_dim: 8,
    v_head_dim: 16,
    n_routed_experts: 8,
    num_experts_per_tok: 2,
    moe_intermediate_size: 32,
    first_k_dense_replace: 1,
    n_group: 2,
    topk_group: 1,
  };

  it("sharpens scores where yarn stretches the context", () => {
    const yarn = { rope_type: "yarn", factor: 40, mscale: 1, mscale_all_dim: 1 };
    const scaleOf = (rope_scaling: unknown) => {
      const [block] = familyOf("DeepseekV3ForCausalLM", { ...fields, rope_scaling }).decoder.blocks;
      return block?.mixer.layer.kind === "latent-attention" ? block.mixer.layer.scale : undefined;
    };
    const sharpness = (0.1 * Math.log(40) + 1) ** 2;
    expect(scaleOf(null)).toBeCloseTo(24 ** -0.5);
    expect(scaleOf(yarn)).toBeCloseTo(24 ** -0.5 * sharpness);
  });

  it("passes over the layers that predict further tokens", () => {
    const extra = { ...fields, num_nextn_predict_layers: 1 };
    const { family, config } = familyOf("DeepseekV3ForCausalLM", extra);
    const ignored = family.layout?.(config).ignored;
    expect(ignored?.test("model.layers.12.eh_proj.weight")).toBe(true);
    expect(ignored?.test("model.layers.11.mlp.gate.weight")).toBe(false);
    expect(ignored?.test("model.layers.1.mlp.gate.weight")).toBe(false);
  });

  it("refuses groups that do not divide the experts", () => {
    expect(() => familyOf("DeepseekV3ForCausalLM", { ...fields, n_group: 3 })).toThrow("TW4214");
  });
});

describe("Mamba-2", () => {
  const fields = { num_heads: 8, head_dim: 16, state_size: 16, n_groups: 1, time_step_limit: "?" };

  it.each([
    ["a bare word", "[0.5, Infinity]"],
    ["a number too large for JSON", "[0.5, 1e999]"],
    ["an object", '[0.5, {"__float__": "Infinity"}]'],
  ])("reads an infinite bound written as %s", (_, text) => {
    const [block] = familyOf("Mamba2ForCausalLM", fields, text).decoder.blocks;
    const layer = block?.mixer.layer;
    expect(layer).toMatchObject({ kind: "state-space", dtMin: 0.5 });
    expect(layer?.kind === "state-space" ? layer.dtMax : 0).toBeGreaterThan(3e38);
    expect(block?.feedForward).toBeUndefined();
  });

  it("leaves strings that say Infinity alone", () => {
    const named = { ...fields, model_type: 'say "Infinity"', time_step_limit: [0, 1] };
    expect(familyOf("Mamba2ForCausalLM", named).config["model_type"]).toBe('say "Infinity"');
  });
});
