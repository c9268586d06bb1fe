/** [test/regressions] Reported kinds of bug in engine, scheduler, pages and server, one test each, on runners that compute nothing. All of them, and where the other tests are: bug-classes.test.ts. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_BLOCK_SIZE, sizeCache } from "../../engine/cache-size.ts";
import { Request, type RequestOptions } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import { KvManager } from "../../engine/kv/kv-manager.ts";
import { type LoadedModel, loadModel } from "../../engine/load.ts";
import { llama } from "../../engine/models/llama.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { resolveSampling } from "../../engine/sampling.ts";
import { Scheduler } from "../../engine/scheduler/scheduler.ts";
import { type Server, serveEngine } from "../../engine/server/http.ts";
import { readModelConfig } from "../../engine/weights/model-config.ts";
import { type Device, openDevice } from "../../runtime/index.ts";
import { GatedRunner } from "../support/gated-runner.ts";
import { eventsOf } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const headers = { "content-type": "application/json" };
const LONG = 4096;
const folder = writeTinyModel({ config: { max_position_embeddings: LONG } });
let model: LoadedModel;
beforeAll(async () => {
  model = await loadModel({ model: folder, device: "null", numGpuBlocksOverride: 400 });
});
afterAll(() => model.device.close());

const ids = (length: number) => Array.from({ length }, (_, i) => 2 + (i % 200));

describe("an engine", () => {
  it("bug class 2, an abort that meets its id used again: the next one of that id is whole", async () => {
    const gated = new GatedRunner(264);
    const engine = Engine.over(
      { ...model, runner: gated, ownsDevice: false },
      { checksEachStep: true },
    );
    const old = engine.generate(ids(40), { maxTokens: 500, ignoreEos: true }, "one");
    await expect.poll(() => gated.numSubmitted).toBe(2);
    engine.abort("one");
    const young = engine.generate(ids(20), { maxTokens: 5, ignoreEos: true, seed: 1 }, "one");
    engine.abort("one"); // the young one too; twice, and with the old one's steps still in flight
    engine.abort("one");
    const third = engine.generate(ids(20), { maxTokens: 5, ignoreEos: true, seed: 1 }, "one");
    gated.open();
    expect(await lastOutput(old)).toMatchObject({ finishReason: "abort", tokenIds: [] });
    expect(await lastOutput(young)).toMatchObject({ finishReason: "abort", tokenIds: [] });
    const { finishReason, tokenIds } = await lastOutput(third);
    expect([finishReason, tokenIds.length]).toEqual(["length", 5]);
    engine.abort("one"); // long gone
    await engine.close();
    expect(engine.numFreePages).toBe(engine.info.numPages - 1);
  });

  it("bug class 7, cached prompts of others show by their time: salts share nothing", async () => {
    const own = await loadModel({ model: folder, device: "null" });
    const engine = Engine.over(own, {});
    const ask = async (cacheSalt?: string) => {
      const options = cacheSalt === undefined ? {} : { cacheSalt };
      return (await lastOutput(engine.generate(ids(64), { maxTokens: 2 }, options)))
        .numCachedTokens;
    };
    expect([await ask("red"), await ask("red")]).toEqual([0, 48]);
    expect([await ask("blue"), await ask(), await ask("blue"), await ask()]).toEqual([
      0, 0, 48, 48,
    ]);
    await engine.close();
  });
});

const PAGE = 4;

function scheduling(numPages: number) {
  const kv = new KvManager({
    numPages,
    pageSize: PAGE,
    groups: [{ kind: "full" }],
    prefixCaching: true,
  });
  const limits = { maxBatchedTokens: 64, maxNumSeqs: 8, maxModelLen: 64, watermark: 0.01 };
  return { kv, scheduler: new Scheduler(limits, kv, []) };
}

function request(id: string, maxTokens: number, options: RequestOptions = {}): Request {
  const own = Array.from({ length: 8 }, (_, i) => 10 + i);
  return new Request(id, own, resolveSampling({ maxTokens }), 0, options);
}

/** Steps until nothing is left. Returns the positions that were computed. */
function runAll(scheduler: Scheduler): number {
  let computed = 0;
  while (scheduler.hasWork) {
    const plan = scheduler.schedule();
    if (plan === undefined) throw new Error("nothing can be planned");
    computed += plan.numTokens;
    scheduler.update(
      plan,
      plan.entries.map((entry) => (entry.samples ? { entry, token: 7 } : { entry })),
    );
    scheduler.checkIntegrity();
  }
  return computed;
}

