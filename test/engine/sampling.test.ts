/** [test/engine] What requests say about tokens, through the whole engine on the interpreter: biases, masks, penalties, bad words, choices. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import type { SamplingParams } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { EOS, FIRST_BYTE, writeTinyModel } from "../support/tiny-model.ts";

const VOCAB = 264;
const folder = writeTinyModel();
let device: Device;
let engine: Engine;
beforeAll(async () => {
  device = await openDevice("interpreter");
  engine = await Engine.load({ model: folder, device });
});
afterAll(async () => {
  await engine.close();
  await device.close();
});

const PROMPT = "The quick brown fox";
const greedy: Partial<SamplingParams> = { temperature: 0, maxTokens: 12, ignoreEos: true };

async function run(
  params: Partial<SamplingParams>,
  prompt = PROMPT,
  own = engine,
): Promise<RequestOutput> {
  return lastOutput(own.generate(prompt, { ...greedy, ...params }));
}

async function withEngine(
  options: Partial<EngineOptions>,
  use: (own: Engine) => Promise<void>,
): Promise<void> {
  const own = await Engine.load({ model: folder, device, ...options });
  try {
    await use(own);
  } finally {
    await own.close();
  }
}

describe("rules about tokens", () => {
  it("a bias of 100 makes a token come, one of -100 keeps it away", async () => {
    const { tokenIds } = await run({ logitBias: { 70: 100 }, maxTokens: 3 });
    expect(tokenIds).toEqual([70, 70, 70]);
    const free = (await run({})).tokenIds;
    const without = await run({ logitBias: { [free[0] ?? 0]: -100 } });
    expect(without.tokenIds).not.toContain(free[0]);
  });

  it("only allowed tokens come, at any temperature", async () => {
    const allowedTokenIds = [33, 64, 65, 263];
    const params = { allowedTokenIds, temperature: 5, seed: 3, maxTokens: 40 };
    const { tokenIds } = await run(params);
    expect(new Set(tokenIds)).toEqual(new Set(allowedTokenIds));
  });

  it("log-probabilities are of the logits before the rules", async () => {
    const { logprobs } = await run({ logprobs: 1 });
    const best = logprobs[0]?.top[0];
    const biased = await run({ logprobs: 1, logitBias: { 70: 100 } });
    expect(biased.logprobs[0]?.top[0]).toEqual(best);
    expect(biased.logprobs[0]).toMatchObject({ tokenId: 70 });
    expect(biased.logprobs[0]?.logprob).toBeLessThan(best?.logprob ?? 0);
  });

  it("a bad word loses its last token after the others, and only there", async () => {
    const free = (await run({})).tokenIds;
    const [first = 0, second = 0, third = 0] = free;
    const barred = (await run({ badWordsTokenIds: [[first, second]] })).tokenIds;
    expect([barred[0], barred[1] === second]).toEqual([first, false]);
    const elsewhere = (await run({ badWordsTokenIds: [[third, second]] })).tokenIds;
    expect(elsewhere.slice(0, 3)).toEqual([first, second, third]);
    const single = (await run({ badWordsTokenIds: [[second]] })).tokenIds;
    expect(single).not.toContain(second);
  });

  it("a caller's rule is asked with the output so far", async () => {
    const seen: (readonly number[])[] = [];
    const only = (id: number) => {
      const mask = new Uint32Array(Math.ceil(VOCAB / 32));
      mask[id >>> 5] = 1 << (id & 31);
      return mask;
    };
    const word = [..."grammar"].map((c) => FIRST_BYTE + c.charCodeAt(0));
    const allowedTokens = (outputIds: readonly number[]) => {
      seen.push([...outputIds]);
      return only(word[outputIds.length] ?? EOS);
    };
    const output = await run({ allowedTokens, ignoreEos: false, temperature: 2, seed: 1 });
    expect([output.text, output.finishReason]).toEqual(["grammar", "stop"]);
    expect(seen).toEqual([...word, EOS].map((_, i) => word.slice(0, i)));
  });
});

describe("bug class 27, min_tokens off by one", () => {
  const forced = { logitBias: { [EOS]: 100 }, ignoreEos: false };

  it.each([0, 1, 2, 5])("with min_tokens %d the end comes behind as many tokens", async (count) => {
    const output = await run({ ...forced, minTokens: count });
    expect(output.tokenIds).toHaveLength(count + 1);
    expect([output.tokenIds.at(-1), output.finishReason]).toEqual([EOS, "stop"]);
    expect(output.tokenIds.slice(0, -1)).not.toContain(EOS);
  });

  it("holds for stop tokens, up to the most tokens", async () => {
    const stop = { logitBias: { 70: 100 }, stopTokenIds: [70] };
    const output = await run({ ...stop, minTokens: 3, maxTokens: 8 });
    expect([output.tokenIds.indexOf(70), output.stopReason]).toEqual([3, 70]);
    const whole = await run({ ...stop, minTokens: 4, maxTokens: 4 });
    expect([whole.tokenIds.length, whole.finishReason]).toEqual([4, "length"]);
  });
});

describe("penalties", () => {
  it("presence and frequency are taken off what the output holds", async () => {
    const params = { presencePenalty: 0.7, frequencyPenalty: 1.1, logprobs: 20, maxTokens: 60 };
    const { tokenIds, logprobs } = await run(params);
    expect(new Set(tokenIds).size).toBeLessThan(tokenIds.length); // some count is above 0
    const counts = new Map<number, number>();
    for (const { tokenId, logprob, top } of logprobs) {
      const penalty = (id: number) =>
        (counts.get(id) ?? 0) * params.frequencyPenalty +
        (counts.has(id) ? params.presencePenalty : 0);
      const own = logprob - penalty(tokenId);
      for (const other of top)
        expect(other.logprob - penalty(other.tokenId) - own).toBeLessThan(1e-4);
      counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1);
    }
    expect((await run({ maxTokens: 60 })).tokenIds).not.toEqual(tokenIds);
  });

  it("count nothing, and rules are asked nothing, while a prompt is computed token by token", async () => {
    const penalties = { frequencyPenalty: 2, presencePenalty: 2, repetitionPenalty: 1.8 };
    const wanted = await run(penalties);
    await withEngine({ maxNumBatchedTokens: 1 }, async (own) => {
      expect((await run(penalties, PROMPT, own)).tokenIds).toEqual(wanted.tokenIds);
      const asked: number[] = [];
      const allowedTokens = ({ length }: readonly number[]) => {
        asked.push(length);
        return undefined;
      };
      await run({ allowedTokens, maxTokens: 4 }, "other words", own);
      expect(asked).toEqual([0, 1, 2, 3]);
    });
  });

  it("repetition holds back what prompt or output have", async () => {
    const { tokenIds, promptTokenIds } = await run({ repetitionPenalty: 1e6, maxTokens: 40 });
    expect(new Set(tokenIds).size).toBe(tokenIds.length);
    expect(tokenIds.filter((id) => promptTokenIds.includes(id))).toEqual([]);
  });

  it("are those of the request alone, whoever is beside it and however often it starts over", async () => {
    const list: Partial<SamplingParams>[] = [
      { presencePenalty: 1.5, seed: 1, temperature: 1 },
      { seed: 2, temperature: 1 },
      { repetitionPenalty: 1.4, frequencyPenalty: -0.5, seed: 3, temperature: 1 },
      { frequencyPenalty: 2 },
      { minTokens: 3, logitBias: { 9: 4 }, seed: 5, temperature: 0.8 },
      { repetitionPenalty: 0.7, badWordsTokenIds: [[70, 71], [72]], seed: 6, temperature: 1.2 },
    ];
    const all = list.map((params) => ({ ...params, maxTokens: 24 }));
    const alone: (readonly number[])[] = [];
    for (const params of all) alone.push((await run(params)).tokenIds);
    const together = await Promise.all(all.map((params) => run(params)));
    expect(together.map(({ tokenIds }) => tokenIds)).toEqual(alone);
    await withEngine({ numGpuBlocksOverride: 24, blockSize: 4 }, async (own) => {
      const squeezed = await Promise.all(all.map((params) => run(params, PROMPT, own)));
      expect(squeezed.map(({ tokenIds }) => tokenIds)).toEqual(alone);
      expect(own.numPreemptions).toBeGreaterThan(0);
    });
  });
});

describe("choices", () => {
  it("best_of gives the most probable of those that it computes, best first", async () => {
    const params = { maxTokens: 6, temperature: 1.5, seed: 11, ignoreEos: true };
    const each: RequestOutput[] = [];
    for (let i = 0; i < 5; i++)
      each.push(await run({ ...params, seed: params.seed + i, logprobs: 0 }));
    const sum = ({ logprobs }: RequestOutput) =>
      logprobs.reduce((n, { logprob }) => n + logprob, 0);
    const expected = [...each].sort((a, b) => sum(b) - sum(a)).slice(0, 2);
    const group = new RequestGroup(engine, [PROMPT], { ...params, n: 2, bestOf: 5 });
    const outputs = await group.finish();
    expect(outputs.map(({ tokenIds }) => tokenIds)).toEqual(
      expected.map(({ tokenIds }) => tokenIds),
    );
    expect(outputs.map(({ logprobs }) => logprobs)).toEqual([[], []]);
  });

  it("bug class 21, choices of n > 1 dropped or overwritten: each is there, in its place", async () => {
    const params = { maxTokens: 6, temperature: 1.5, seed: 40, n: 4, ignoreEos: true };
    const outputs = await new RequestGroup(engine, [PROMPT, "other"], params).finish();
    const each: (readonly number[])[] = [];
    for (const prompt of [PROMPT, "other"])
      for (let i = 0; i < 4; i++)
        each.push((await run({ ...params, n: 1, seed: params.seed + i }, prompt)).tokenIds);
    expect(outputs.map(({ tokenIds }) => tokenIds)).toEqual(each);
    expect(new Set(each.map((ids) => ids.join())).size).toBe(8);
  });

  it("a single stream refuses to be several", () => {
    expect(() => engine.generate("abc", { n: 2 })).toThrow("TW4115");
  });
});

/** The model with embeddings of one token that are no numbers. */
function withBrokenToken(id: number): string {
  const model = writeTinyModel();
  const path = join(model, "model.safetensors");
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString()) as Record<
    string,
    { readonly data_offsets: readonly [number, number]; readonly shape: readonly number[] }
  >;
  const table = header["model.embed_tokens.weight"];
  if (table === undefined) throw new Error("the tiny model has no table of embeddings");
  const width = table.shape[1] ?? 0;
  const first = 8 + length + table.data_offsets[0] + 4 * width * id;
  for (let i = 0; i < width; i++) bytes.writeFloatLE(Number.NaN, first + 4 * i);
  writeFileSync(path, bytes);
  return model;
}

