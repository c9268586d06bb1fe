/** [test/engine] Decodes of latent attention with 64 heads as a GPU with wgmma takes them, alone and beside prompts, against the usual ones; on the interpreter. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { HopperLike } from "../support/hopper-like.ts";
import { writeJson } from "../support/tiny-model.ts";

/** No experts, whose choice a rounding may turn. */
const CONFIG = {
  architectures: ["DeepseekV2ForCausalLM"],
  model_type: "deepseek_v2",
  vocab_size: 300,
  hidden_size: 64,
  head_dim: 16,
  intermediate_size: 96,
  num_hidden_layers: 1,
  first_k_dense_replace: 1,
  num_attention_heads: 64,
  num_key_value_heads: 64,
  q_lora_rank: null,
  kv_lora_rank: 128,
  qk_nope_head_dim: 8,
  qk_rope_head_dim: 16,
  v_head_dim: 16,
  max_position_embeddings: 256,
  rms_norm_eps: 1e-6,
  rope_theta: 10000,
  tie_word_embeddings: false,
  eos_token_id: 1,
  torch_dtype: "float16",
};

const PROMPTS = [44, 3, 5, 7].map((length, i) =>
  Array.from({ length }, (_, t) => 3 + ((t * 37 + i * 11) % 290)),
);

async function logprobsOf(device: Device, options: Partial<EngineOptions>) {
  const model = mkdtempSync(join(tmpdir(), "tilewright-latents-"));
  writeJson(model, "config.json", CONFIG);
  const usual = { model, device, loadFormat: "dummy", dtype: "float16" } as const;
  const engine = await Engine.load({ ...usual, ...options });
  try {
    const params = { maxTokens: 4, temperature: 0, ignoreEos: true, logprobs: 0 };
    const outputs = await new RequestGroup(engine, PROMPTS, params).finish();
    return {
      pageSize: engine.info.pageSize,
      tokens: outputs.map(({ tokenIds }) => tokenIds),
      logprobs: outputs.flatMap(({ logprobs }) => logprobs.map(({ logprob }) => logprob)),
    };
  } finally {
    await engine.close();
  }
}

it("gives what the usual decodes give", async () => {
  const [hopper, plain] = [new HopperLike(), await openDevice("interpreter")];
  try {
    const usual = await logprobsOf(plain, {});
    const seen = await logprobsOf(hopper, { maxNumBatchedTokens: 40 });
    expect(seen.pageSize).toBe(64);
    expect(hopper.countOf("mla_decode_halves")).toBeGreaterThan(2);
    expect(hopper.countOf("ragged_attention")).toBeGreaterThan(0);
    expect(seen.tokens).toEqual(usual.tokens);
    const differences = seen.logprobs.map((value, i) => Math.abs(value - (usual.logprobs[i] ?? 0)));
    expect(differences).toHaveLength(16);
    expect(Math.max(...differences)).toBeLessThan(0.01);
    hopper.counts.clear();
    await logprobsOf(hopper, { blockSize: 16 });
    expect(hopper.countOf("mla_decode_halves")).toBe(0);
    expect(hopper.countOf("mla_decode")).toBeGreaterThan(0);
  } finally {
    await hopper.close();
    await plain.close();
  }
});
