/** [test/engine] Beam search by forks: what it finds against plain searches, its pages, its place among other requests, its forms in LLM and HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BeamSearchParams, beamSampling } from "../../engine/beam-outputs.ts";
import { Engine } from "../../engine/engine.ts";
import { KvManager } from "../../engine/kv/kv-manager.ts";
import type { KvGroup } from "../../engine/kv/page-group.ts";
import { LLM } from "../../engine/llm.ts";
import { type LoadedModel, loadModel } from "../../engine/load.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import type { SchedulerOptions } from "../../engine/scheduler/options.ts";
import { Scheduler } from "../../engine/scheduler/scheduler.ts";
import { createApp } from "../../engine/server/http.ts";
import { CoreDevice } from "../../runtime/index.ts";
import { BEAM_END, BEAM_VOCAB, BeamRunner, plainBeamSearch } from "../support/beam-runner.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const folder = writeTinyModel();
let base: LoadedModel;
beforeAll(async () => {
  base = await loadModel({ model: folder, device: "null" });
});
afterAll(() => base.device.close());

const PAGE = 4;

interface Setup extends Partial<SchedulerOptions> {
  readonly numPages?: number;
  readonly groups?: readonly KvGroup[];
  readonly prefixCaching?: boolean;
  readonly asyncScheduling?: boolean;
}

const FULL: readonly KvGroup[] = [{ kind: "full" }];

function setup({
  numPages = 200,
  groups = FULL,
  prefixCaching = true,
  asyncScheduling = true,
  ...limits
}: Setup) {
  const kv = new KvManager({ numPages, pageSize: PAGE, groups, prefixCaching });
  const options = { maxBatchedTokens: 64, maxNumSeqs: 16, maxModelLen: 64, ...limits };
  const runner = new BeamRunner(numPages, PAGE, groups);
  const { maxNumSeqs, maxModelLen } = options;
  const info = { ...base.info, numPages, maxNumSeqs, maxModelLen, vocabSize: BEAM_VOCAB };
  const loaded = { ...base, info, ownsDevice: false, runner, kv };
  const scheduler = new Scheduler(options, kv, [BEAM_END]);
  const core = { checksEachStep: true, asyncScheduling };
  return { engine: Engine.over({ ...loaded, scheduler }, core), runner };
}

const prompt = (seed: number, length = 6) =>
  Array.from({ length }, (_, i) => (seed * 7 + i * 3) % (BEAM_VOCAB - 1));

async function search(engine: Engine, promptIds: readonly number[], params: BeamSearchParams) {
  const {
    beams = [],
    text,
    tokenIds,
  } = await lastOutput(engine.generate(promptIds, beamSampling(params)));
  expect(tokenIds).toEqual(beams[0]?.tokenIds);
  expect(text).toBe(beams[0]?.text);
  return beams;
}

/** Finds what the plain search finds, for several prompts at once. */
async function expectPlain(engine: Engine, params: BeamSearchParams, seeds = [1, 2, 3]) {
  const found = await Promise.all(seeds.map((seed) => search(engine, prompt(seed), params)));
  found.forEach((beams, i) => {
    const { beamWidth: width, maxTokens, lengthPenalty = 1, ignoreEos = false } = params;
    const asked = { prompt: prompt(seeds[i] ?? 0), width, maxTokens, lengthPenalty, ignoreEos };
    const wanted = plainBeamSearch(asked);
    expect(beams.map(({ tokenIds }) => tokenIds)).toEqual(wanted.map(({ tokenIds }) => tokenIds));
    beams.forEach(({ logprob, score }, at) => {
      expect(logprob).toBeCloseTo(wanted[at]?.logprob ?? 0, 9);
      expect(score).toBeCloseTo(wanted[at]?.score ?? 0, 9);
    });
  });
  expect(engine.numFreePages).toBe(engine.info.numPages - 1);
}

