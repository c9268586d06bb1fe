/** [test/engine] The core in a process of its own: the same answers as in this one, and a server that lives on when the core is killed. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CoreReport } from "../../engine/core-link.ts";
import { packReport, unpackReport } from "../../engine/core-process/messages.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Server, serveEngine } from "../../engine/server/http.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel({ config: { max_position_embeddings: 100_000 } });

describe("reports", () => {
  it("come out of a message as they went in", () => {
    const stats = {
      numRunning: 1,
      numWaiting: 2,
      numPreemptions: 3,
      numSteps: 4,
      prefixQueried: 5,
      prefixHits: 6,
      sharedPositions: 8,
      numFreePages: 7,
    };
    const scored = { tokenId: 9, logprob: -1, rank: 1, top: [{ tokenId: 9, logprob: -1 }] };
    const report: CoreReport = {
      updates: [
        { key: 1, tokens: [5], logprobs: [], numCachedTokens: 16 },
        { key: 2, tokens: [], logprobs: [], finishReason: "abort" },
        {
          key: 2 ** 31 - 1,
          tokens: [9, 8],
          logprobs: [scored, scored],
          finishReason: "stop",
          stopReason: 8,
        },
        { key: 4, tokens: [1], logprobs: [], promptLogprobs: [null, scored] },
        { key: 5, tokens: [1], logprobs: [], timing: { queueMs: 1.5, prefillMs: 0.25 } },
      ],
      numTokens: 9,
      stats,
    };
    expect(unpackReport(structuredClone(packReport(report)))).toEqual(report);
    const failed = {
      updates: [{ key: 1, tokens: [], logprobs: [], failure: new Error("burns") }],
      numTokens: 1,
      stats,
    };
    const [update] = unpackReport(structuredClone(packReport(failed))).updates;
    expect(update?.failure).toMatchObject({
      message: "burns",
      stack: failed.updates[0]?.failure.stack,
    });
  });
});

it("says what is wrong with a model as if it were loaded here", async () => {
  const load = Engine.load({ model: "/nowhere", device: "null", coreProcess: true });
  const inline = Engine.load({ model: "/nowhere", device: "null" });
  const message = await inline.catch((error: Error) => error.message);
  await expect(load).rejects.toThrow(String(message));
});

it("gives the same as a core in this process", async () => {
  const options = { model, device: "null", maxModelLen: 200 } as const;
  const params = { maxTokens: 30, seed: 5, logprobs: 0, stop: ["zq"], n: 2 };
  const outputs = [];
  for (const coreProcess of [false, true]) {
    const engine = await Engine.load({ ...options, coreProcess });
    expect(engine.corePid === process.pid).toBe(!coreProcess);
    const whole = await new RequestGroup(engine, ["abc", "x"], params, 2, "g").finish();
    // How many steps one output covers is a matter of time.
    outputs.push(whole.map((output) => ({ ...output, deltaText: "", deltaTokenIds: [] })));
    await engine.close();
    expect(() => engine.generate("abc")).toThrow("TW4111");
  }
  expect(outputs[1]).toEqual(outputs[0]);
});

describe("a core whose parent is killed", () => {
  const isThere = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it.each(["at once", "while a request runs"])(
    "ends by itself (%s)",
    async (when) => {
      const parent = join(import.meta.dirname, "../support/orphaned-core.ts");
      const args = ["--import", "tsx", parent, model, when];
      const { stdout, signal } = spawnSync(process.execPath, args, { encoding: "utf8" });
      const pid = Number(stdout);
      expect([signal, pid > 0]).toEqual(["SIGKILL", true]);
      try {
        await vi.waitFor(() => expect(isThere(pid)).toBe(false), { timeout: 30_000, interval: 50 });
      } finally {
        if (isThere(pid)) process.kill(pid, "SIGKILL");
      }
    },
    60_000,
  );
});

describe("a core that is killed", () => {
  let engine: Engine;
  let server: Server;
  beforeAll(async () => {
    engine = await Engine.load({
      model,
      device: "null",
      maxModelLen: 100_000,
      numGpuBlocksOverride: 7000,
      coreProcess: true,
    });
    server = await serveEngine(engine, { port: 0 });
  }, 30_000);
  afterAll(() => server.close(0));

  it("gives its requests 500, its streams an error, and is started again", async () => {
    const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const post = (body: object) =>
      fetch(`${server.url}/v1/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ prompt: "abc", ignore_eos: true, ...body }),
      });
    const health = async () => (await fetch(`${server.url}/health`)).status;
    const whole = post({ max_tokens: 90_000 });
    const streamed = await post({ max_tokens: 90_000, stream: true });
    await vi.waitFor(() => expect(engine.numRunning).toBe(2));
    const killed = engine.corePid ?? 0;
    process.kill(killed, "SIGKILL");
    expect((await whole).status).toBe(500);
    expect(await streamed.text()).toMatch(/"error":[^\n]*\n\n(data: \[DONE\]\n\n)?$/);
    const [down, refused] = [await health(), (await post({ max_tokens: 2 })).status];
    await vi.waitFor(async () => expect(await health()).toBe(200), {
      timeout: 20_000,
      interval: 50,
    });
    expect([down, refused]).toEqual([503, 503]);
    expect((await post({ max_tokens: 2 })).status).toBe(200);
    expect(engine.corePid).not.toBe(killed);
    await vi.waitFor(() => expect(engine.numFreePages).toBe(engine.info.numPages - 1));
    log.mockRestore();
  }, 30_000);
});
