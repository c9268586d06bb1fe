/** [test/engine] Model folders as a whole: sharded weights give what one file gives; folders that do not fit leave nothing on the device. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { writeJson, writeTinyModel } from "../support/tiny-model.ts";

let device: Device;
beforeAll(async () => {
  device = await openDevice("interpreter");
});
afterAll(() => device.close());

/** Bytes that are allocated and not freed while `use` runs. */
async function leakedBytes(use: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const { alloc, free } = device;
  const spies = [
    vi.spyOn(device, "alloc").mockImplementation((size) => {
      const buffer = alloc.call(device, size);
      bytes += buffer.bytes;
      return buffer;
    }),
    vi.spyOn(device, "free").mockImplementation((buffer) => {
      free.call(device, buffer);
      bytes -= buffer.bytes;
    }),
  ];
  try {
    await use();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return bytes;
}

async function outputsOf(model: string) {
  const engine = await Engine.load({ model, device });
  try {
    const params = { maxTokens: 8, temperature: 0, logprobs: 0, promptLogprobs: 0 };
    const outputs = await new RequestGroup(engine, ["abc", "hello"], params).finish();
    return outputs.map(({ tokenIds, logprobs, promptLogprobs }) => ({
      tokenIds,
      logprobs,
      promptLogprobs,
    }));
  } finally {
    await engine.close();
  }
}

describe("a model folder", () => {
  it("gives the same with its weights in one file and in several", async () => {
    const single = await outputsOf(writeTinyModel());
    expect(await outputsOf(writeTinyModel({ shards: 3 }))).toEqual(single);
    expect(await outputsOf(writeTinyModel({ seed: 2 }))).not.toEqual(single);
  });

  it("leaves nothing on the device after it is closed", async () => {
    expect(await leakedBytes(() => outputsOf(writeTinyModel()))).toBe(0);
  });

  it.each([
    [
      "a tied head that has weights of its own",
      { tie_word_embeddings: true },
      () => {},
      undefined, // the head is left out, as transformers does
    ],
    [
      "another architecture",
      { architectures: ["BertModel"] },
      () => {},
      /TW4215[\s\S]*LlamaForCausalLM/,
    ],
    ["more layers than its weights", { num_hidden_layers: 3 }, () => {}, /TW4205[\s\S]*layers\.2/],
    ["fewer layers than its weights", { num_hidden_layers: 1 }, () => {}, /TW4205[\s\S]*layers\.1/],
    [
      "heads that do not divide",
      { num_key_value_heads: 3 },
      () => {},
      /TW4214[\s\S]*num_key_value_heads/,
    ],
    [
      "a scheme of quantization that is not supported",
      { quantization_config: { quant_method: "aqlm" } },
      () => {},
      /TW4212[\s\S]*aqlm[\s\S]*gptq/,
    ],
    [
      "no weights",
      {},
      (folder: string) => rmSync(join(folder, "model.safetensors")),
      /TW4203[\s\S]*model\.safetensors/,
    ],
    [
      "weights that end early",
      {},
      (folder: string) => {
        const path = join(folder, "model.safetensors");
        writeFileSync(path, readFileSync(path).subarray(0, -4));
      },
      /TW4202/,
    ],
    [
      "a folder where its weights should be",
      {},
      (folder: string) => {
        rmSync(join(folder, "model.safetensors"));
        mkdirSync(join(folder, "model.safetensors"));
      },
      /TW4201[\s\S]*is no file/,
    ],
    [
      "a vocabulary past its weights",
      { vocab_size: 2 ** 31 - 1 },
      () => {},
      /TW4205[\s\S]*lm_head/,
    ],
    [
      "a size past 32 bits",
      { vocab_size: 1e12 },
      () => {},
      /TW4211[\s\S]*seen: +1000000000000\n +expected: a number at most 2147483647/,
    ],
    [
      "a field of a wrong type",
      { hidden_size: "64" },
      () => {},
      /TW4211[\s\S]*'hidden_size'[\s\S]*seen: +"64"\n +expected: a finite number/,
    ],
    [
      "a generation config out of range",
      {},
      (folder: string) => writeJson(folder, "generation_config.json", { temperature: -1 }),
      /TW4211[\s\S]*'temperature'[\s\S]*seen: +-1\n +expected: a number at least 0/,
    ],
    [
      "a tokenizer that is no JSON",
      {},
      (folder: string) => writeFileSync(join(folder, "tokenizer.json"), "{"),
      /TW4220/,
    ],
  ])(
    "with %s is loaded or refused, and leaves nothing behind",
    async (_name, config, change, message) => {
      const folder = writeTinyModel({ config });
      change(folder);
      const load = async () => {
        const loading = outputsOf(folder);
        if (message === undefined) await loading;
        else await expect(loading).rejects.toThrow(message);
      };
      expect(await leakedBytes(load)).toBe(0);
    },
  );

  it.each([
    ["names a shard that is not there", { "lm_head.weight": "model-9.safetensors" }, /TW4201/],
    ["names a tensor that no shard has", { other: "model-00001-of-00002.safetensors" }, /TW4204/],
    ["points out of the folder", { "lm_head.weight": "../model.safetensors" }, /TW4204/],
    ["is no map", undefined, /TW4204[\s\S]*weight_map/],
  ])("whose index %s is refused", async (_name, map, message) => {
    const folder = writeTinyModel({ shards: 2 });
    const name = "model.safetensors.index.json";
    const index = JSON.parse(readFileSync(join(folder, name), "utf8")) as { weight_map: object };
    writeJson(
      folder,
      name,
      map === undefined ? [] : { weight_map: { ...index.weight_map, ...map } },
    );
    await expect(outputsOf(folder)).rejects.toThrow(message);
    writeFileSync(join(folder, name), "{");
    await expect(outputsOf(folder)).rejects.toThrow("TW4204");
  });
});

describe("the options", () => {
  it("are refused together where they are out of range", async () => {
    const options = {
      blockSize: 0,
      maxModelLen: 1,
      maxNumSeqs: 1.5,
      maxNumBatchedTokens: -1,
      numGpuBlocksOverride: 1,
      gpuMemoryUtilization: 2,
      seed: Number.NaN,
    };
    const error = await Engine.load({ model: writeTinyModel(), device, ...options }).catch(String);
    for (const name of Object.keys(options)) expect(error).toContain(`the option ${name} (--`);
    expect(error).toMatch(/TW4217[\s\S]*seen: +0\n +expected: an integer of at least 1/);
  });
});

describe("the size of the cache", () => {
  it("is refused where not one page fits, and the page size is to blame", async () => {
    const load = Engine.load({ model: writeTinyModel(), device, blockSize: 2 ** 40 });
    await expect(load).rejects.toThrow(/TW4103[\s\S]*remedy: +lower blockSize \(--block-size\)/);
  });

  it("is refused where not one sequence of the context fits, with the context that would", async () => {
    const model = writeTinyModel({ config: { max_position_embeddings: 1 << 20 } });
    const limits = { ...device.limits, memoryBytes: 64 * 2 ** 20 };
    const spy = vi.spyOn(device, "limits", "get").mockReturnValue(limits);
    const load = () => Engine.load({ model, device });
    expect(
      await leakedBytes(() =>
        expect(load()).rejects.toThrow(/TW4103[\s\S]*\(--max-model-len\) \d+/),
      ),
    ).toBe(0);
    spy.mockRestore();
  });
});
