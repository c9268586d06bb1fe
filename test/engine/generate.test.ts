/** [test/engine] The engine as a library: iterators, batches that come and go, chunks, preemption, sampling, log-probabilities, LLM. On the interpreter. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import type { SamplingParams } from "../../engine/core.ts";
import { Engine, type Prompt } from "../../engine/engine.ts";
import { LLM } from "../../engine/llm.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { EOS, TINY_CONTEXT, writeTinyModel } from "../support/tiny-model.ts";

/** Log-probabilities of one text agree this well whatever it is batched with: f32 sums in another order. */
const COMPOSITION_TOLERANCE = 1e-4;

const folder = writeTinyModel();
let device: Device;
let engine: Engine;
beforeAll(async () => {
  device = await openDevice("interpreter");
  engine = await load();
});
afterAll(async () => {
  await engine.close();
  await device.close();
});

function load(options: Partial<EngineOptions> = {}): Promise<Engine> {
  return Engine.load({ model: folder, device, ...options });
}

async function withEngine(
  options: Partial<EngineOptions>,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const own = await load(options);
  try {
    await use(own);
    expect(own.numFreePages).toBe(own.info.numPages - 1);
  } finally {
    await own.close();
  }
}

const PROMPTS = ["a", "The quick brown fox jumps over", "0123456789", "xyzzy and plugh", "é ö ü"];
const greedy: Partial<SamplingParams> = {
  maxTokens: 24,
  temperature: 0,
  ignoreEos: true,
  logprobs: 0,
  promptLogprobs: 0,
};

function run(own: Engine, prompts: readonly Prompt[], params = greedy): Promise<RequestOutput[]> {
  return new RequestGroup(own, prompts, params).finish();
}

const logprobsOf = ({ promptLogprobs, logprobs }: RequestOutput) =>
  [...promptLogprobs.slice(1), ...logprobs].map((entry) => entry?.logprob ?? Number.NaN);

function expectSame(seen: readonly RequestOutput[], expected: readonly RequestOutput[]): void {
  expect(seen.map(({ tokenIds }) => tokenIds)).toEqual(expected.map(({ tokenIds }) => tokenIds));
  const other = expected.flatMap(logprobsOf);
  const differences = seen.flatMap(logprobsOf).map((value, i) => Math.abs(value - (other[i] ?? 0)));
  expect(differences).toHaveLength(other.length);
  expect(Math.max(...differences)).toBeLessThanOrEqual(COMPOSITION_TOLERANCE);
}

describe("a request", () => {
  it("grows from report to report and ends with its reason", async () => {
    let text = "";
    const tokens: number[] = [];
    let last: RequestOutput | undefined;
    for await (const output of engine.generate("abc", { maxTokens: 10, temperature: 0 })) {
      expect(last?.finishReason).toBeUndefined();
      text += output.deltaText;
      tokens.push(...output.deltaTokenIds);
      expect([output.text, output.tokenIds]).toEqual([text, tokens]);
      last = output;
    }
    expect(last).toMatchObject({ finishReason: "length", stopReason: undefined });
    expect(tokens).toHaveLength(10);
  });

  it("is aborted when its loop is left early", async () => {
    for await (const output of engine.generate("abc", { maxTokens: 100, ignoreEos: true })) {
      if (output.tokenIds.length >= 3) break;
    }
    await vi.waitFor(() =>
      expect([engine.numRunning, engine.numFreePages]).toEqual([0, engine.info.numPages - 1]),
    );
  });

  it("can be aborted by its id, and says so", async () => {
    const stream = engine.generate("abc", { maxTokens: 100, ignoreEos: true }, "mine");
    let count = 0;
    let last: RequestOutput | undefined;
    for await (const output of stream) {
      if (++count === 2) engine.abort("mine");
      last = output;
    }
    expect(last?.finishReason).toBe("abort");
    expect(last?.tokenIds.length).toBeLessThan(100);
    engine.abort("mine");
    engine.abort("never seen");
  });

  it("may not take an id that is in use", async () => {
    const stream = engine.generate("abc", { maxTokens: 2 }, "twice");
    expect(() => engine.generate("abc", { maxTokens: 2 }, "twice")).toThrow("TW4113");
    expect((await lastOutput(stream)).finishReason).toBe("length");
  });

  it("bug class 38, requests that outgrow the context: each ends there, with its reason", async () => {
    const [output] = await run(engine, ["x".repeat(TINY_CONTEXT - 6)], {
      ...greedy,
      maxTokens: 50,
    });
    expect(output?.finishReason).toBe("length");
    expect(output?.promptTokenIds.length).toBe(TINY_CONTEXT - 5);
    expect(output?.tokenIds).toHaveLength(5);
  });

  it("ends at an end token, unless told to go on", async () => {
    const [free] = await run(engine, ["abc"]);
    const eos = free?.tokenIds[5] ?? -1;
    await withEngine(
      { model: writeTinyModel({ config: { eos_token_id: [EOS, eos] } }) },
      async (own) => {
        const [ended] = await run(own, ["abc"], { ...greedy, ignoreEos: false });
        const end = (free?.tokenIds.indexOf(eos) ?? 0) + 1;
        expect(ended).toMatchObject({ finishReason: "stop", stopReason: undefined });
        expect(ended?.tokenIds).toEqual(free?.tokenIds.slice(0, end));
        expectSame(await run(own, ["abc"]), free === undefined ? [] : [free]);
      },
    );
  });
});

