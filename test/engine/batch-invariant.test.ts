/** [test/engine] Batch-invariant engines: a request's tokens and the bits of its log-probabilities, alone and whatever is beside it. */
import { expect, it } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import type { SamplingParams } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { sharedFolder } from "../support/shared-models.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const folder = writeTinyModel();
const LONG = "The quick brown fox jumps over the lazy dog, twice";
const scored = { logprobs: 3, ignoreEos: true } as const;

/** Prompts of several lengths with parameters of their own; scores of prompts are never taken from the cache. */
const REQUESTS: readonly (readonly [string, Partial<SamplingParams>])[] = [
  [LONG, { ...scored, promptLogprobs: 0, maxTokens: 20, temperature: 0 }],
  ["ab", { ...scored, maxTokens: 24, temperature: 1, seed: 4 }],
  [LONG.slice(0, 17), { ...scored, maxTokens: 24, temperature: 0.8, seed: 5, topP: 0.9 }],
  [LONG, { ...scored, maxTokens: 8, temperature: 1, seed: 6, repetitionPenalty: 1.3 }],
];

/** Everything that a request gives, bit for bit. */
const bitsOf = (output: RequestOutput) => {
  const { tokenIds, text, logprobs, promptLogprobs } = output;
  return { tokenIds, text, logprobs, promptLogprobs };
};

async function withEngine<T>(
  device: Device,
  options: Partial<EngineOptions>,
  use: (own: Engine) => Promise<T>,
): Promise<T> {
  const own = await Engine.load({ model: folder, device, batchInvariant: true, ...options });
  try {
    return await use(own);
  } finally {
    await own.close();
  }
}

async function oneByOne(own: Engine) {
  const outputs = [];
  for (const [prompt, params] of REQUESTS)
    outputs.push(bitsOf(await lastOutput(own.generate(prompt, params))));
  return outputs;
}

async function together(own: Engine) {
  const streams = REQUESTS.map(([prompt, params]) => lastOutput(own.generate(prompt, params)));
  return (await Promise.all(streams)).map(bitsOf);
}

/** Whoever is in the batch, how prompts are cut, what is found in the cache, and how often a request starts over. */
const WAYS: readonly (readonly [string, Partial<EngineOptions>])[] = [
  ["in one batch", {}],
  ["in chunks of 7", { maxNumBatchedTokens: 7 }],
  ["two at a time", { maxNumSeqs: 2 }],
  ["without a prefix cache", { enablePrefixCaching: false }],
  ["step by step", { asyncScheduling: false }],
  ["starting over", { numGpuBlocksOverride: 26, blockSize: 4, enablePrefixCaching: false }],
];

await describeDevices("batch-invariant engine", (device) => {
  it("gives each request the same bits in every way that it can be computed", async () => {
    const alone = await withEngine(device, {}, async (own) => {
      const outputs = await oneByOne(own);
      expect(own.stats.prefixHits).toBeGreaterThan(0);
      return outputs;
    });
    // A GPU in software takes a second a way: there the two that change the most.
    const { driver, hardware } = device.info;
    const ways = driver === "interpreter" || hardware ? WAYS : WAYS.slice(0, 2);
    for (const [way, options] of ways) {
      const seen = await withEngine(device, options, async (own) => {
        const outputs = await together(own);
        if (way === "starting over") expect(own.numPreemptions).toBeGreaterThan(0);
        return outputs;
      });
      expect(seen, way).toEqual(alone);
    }
  });

  it("is needed for that: other engines sum up by the number of rows", async () => {
    const usual = { batchInvariant: false };
    const alone = await withEngine(device, usual, oneByOne);
    expect(await withEngine(device, usual, together)).not.toEqual(alone);
  });
});

/** Experts, soft caps beside windows, latent attention; token ids, as these folders have no tokenizer. */
const FAMILIES = ["mixtral", "gemma2", "deepseek-v2"] as const;
const root = sharedFolder("batch-invariant families", "fixtures/hf-tiny");

it.skipIf(root === undefined).each(FAMILIES)(
  "keeps the bits of %s apart from the batch",
  async (family) => {
    const model = `${root}/${family}`;
    const device = await openDevice("interpreter");
    const ids = (count: number) => Array.from({ length: count }, (_, i) => ((i * 37) % 250) + 2);
    const prompts = [ids(21), [5], ids(9), [...ids(21), 9, 8, 7]];
    const params = { temperature: 1, maxTokens: 5, logprobs: 3, ignoreEos: true };
    const ask = (own: Engine, i: number) =>
      lastOutput(own.generate(prompts[i] ?? [], { ...params, seed: i })).then(bitsOf);
    const all = (own: Engine) => Promise.all(prompts.map((_, i) => ask(own, i)));
    const alone = await withEngine(device, { model }, async (own) => {
      const outputs = [];
      for (const i of prompts.keys()) outputs.push(await ask(own, i));
      return outputs;
    });
    expect(await withEngine(device, { model }, all)).toEqual(alone);
    const chunks = { model, maxNumBatchedTokens: 7, enablePrefixCaching: false };
    expect(await withEngine(device, chunks, all)).toEqual(alone);
    await device.close();
  },
);

it.skipIf(root === undefined)("refuses models that keep states", async () => {
  const model = `${root}/mamba2`;
  const loaded = Engine.load({ model, device: "interpreter", batchInvariant: true });
  await expect(loaded).rejects.toThrow("TW4219");
});