describe("bug class 18, logits that are no numbers", () => {
  it.each([0, 1])("end their own request with an error at temperature %d", async (temperature) => {
    const broken = FIRST_BYTE + "~".charCodeAt(0);
    await withEngine({ model: withBrokenToken(broken) }, async (own) => {
      const params = { temperature, seed: 1 };
      const good = run(params, "abc", own);
      const bad = run({ ...params, presencePenalty: temperature }, "a~c", own);
      await expect(bad).rejects.toThrow("TW4116");
      expect((await good).tokenIds).toEqual((await run(params, "abc")).tokenIds);
      expect(own.numFreePages).toBe(own.info.numPages - 1);
    });
  });

  it.each([
    ["a rule that leaves no token", () => new Uint32Array(0), /TW4116.*\n.*exclude every token/],
    [
      "bug class 16, a rule that fails",
      () => {
        throw new Error("no grammar");
      },
      /TW4116.*\n.*allowedTokens failed: no grammar/,
    ],
  ] as const)("%s does the same", async (_, allowedTokens, message) => {
    const nothing = run({ allowedTokens });
    const beside = run({ temperature: 0 });
    await expect(nothing).rejects.toThrow(message);
    expect((await beside).tokenIds).toEqual((await run({})).tokenIds);
  });
});