describe("a scheduler", () => {
  it("bug class 6, an adapter loaded again under its name: its pages are another instance's", () => {
    const { scheduler } = scheduling(100);
    const cached = (adapter: string) => {
      const one = request(`${adapter}-${Math.random()}`, 1, { scope: { adapter } });
      scheduler.add(one);
      runAll(scheduler);
      return one.numCachedTokens;
    };
    expect([cached("poems@1"), cached("poems@1"), cached("poems@2")]).toEqual([0, 4, 0]);
  });

  it("bug class 9, requests preempt each other for ever: each step moves the first, newcomers wait for room", () => {
    const { scheduler } = scheduling(18); // 68 positions; eight requests want 56 each
    const all = Array.from({ length: 8 }, (_, i) => {
      const one = request(`r${i}`, 48, { scope: { salt: String(i) } });
      scheduler.add(one);
      return one;
    });
    const computed = runAll(scheduler);
    expect(all.map(({ outputIds }) => outputIds.length)).toEqual(new Array(8).fill(48));
    expect(scheduler.numPreemptions).toBeGreaterThan(0);
    expect(scheduler.numPreemptions).toBeLessThan(32); // each of 384 tokens could cost one
    expect(computed).toBeLessThan(2 * 8 * 56);
  });
});

describe("the size of a cache", () => {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice("null");
  });
  afterAll(() => device.close());

  /** A device with so much memory, whatever others hold of it. */
  const deviceOf = (memoryBytes: number): Device => {
    const info = { ...device.info, hardware: true };
    const limits = { ...device.limits, memoryBytes };
    return Object.create(device, { info: { value: info }, limits: { value: limits } }) as Device;
  };

  it("bug class 28, loads that fail beside others: what is taken follows from options and weights alone, a refusal names what would fit", () => {
    const config = llama.configure(readModelConfig(folder), LONG);
    const size = (memory: number, weights: number, share = 0.5) =>
      sizeCache(
        { model: folder, gpuMemoryUtilization: share },
        {
          model: config,
          dtype: "f32",
          kvDtype: "f32",
          device: deviceOf(memory),
          weightBytes: weights,
          maxModelLen: LONG,
        },
      );
    const page = 2 * 2 * 4 * DEFAULT_BLOCK_SIZE * 2 * 8; // keys and values, layers, bytes, positions, heads, head dim
    expect(size(2000 * page, 0).numPages).toBe(1000);
    expect(size(2000 * page, 300 * page).numPages).toBe(700);
    expect(size(2000 * page, 300 * page, 0.4).numPages).toBe(500);
    expect(() => size(200 * page, 0)).toThrow(
      /TW4103[\s\S]*room for 1584 positions[\s\S]*\(--max-model-len\) 1584/,
    );
  });
});

const CONTEXT = 1024;
const chatTemplate = "{% for m in messages %}{{ m.content }}{% endfor %}";

/** @param gated steps wait until they are let go */
async function serve(options: object, gated?: GatedRunner) {
  const model = await loadModel({
    model: folder,
    device: "null",
    maxModelLen: CONTEXT,
    ...options,
  });
  const engine = Engine.over({ ...model, runner: gated ?? model.runner }, { checksEachStep: true });
  const server = await serveEngine(engine, { port: 0, chatTemplate });
  const post = (path: string, body: object, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body), ...init });
  return { engine, server, post };
}

describe("a client that leaves", () => {
  const gated = new GatedRunner(264);
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    served = await serve({}, gated);
  });
  afterAll(async () => {
    gated.open();
    await served.server.close(0);
  });

  const endless = { max_tokens: 900, ignore_eos: true };
  const messages = [{ role: "user", content: "hi" }];
  it.each([
    ["/v1/completions", { ...endless, prompt: ["abc", "de"] }],
    ["/v1/completions", { ...endless, prompt: "abc", n: 3 }],
    ["/v1/chat/completions", { ...endless, messages }],
    ["/v1/chat/completions", { ...endless, messages, stream: true }],
    ["/v1/embeddings", { input: "x".repeat(700) }],
    ["/generate", { ...endless, prompt: "abc" }],
    ["/generate", { ...endless, prompt: "abc", stream: true }],
  ])(
    "bug class 1, requests of clients that left run on: %s %j is gone within a step",
    async (path, body) => {
      const { engine, post } = served;
      const leaving = new AbortController();
      const before = gated.numSubmitted;
      const answer = post(path, body, { signal: leaving.signal })
        .then((response) => response.text())
        .catch(() => "left");
      await expect.poll(() => gated.numSubmitted).toBeGreaterThan(before);
      leaving.abort();
      await expect.poll(() => engine.numRunning + engine.numWaiting).toBe(0);
      const steps = gated.numSubmitted;
      gated.release(2); // those that were in flight
      await expect.poll(() => engine.numFreePages).toBe(engine.info.numPages - 1);
      expect(gated.numSubmitted).toBe(steps);
      expect(await answer).toBe("left");
    },
  );
});