describe("what is found", () => {
  it.each([
    [1, 1, 8],
    [3, 1, 12],
    [4, 0, 10],
    [4, 2, 10],
    [2, -1, 10],
    [6, 1.3, 1],
  ])(
    "is what a plain search finds: width %i, length penalty %d, %i tokens",
    async (width, penalty, most) => {
      const { engine } = setup({});
      const params = { beamWidth: width, lengthPenalty: penalty, maxTokens: most };
      await expectPlain(engine, params);
      await expectPlain(engine, { ...params, ignoreEos: true });
      await engine.close();
    },
  );

  it.each<readonly [string, Setup]>([
    ["plain loop, no cache", { asyncScheduling: false, prefixCaching: false }],
    ["chunks of 3", { maxBatchedTokens: 3 }],
    ["as many seats as beams", { maxNumSeqs: 4 }],
    ["a window on some layers", { groups: [...FULL, { kind: "window", window: 5 }] }],
    ["a window on all of them", { groups: [{ kind: "window", window: 3 }], maxNumSeqs: 6 }],
  ])("is the same under any schedule: %s", async (_name, limits) => {
    const { engine } = setup(limits);
    await expectPlain(engine, { beamWidth: 4, maxTokens: 12 });
    await engine.close();
  });

  it.each([6, 7, 9, 12])("is the same with %i pages, where beams lose theirs", async (numPages) => {
    const { engine } = setup({ numPages });
    await expectPlain(engine, { beamWidth: 4, maxTokens: 12, ignoreEos: true }, [1, 2]);
    expect(engine.numPreemptions).toBeGreaterThan(0);
    await engine.close();
  });

  it("ends as soon as enough have ended, where asked", async () => {
    const { engine, runner } = setup({});
    const params = { beamWidth: 3, maxTokens: 40 };
    const [late, lateTokens] = [await search(engine, prompt(4), params), runner.numTokens];
    const early = await search(engine, prompt(4), { ...params, earlyStopping: true });
    expect(runner.numTokens - lateTokens).toBeLessThan(lateTokens);
    expect(early).toHaveLength(3);
    expect(early.every(({ finishReason }) => finishReason === "stop")).toBe(true);
    expect(early[0]?.score).toBeLessThanOrEqual(late[0]?.score ?? 0);
    await engine.close();
  });

  it("heeds stop tokens and the least number of tokens", async () => {
    const { engine } = setup({});
    const stops = await search(engine, prompt(5), {
      beamWidth: 3,
      maxTokens: 20,
      ignoreEos: true,
      stopTokenIds: [2, 3],
      minTokens: 4,
    });
    for (const { tokenIds, finishReason, stopReason } of stops) {
      if (finishReason === "length") continue;
      expect(tokenIds.length).toBeGreaterThanOrEqual(4);
      expect([2, 3]).toContain(tokenIds.at(-1));
      expect(stopReason).toBe(tokenIds.at(-1));
    }
    expect(stops.some(({ finishReason }) => finishReason === "stop")).toBe(true);
    await engine.close();
  });
});

describe("a search among other requests", () => {
  it("shares pages: a beam costs a copy of one page at most", async () => {
    const { engine, runner } = setup({ prefixCaching: false });
    const params = { beamWidth: 4, maxTokens: 16, ignoreEos: true };
    await search(engine, prompt(1, 40), params);
    expect(runner.numTokens).toBeLessThanOrEqual(40 + 4 * 16); // no token twice
    expect(runner.numCopies).toBeGreaterThan(0);
    expect(runner.numCopies).toBeLessThanOrEqual(4 * 16);
    await engine.close();
  });

  it("leaves nothing behind when it is aborted, and others are as they are alone", async () => {
    const { engine } = setup({ numPages: 40, asyncScheduling: false });
    const params = { maxTokens: 20, temperature: 0, ignoreEos: true };
    const alone = await lastOutput(engine.generate(prompt(9), params));
    const streams = [1, 2].map((seed) =>
      engine.generate(prompt(seed), beamSampling({ beamWidth: 4, maxTokens: 50 }), `beams-${seed}`),
    );
    const ends = streams.map(lastOutput);
    const beside = engine.generate(prompt(9), params);
    let reports = 0;
    for await (const { tokenIds } of beside) {
      if (++reports === 6) for (const seed of [1, 2]) engine.abort(`beams-${seed}`);
      expect(tokenIds).toEqual(alone.tokenIds.slice(0, tokenIds.length));
    }
    for (const end of await Promise.all(ends)) {
      expect(end).toMatchObject({ finishReason: "abort" });
      expect(end.beams).toBeUndefined();
    }
    expect(engine.numFreePages).toBe(39);
    await engine.close();
  });

  it("is refused with more beams than may run, and beside what changes the draw", async () => {
    const { engine } = setup({ maxNumSeqs: 4 });
    const ask = (params: object) => () =>
      engine.generate(prompt(1), { ...beamSampling({ beamWidth: 2, maxTokens: 4 }), ...params });
    expect(ask(beamSampling({ beamWidth: 5, maxTokens: 4 }))).toThrow(/TW4119[\s\S]*at most 4/);
    expect(ask(beamSampling({ beamWidth: 0, maxTokens: 4 }))).toThrow(/'beam_width'/);
    expect(ask({ presencePenalty: 1 })).toThrow(/'presence_penalty'/);
    expect(ask({ logprobs: 1 })).toThrow(/'logprobs'/);
    expect(ask({ stop: ["x"] })).toThrow(/'stop'/);
    await engine.close();
  });
});

