/** [test/engine] `--load-format dummy`: a model by its config alone, with another's tokenizer; what is refused. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { tilewright } from "../support/run-command.ts";
import { writeJson, writeTinyModel } from "../support/tiny-model.ts";

const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  vocab_size: 300,
  hidden_size: 32,
  intermediate_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  head_dim: 16,
  max_position_embeddings: 64,
  rms_norm_eps: 1e-5,
  tie_word_embeddings: false,
  eos_token_id: 1,
  torch_dtype: "bfloat16",
};

/** A folder that holds a config.json and nothing else. */
function described(more: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-dummy-"));
  writeJson(folder, "config.json", { ...CONFIG, ...more });
  return folder;
}

const tokenizer = writeTinyModel();
const params = { maxTokens: 6, temperature: 0, ignoreEos: true, logprobs: 0 };
const dummy = { device: "interpreter", loadFormat: "dummy" } as const;

async function run(options: Parameters<typeof Engine.load>[0], prompt: string | readonly number[]) {
  const engine = await Engine.load(options);
  try {
    return { ...(await lastOutput(engine.generate(prompt, params))), info: engine.info };
  } finally {
    await engine.close();
  }
}

describe("random weights", () => {
  const model = described();

  it("make a model of a config.json alone, the same each time, that takes token ids", async () => {
    const [first, second] = [
      await run({ ...dummy, model }, [5, 6, 7]),
      await run({ ...dummy, model }, [5, 6, 7]),
    ];
    expect(first.tokenIds).toEqual(second.tokenIds);
    expect(first.logprobs).toEqual(second.logprobs);
    expect(new Set(first.logprobs.map(({ logprob }) => logprob)).size).toBeGreaterThan(1);
    for (const { logprob } of first.logprobs) {
      expect(logprob).toBeLessThan(0);
      expect(logprob).toBeGreaterThan(-Math.log(CONFIG.vocab_size) - 3); // no number ran away
    }
    await expect(run({ ...dummy, model }, "abc")).rejects.toThrow("TW4222");
  });

  it("take another model's tokenizer, also in a process of their own", async () => {
    const apart = await run({ ...dummy, model, tokenizer, coreProcess: true }, "abc");
    expect(apart.promptTokenIds).toHaveLength(4); // BOS, and a token a byte
    expect(apart.tokenIds).toEqual((await run({ ...dummy, model }, apart.promptTokenIds)).tokenIds);
    expect(apart.info).toMatchObject({ folder: model, tokenizerFolder: tokenizer });
  });

  it.each([
    [
      "a quantized model",
      described({ quantization_config: { quant_method: "gptq", bits: 4 } }),
      {},
      /TW4244[\s\S]*gptq/,
    ],
    [
      "a method that the checkpoint has not",
      model,
      { quantization: "awq" },
      /TW4245[\s\S]*plain weights[\s\S]*awq/,
    ],
    [
      "another method than the checkpoint's",
      described({ quantization_config: { quant_method: "gptq", bits: 4 } }),
      { quantization: "awq_marlin" },
      /TW4245[\s\S]*quant_method gptq[\s\S]*ask for gptq/,
    ],
    [
      "another format",
      model,
      { loadFormat: "gguf" as "dummy" },
      /TW4217[\s\S]*--load-format[\s\S]*auto, dummy/,
    ],
    [
      "a tokenizer that is nowhere",
      model,
      { tokenizer: "no/such/folder" },
      /TW4230[\s\S]*no\/such\/folder[\s\S]*correct tokenizer \(--tokenizer\)/,
    ],
  ])("refuse %s", async (_what, folder, options, message) => {
    await expect(run({ ...dummy, model: folder, ...options }, [5])).rejects.toThrow(message);
  });

  it("are asked for by flags", async () => {
    const flags = ["--load-format", "dummy", "--tokenizer", tokenizer, "--device", "interpreter"];
    const ran = await tilewright(
      "generate",
      "--model",
      model,
      ...flags,
      "--prompt",
      "ab",
      "--json",
      "--max-tokens",
      "2",
    );
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ prompt_token_ids: { length: 3 } });
    const wrong = await tilewright(
      "generate",
      "--model",
      model,
      "--load-format",
      "x",
      "--prompt",
      "a",
    );
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("auto, dummy")]);
  });
});