describe("batches", () => {
  it("give each request what it gets alone", async () => {
    const alone: RequestOutput[] = [];
    for (const prompt of PROMPTS) alone.push(...(await run(engine, [prompt])));
    expectSame(await run(engine, PROMPTS), alone);
  });

  it("of the same composition give the same bits", async () => {
    const [first, second] = [await run(engine, PROMPTS), await run(engine, PROMPTS)];
    expect(second.map(logprobsOf)).toEqual(first.map(logprobsOf));
  });

  it("take requests that come while others run", async () => {
    const expected = await run(engine, PROMPTS);
    const [first, ...rest] = PROMPTS;
    const later: Promise<RequestOutput[]>[] = [];
    for await (const { tokenIds } of engine.generate(first ?? "", greedy)) {
      const next = rest[tokenIds.length - 1];
      if (next !== undefined) later.push(run(engine, [next]));
    }
    expectSame((await Promise.all(later)).flat(), expected.slice(1));
  });

  it("compute prompts in chunks", async () => {
    const whole = await run(engine, PROMPTS);
    await withEngine({ maxNumBatchedTokens: 7 }, async (own) => {
      expectSame(await run(own, PROMPTS), whole);
    });
  });

  it("survive preemption, with pages of any size", async () => {
    const expected = await run(engine, PROMPTS);
    for (const blockSize of [4, 1]) {
      const numGpuBlocksOverride = 1 + Math.ceil(64 / blockSize);
      await withEngine(
        { blockSize, numGpuBlocksOverride, maxNumBatchedTokens: 16 },
        async (own) => {
          expectSame(await run(own, PROMPTS), expected);
          expect(own.numPreemptions).toBeGreaterThan(0);
        },
      );
    }
  });

  it("split the keys of long contexts over programs as on a GPU", async () => {
    const model = writeTinyModel({ config: { max_position_embeddings: 2048 } });
    const prompts = ["long ".repeat(150), "short", "longer ".repeat(80)];
    const params = { ...greedy, maxTokens: 4 };
    let whole: RequestOutput[] = [];
    await withEngine({ model }, async (own) => {
      whole = await run(own, prompts, params);
    });
    const info = { ...device.info, hardware: true };
    const spy = vi.spyOn(device, "info", "get").mockReturnValue(info);
    try {
      const options = { model, dtype: "float32", warmUp: true, numGpuBlocksOverride: 200 } as const;
      await withEngine(options, async (own) => {
        expectSame(await run(own, prompts, params), whole);
      });
    } finally {
      spy.mockRestore();
    }
  });

  it("run no more requests at once than maxNumSeqs", async () => {
    await withEngine({ maxNumSeqs: 2 }, async (own) => {
      const group = new RequestGroup(own, PROMPTS, greedy);
      let most = 0;
      await Promise.all(
        group.streams.map(async (stream) => {
          for await (const _ of stream) most = Math.max(most, own.numRunning);
        }),
      );
      expect(most).toBe(2);
    });
  });
});