describe("a model that computes", () => {
  it("is searched as by requests of one token for each beam, in captured steps", async () => {
    const [width, maxTokens] = [3, 6];
    const backend = new CapturingBackend();
    const device = new CoreDevice(backend);
    const options = {
      model: folder,
      device,
      dtype: "float32",
      maxModelLen: 64,
      blockSize: 4,
    } as const;
    const llm = new LLM(options);
    const prompts = ["abc", "x"];
    const found = await llm.beamSearch(prompts, { beamWidth: width, maxTokens, ignoreEos: true });
    expect(backend.replays).toBeGreaterThan(3);
    await llm.close();
    const engine = await Engine.load({ ...options, enforceEager: true });
    for (const [i, text] of prompts.entries()) {
      const start = engine.encode(text);
      let beams = [{ tokens: start, logprob: 0 }];
      for (let step = 0; step < maxTokens; step++) {
        const params = { maxTokens: 1, temperature: 0, logprobs: 2 * width, ignoreEos: true };
        const next = await Promise.all(
          beams.map(async ({ tokens, logprob }) => {
            const { logprobs } = await lastOutput(engine.generate(tokens, params));
            return (logprobs[0]?.top ?? []).map((one) => ({
              tokens: [...tokens, one.tokenId],
              logprob: logprob + one.logprob,
            }));
          }),
        );
        beams = next
          .flat()
          .sort((a, b) => b.logprob - a.logprob)
          .slice(0, width);
      }
      const { sequences = [], promptTokenIds } = found[i] ?? {};
      expect(promptTokenIds).toEqual(start);
      expect(sequences.map(({ tokenIds }) => tokenIds)).toEqual(
        beams.map(({ tokens }) => tokens.slice(start.length)),
      );
      sequences.forEach(({ logprob, text: words, tokenIds }, at) => {
        expect(Math.abs(logprob - (beams[at]?.logprob ?? 0))).toBeLessThan(2e-3);
        expect(words).toBe(engine.tokenizer.decode(tokenIds));
      });
    }
    await engine.close();
    await device.close();
  }, 60_000);
});

describe("over HTTP", () => {
  const served = serveForTests(() => ({ model: folder, device: "null" }));
  const body = { prompt: ["abc", "de"], max_tokens: 5, n: 3, use_beam_search: true };

  it("gives the beams as choices, with usage, and refuses what a search cannot do", async () => {
    const response = await served.post("/v1/completions", { ...body, length_penalty: 0.5 });
    expect(response.status).toBe(200);
    const { choices, usage } = (await response.json()) as {
      choices: { index: number; finish_reason: string; text: string }[];
      usage: object;
    };
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(choices.map(({ finish_reason }) => finish_reason))).toEqual(new Set(["length"]));
    expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 30 });
    for (const [change, param] of [
      [{ stream: true }, "stream"],
      [{ use_beam_search: false, length_penalty: 0.5 }, "length_penalty"],
      [{ best_of: 4 }, "best_of"],
      [{ presence_penalty: 1 }, "presence_penalty"],
    ] as const) {
      const refused = await served.post("/v1/completions", { ...body, ...change });
      expect(refused.status, param).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { param } });
    }
    expect(served.engine.numFreePages).toBe(served.engine.info.numPages - 1);
  });

  it("gives no text past an output filter", async () => {
    const app = createApp(served.engine, { outputFilter: (text) => "*".repeat(text.length) });
    const { choices } = (
      await app.inject({ method: "POST", url: "/v1/completions", payload: body })
    ).json();
    expect(choices).toHaveLength(6);
    for (const { text } of choices) expect(text).toMatch(/^\**$/);
    await app.close();
  });

  it("is one request in a group, whatever it gives", async () => {
    const params = beamSampling({ beamWidth: 3, maxTokens: 4 });
    const group = new RequestGroup(served.engine, ["abc"], params, 3);
    expect(group.streams).toHaveLength(1);
    expect(await group.finish()).toHaveLength(3);
  });
});
