/** [test/engine] Under `batchInvariant` a request gives the same bits however it is scheduled: alone, in batches, in chunks, from the cache, after preemption, overlapped, forked. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { FIRST_BYTE, writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel();
const MAX_TOKENS = 10;
/** A beginning of two pages that all share, then some tokens of their own. */
const PROMPTS = [3, 1, 30, 8, 17, 21].map((own, i) => [
  ...Array.from({ length: 20 }, (_, at) => FIRST_BYTE + 64 + (at % 11)),
  ...Array.from({ length: own }, (_, at) => FIRST_BYTE + 40 + ((i * 7 + at * 3) % 60)),
]);
const KINDS = [
  { name: "greedy", temperature: 0 },
  { name: "seeded", temperature: 0.9, seed: 3, topP: 0.9 },
] as const;

let device: Device;
let alone: readonly string[];
beforeAll(async () => {
  device = await openDevice("interpreter");
  const plain = { asyncScheduling: false, enablePrefixCaching: false };
  alone = await withEngine(plain, async (engine) => {
    const results: string[] = [];
    for (const job of jobs())
      results.push(bitsOf(await lastOutput(engine.generate(job.prompt, job.params))));
    return results;
  });
}, 60_000);
afterAll(() => device.close());

function jobs() {
  return KINDS.flatMap(({ name: _name, ...kind }) =>
    PROMPTS.map((prompt) => ({
      prompt,
      params: { ...kind, maxTokens: MAX_TOKENS, ignoreEos: true, logprobs: 2 },
    })),
  );
}

/** Tokens and log-probabilities, every bit of them. */
function bitsOf({ tokenIds, logprobs }: RequestOutput): string {
  return JSON.stringify([tokenIds, logprobs]);
}

async function withEngine<T>(
  options: Partial<EngineOptions>,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await Engine.load({
    model,
    device,
    batchInvariant: true,
    blockSize: 8,
    ...options,
  });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

async function together(engine: Engine): Promise<string[]> {
  const streams = jobs().map(({ prompt, params }) => engine.generate(prompt, params));
  return (await Promise.all(streams.map(lastOutput))).map(bitsOf);
}

const WAYS: readonly (readonly [string, Partial<EngineOptions>])[] = [
  ["in one batch, plain", { asyncScheduling: false, enablePrefixCaching: false }],
  ["in one batch, overlapped", { enablePrefixCaching: false }],
  ["in small batches", { maxNumSeqs: 3 }],
  ["in chunks of 7", { maxNumBatchedTokens: 7, enablePrefixCaching: false }],
  ["in chunks of 16 from the cache, overlapped", { maxNumBatchedTokens: 16, maxNumSeqs: 4 }],
];

it.each(WAYS)(
  "gives the bits of a request alone %s",
  async (_, options) => {
    expect(await withEngine(options, together)).toEqual(alone);
  },
  60_000,
);

it("bug class 8, tokens lost or doubled by preemption: requests that start over give the same bits", async () => {
  let numPreemptions = 0;
  for (const pages of [17, 18, 19, 21, 24]) {
    const options = { numGpuBlocksOverride: pages, enablePrefixCaching: pages % 2 === 0 };
    await withEngine(options, async (engine) => {
      expect(await together(engine)).toEqual(alone);
      numPreemptions += engine.numPreemptions;
    });
  }
  expect(numPreemptions).toBeGreaterThan(4);
}, 60_000);

it("gives them from the cache, and says how much came from there", async () => {
  await withEngine({}, async (engine) => {
    expect(await together(engine)).toEqual(alone);
    const [{ prompt, params } = { prompt: [], params: {} }] = jobs();
    const again = await lastOutput(engine.generate(prompt, params));
    expect([bitsOf(again), again.numCachedTokens]).toEqual([alone[0], 16]);
    const salted = await lastOutput(engine.generate(prompt, params, { cacheSalt: "mine" }));
    expect([bitsOf(salted), salted.numCachedTokens]).toEqual([alone[0], 0]);
    engine.resetPrefixCache();
    const anew = await lastOutput(engine.generate(prompt, params));
    expect([bitsOf(anew), anew.numCachedTokens]).toEqual([alone[0], 0]);
  });
}, 60_000);

it.each([true, false])(
  "gives n choices the bits of n requests, prefix cache %s",
  async (caching) => {
    await withEngine({ enablePrefixCaching: caching }, async (engine) => {
      const prompt = PROMPTS[2] ?? [];
      const params = {
        temperature: 0.9,
        seed: 11,
        maxTokens: MAX_TOKENS,
        ignoreEos: true,
        logprobs: 2,
      };
      const forked = await new RequestGroup(engine, [prompt], params, 3).finish();
      expect(forked.slice(1).map(({ numCachedTokens }) => numCachedTokens)).toEqual([
        prompt.length - 1,
        prompt.length - 1,
      ]);
      for (const [i, output] of forked.entries()) {
        const single = await lastOutput(engine.generate(prompt, { ...params, seed: 11 + i }));
        expect(bitsOf(single)).toBe(bitsOf(output));
      }
    });
  },
  60_000,
);