describe("streams", () => {
  it("bug class 20, top_logprobs of several tokens in a chunk: each goes with its own token", async () => {
    const whole = await run({ logprobs: 2, temperature: 1, seed: 8, maxTokens: 60 });
    const rare = whole.text.slice(20, 26); // tokens that may begin it are held back and come several at a time
    const params = { logprobs: 2, temperature: 1, seed: 8, maxTokens: 60, stop: [`${rare}\u0001`] };
    const sizes = new Set<number>();
    for await (const output of engine.generate(PROMPT, { ...greedy, ...params })) {
      expect(output.logprobs.map(({ tokenId }) => tokenId)).toEqual(output.tokenIds);
      expect(output.logprobs).toEqual(whole.logprobs.slice(0, output.tokenIds.length));
      sizes.add(output.deltaTokenIds.length);
    }
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  it("bug class 19, prompt_logprobs short under a prefix cache: all are there, the second time too", async () => {
    const prompt = "the same prompt, longer than two pages of the cache";
    const params = { promptLogprobs: 1, maxTokens: 1 };
    const [first, second] = [await run(params, prompt), await run(params, prompt)];
    expect(first.promptLogprobs).toHaveLength(first.promptTokenIds.length);
    expect(second.promptLogprobs).toEqual(first.promptLogprobs);
    expect((await run({ maxTokens: 1 }, prompt)).numCachedTokens).toBeGreaterThan(0);
  });

  it("bug class 39, seeds repeat or change with the batch: noise is of the seed and the position", async () => {
    const params = { temperature: 1, maxTokens: 10 };
    const seeds = [1, 2, 1, 3];
    const outputs = await Promise.all(seeds.map((seed) => run({ ...params, seed })));
    const [a, b, c, d] = outputs.map(({ tokenIds }) => tokenIds);
    expect(c).toEqual(a);
    expect(new Set([a, b, d].map((ids) => ids?.join())).size).toBe(3);
    const free = await Promise.all([run(params), run(params)]);
    expect(free[0]?.tokenIds).not.toEqual(free[1]?.tokenIds);
  });
});