describe("a server", () => {
  let server: Server;
  let post: Awaited<ReturnType<typeof serve>>["post"];
  beforeAll(async () => {
    ({ server, post } = await serve({}));
  });
  afterAll(() => server.close(0));

  it("bug class 22, usage that differs between modes: it is one count, streamed or whole, with choices and from the cache", async () => {
    const body = { prompt: "x".repeat(40), max_tokens: 7, ignore_eos: true, seed: 1, n: 2 };
    const usages: object[] = [];
    for (const stream of [false, true, true, false]) {
      const options = stream ? { stream, stream_options: { include_usage: true } } : {};
      const text = await (await post("/v1/completions", { ...body, ...options })).text();
      const last = stream ? eventsOf(text).at(-1) : JSON.parse(text);
      usages.push((last as { usage: object }).usage);
    }
    const cached = { prompt_tokens_details: { cached_tokens: expect.any(Number) } };
    const counts = { prompt_tokens: 41, completion_tokens: 14, total_tokens: 55 };
    for (const usage of usages) expect(usage).toMatchObject({ ...counts, ...cached });
    const [, second, third, fourth] = usages;
    expect([third, fourth]).toEqual([second, second]); // all of them from the cache
  });

  it("bug class 33, addresses of images that are fetched from inside: parts that are no text are refused, nothing is fetched", async () => {
    let fetched = 0;
    const inside = createServer((_request, response) => {
      fetched++;
      response.end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => inside.once("listening", resolve));
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/secret`;
    for (const part of [
      { type: "image_url", image_url: { url } },
      { type: "input_audio", input_audio: { data: url } },
      { type: "video_url", video_url: { url: "file:///etc/passwd" } },
    ]) {
      const messages = [{ role: "user", content: [{ type: "text", text: "what is it?" }, part] }];
      const response = await post("/v1/chat/completions", { messages });
      expect(response.status).toBe(400);
    }
    expect(fetched).toBe(0);
    inside.close();
  });

  it("bug class 34, a huge prompt keeps /health waiting: what cannot fit is refused before it is cut into tokens", async () => {
    const huge = post("/v1/completions", { prompt: "many words ".repeat(1_200_000) });
    let slowest = 0;
    const done = huge.then(({ status }) => status);
    for (let status: number | undefined; status === undefined; ) {
      const begin = performance.now();
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - begin);
      status = await Promise.race([done, delay(1, undefined)]);
    }
    expect(await done).toBe(400);
    expect(slowest).toBeLessThan(1500); // cutting it takes more than ten times that
  });

  it("bug class 40, an answer that was cut and does not say so: its reason is 'length', streamed or whole", async () => {
    const body = { prompt: "abc", max_tokens: 5, ignore_eos: true };
    const whole = (await (await post("/v1/completions", body)).json()) as object;
    expect(whole).toMatchObject({ choices: [{ finish_reason: "length" }] });
    const events = eventsOf(
      await (await post("/v1/completions", { ...body, stream: true })).text(),
    );
    expect(events.at(-1)).toMatchObject({ choices: [{ finish_reason: "length" }] });
    const messages = [{ role: "user", content: "x".repeat(CONTEXT - 20) }];
    const chat = await (await post("/v1/chat/completions", { messages, ignore_eos: true })).json();
    expect(chat).toMatchObject({ choices: [{ finish_reason: "length" }] }); // at the end of the context
  });
});

it("bug class 35, counts that preemption doubles: each request has one first token, its prompt is asked for once", async () => {
  const { engine, server, post } = await serve({ numGpuBlocksOverride: 66, maxNumSeqs: 8 });
  const prompts = Array.from({ length: 8 }, (_, i) => `${i}${"y".repeat(98)}`);
  const body = { prompt: prompts, max_tokens: 300, ignore_eos: true };
  const answer = (await (await post("/v1/completions", body)).json()) as { usage: object };
  expect(answer.usage).toMatchObject({ prompt_tokens: 800, completion_tokens: 2400 });
  expect(engine.numPreemptions).toBeGreaterThan(0);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const counted = (name: string) => {
    const line = metrics.split("\n").find((one) => one.startsWith(`vllm:${name}{`));
    return Number(line?.split(" ").at(-1));
  };
  expect(counted("time_to_first_token_seconds_count")).toBe(8);
  expect(counted("e2e_request_latency_seconds_count")).toBe(8);
  expect(counted("prompt_tokens_total")).toBe(800);
  expect(counted("generation_tokens_total")).toBe(2400);
  expect(counted("prefix_cache_queries_total")).toBe(800);
  expect(counted("num_preemptions_total")).toBe(engine.numPreemptions);
  await server.close(0);
});