describe("sampling", () => {
  const sampled = { ...greedy, temperature: 1, seed: 42 };
  const tokensOf = (outputs: readonly RequestOutput[]) => outputs.map(({ tokenIds }) => tokenIds);

  it("gives the same tokens under a seed in any batch", async () => {
    const alone = await run(engine, ["abc"], sampled);
    const together = await run(engine, [...PROMPTS, "abc"], sampled);
    expectSame(together.slice(-1), alone);
    const other = await run(engine, ["abc"], { ...sampled, seed: 43 });
    expect(tokensOf(other)).not.toEqual(tokensOf(alone));
  });

  it("uses all bits of a seed", async () => {
    const [low] = tokensOf(await run(engine, ["abc"], { ...sampled, seed: 1 }));
    const [high] = tokensOf(await run(engine, ["abc"], { ...sampled, seed: 1 + 2 ** 40 }));
    expect(high).not.toEqual(low);
  });

  it("differs between requests and repeats between runs under a seed of the engine", async () => {
    const { seed: _, ...free } = sampled;
    const runs: (readonly (readonly number[])[])[] = [];
    for (let i = 0; i < 2; i++) {
      await withEngine({ seed: 7 }, async (own) => {
        runs.push(tokensOf(await run(own, ["abc", "abc", "abc"], free)));
      });
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(new Set(runs[0]?.map(String)).size).toBe(3);
  });

  it.each([
    ["a top-k of 1", { topK: 1 }],
    ["a tiny top-p", { topP: 1e-6 }],
    ["a min-p of 1", { minP: 1 }],
    ["a temperature just above 0", { temperature: 1e-6 }],
  ])("is greedy with %s", async (_name, params) => {
    const expected = tokensOf(await run(engine, ["abc", "xyz"]));
    expect(tokensOf(await run(engine, ["abc", "xyz"], { ...sampled, ...params }))).toEqual(
      expected,
    );
  });

  it("keeps within top-k", async () => {
    const params = { ...sampled, temperature: 2, topK: 3, logprobs: 3, maxTokens: 100 };
    const [output] = await run(engine, ["abc"], params);
    const ranks = output?.logprobs.map(({ rank }) => rank) ?? [];
    expect(Math.max(...ranks)).toBeLessThanOrEqual(3);
    expect(new Set(ranks).size).toBe(3);
  });

  it("keeps within min-p, and a hot temperature reaches far", async () => {
    const params = { ...sampled, logprobs: 1, maxTokens: 100 };
    const depth = ({ logprobs }: RequestOutput) =>
      logprobs.map(({ logprob, top }) => logprob - (top[0]?.logprob ?? 0));
    const [near] = await run(engine, ["abc"], { ...params, minP: 0.2 });
    expect(Math.min(...(near ? depth(near) : []))).toBeGreaterThanOrEqual(Math.log(0.2) - 1e-4);
    const [far] = await run(engine, ["abc"], { ...params, temperature: 3 });
    expect(Math.min(...(far ? depth(far) : []))).toBeLessThan(Math.log(0.2));
  });
});

describe("log-probabilities", () => {
  it("of sampled tokens are those of the same tokens as a prompt", async () => {
    const params = { ...greedy, temperature: 1, seed: 3, logprobs: 2, promptLogprobs: 2 };
    const [output] = await run(engine, ["abc"], params);
    const ids = [...(output?.promptTokenIds ?? []), ...(output?.tokenIds ?? [])];
    const [again] = await run(engine, [ids], { ...params, maxTokens: 1 });
    const expected = [...(output?.promptLogprobs ?? []), ...(output?.logprobs ?? [])];
    expect(again?.promptLogprobs).toHaveLength(expected.length);
    again?.promptLogprobs.forEach((entry, i) => {
      expect([entry?.tokenId, entry?.rank]).toEqual([expected[i]?.tokenId, expected[i]?.rank]);
      expect(entry?.top.map(({ tokenId }) => tokenId)).toEqual(
        expected[i]?.top.map(({ tokenId }) => tokenId),
      );
      expect(entry?.logprob ?? 0).toBeCloseTo(expected[i]?.logprob ?? 0, 4);
    });
  });

  it("of each request are as wide as it asked, in one batch", async () => {
    const widths = [0, 5, undefined, 1];
    const outputs = await Promise.all(
      widths.map((width) => {
        const { logprobs: _, promptLogprobs: __, ...rest } = greedy;
        const asked = width === undefined ? {} : { logprobs: width, promptLogprobs: width };
        return lastOutput(engine.generate("abc", { ...rest, ...asked }));
      }),
    );
    outputs.forEach(({ logprobs, promptLogprobs }, i) => {
      const width = widths[i];
      expect(logprobs.map(({ top }) => top.length)).toEqual(
        width === undefined ? [] : Array(24).fill(width),
      );
      expect(promptLogprobs.map((entry) => entry?.top.length)).toEqual(
        width === undefined ? [] : [undefined, width, width, width],
      );
    });
  });
});

describe("LLM", () => {
  it("answers prompts in their order and frees the model", async () => {
    const llm = new LLM({ model: folder, device });
    const outputs = await llm.generate(PROMPTS, greedy);
    expectSame(outputs, await run(engine, PROMPTS));
    const [ids] = await llm.generate([0, 99, 100], greedy);
    const [text] = await llm.generate("ab", greedy);
    expect(ids?.tokenIds).toEqual(text?.tokenIds);
    await llm.close();
    await llm.close();
  });

  it("starts nothing when one prompt is bad, and tries again after a failed load", async () => {
    const llm = new LLM({ model: folder, device });
    await expect(llm.generate(["abc", [999]], { maxTokens: 100 })).rejects.toThrow("TW4112");
    expect(await llm.generate([], greedy)).toEqual([]);
    await llm.close();
    const broken = new LLM({ model: "/nowhere/at all" });
    await expect(broken.generate("x")).rejects.toThrow("TW4230");
    await expect(broken.generate("x")).rejects.toThrow("TW4230");
    await broken.close();
  });
});

describe("an engine", () => {
  it("ends what runs when it closes, and takes nothing afterwards", async () => {
    const own = await load();
    const running = lastOutput(own.generate("abc", { maxTokens: 100, ignoreEos: true }));
    await Promise.all([own.close(), own.close()]);
    expect((await running).finishReason).toBe("abort");
    expect(own.isAlive).toBe(false);
    expect(() => own.generate("abc")).toThrow("TW4111");
  });

  it("compiles ahead when asked, and counts the steps", async () => {
    const seen: string[] = [];
    await withEngine(
      {
        warmUp: true,
        onProgress: ({ stage, done, total }) => seen.push(`${stage} ${done <= total}`),
      },
      async (own) => expectSame(await run(own, PROMPTS), await run(engine, PROMPTS)),
    );
    expect(seen).toContain("weights true");
    expect(seen.filter((line) => line === "compile true").length).toBeGreaterThan(2);
    expect(seen.filter((line) => line.endsWith("false"))).toEqual([]);
  });

  it("runs in half precision near its float32 values", async () => {
    const expected = (await run(engine, PROMPTS)).flatMap(({ promptLogprobs }) =>
      promptLogprobs.slice(1).map((entry) => entry?.logprob ?? 0),
    );
    for (const [dtype, bound] of [
      ["float16", 0.06],
      ["bfloat16", 0.5],
    ] as const) {
      await withEngine({ dtype }, async (own) => {
        const seen = (await run(own, PROMPTS)).flatMap(({ promptLogprobs }) =>
          promptLogprobs.slice(1).map((entry) => entry?.logprob ?? 0),
        );
        const errors = seen.map((value, i) => Math.abs(value - (expected[i] ?? 0)));
        expect(Math.max(...errors)).toBeLessThan(bound);
        expect(Math.max(...errors)).toBeGreaterThan(0);
      });
    }
  });
});
