/** [test/engine] Life of the HTTP server: /generate, health, clients that leave, slow clients, failing steps, the end of the server. */
import { get, request as httpRequest, type IncomingMessage } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { serveEngine } from "../../engine/server/http.ts";
import { engine as engineDoor } from "../../index.ts";
import { eventsOf, serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const headers = { "content-type": "application/json" };
/** A context that no test can fill in its time: a request that runs on is seen. */
const folder = writeTinyModel({ config: { max_position_embeddings: 8192 } });
const served = serveForTests(() => ({ model: folder, numGpuBlocksOverride: 600 }));
const endless = { prompt: "abc", max_tokens: 8000, ignore_eos: true, temperature: 0 };

async function untilIdle(engine: Engine): Promise<void> {
  await vi.waitFor(
    () => {
      expect([engine.numRunning, engine.numWaiting]).toEqual([0, 0]);
      expect(engine.numFreePages).toBe(engine.info.numPages - 1);
    },
    { timeout: 10_000, interval: 10 },
  );
}

describe("/generate", () => {
  const body = { prompt: "abc", max_tokens: 6, temperature: 0 };

  it("answers with prompt and output", async () => {
    const { text } = (await (await served.post("/generate", body)).json()) as { text: string[] };
    expect(text).toHaveLength(1);
    expect(text[0]).toMatch(/^abc.{6}$/s);
  });

  it("streams one JSON line for each step, cumulative", async () => {
    const whole = (await (await served.post("/generate", body)).json()) as { text: string[] };
    const response = await served.post("/generate", { ...body, stream: true });
    const lines = (await response.text()).trimEnd().split("\n");
    const texts = lines.map((line) => (JSON.parse(line) as { text: string[] }).text[0] ?? "");
    expect(texts.length).toBeGreaterThan(3);
    texts.slice(1).forEach((text, i) => {
      expect(text.startsWith(texts[i] ?? "none")).toBe(true);
    });
    expect(texts.at(-1)).toBe(whole.text[0]);
  });

  it("gives n outputs and takes token ids", async () => {
    const many = { ...body, prompt: [0, 99, 100], temperature: 1, n: 3, seed: 1 };
    const { text } = (await (await served.post("/generate", many)).json()) as { text: string[] };
    expect(new Set(text).size).toBe(3);
    expect(text.every((one) => one.startsWith("ab"))).toBe(true);
  });
});

describe("clients that leave", () => {
  it("ends a stream's request and frees its pages", async () => {
    const gone = new AbortController();
    const { signal } = gone;
    const response = await served.post("/v1/completions", { ...endless, stream: true }, { signal });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(served.engine.numRunning).toBe(1);
    gone.abort();
    await untilIdle(served.engine);
  });

  it.each(["/v1/completions", "/generate"])(
    "ends a request to %s that waits whole",
    async (path) => {
      const gone = new AbortController();
      const response = served.post(path, endless, { signal: gone.signal });
      await vi.waitFor(() => expect(served.engine.numRunning).toBe(1), { timeout: 10_000 });
      gone.abort();
      await expect(response).rejects.toThrow();
      await untilIdle(served.engine);
    },
  );

  it("holds back a client that does not read, and nobody else", async () => {
    const slow = httpRequest(`${served.server.url}/generate`, { method: "POST", headers });
    const response = await new Promise<IncomingMessage>((resolve) => {
      slow.once("response", resolve);
      slow.end(JSON.stringify({ ...endless, stream: true }));
    });
    response.pause();
    const quick = await served.post("/generate", { prompt: "x", max_tokens: 3 });
    expect(quick.status).toBe(200);
    slow.destroy();
    await untilIdle(served.engine);
  });
});

describe("a failing step", () => {
  it("fails its requests, whole and streamed, and the next ones work", async () => {
    const engine = await Engine.load({ model: folder, device: "interpreter", maxModelLen: 64 });
    const server = await serveEngine(engine, { port: 0 });
    const { device } = engine;
    const launch = device.launch.bind(device);
    const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const post = (body: object, path = "/v1/completions") =>
        fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const breakNext = () => {
        device.launch = () => {
          device.launch = launch;
          throw new Error("the device burns");
        };
      };
      const body = { prompt: "abc", max_tokens: 3 };
      breakNext();
      const whole = await post(body);
      expect(whole.status).toBe(500);
      expect(await whole.text()).not.toContain("burns"); // the log says it, the client does not learn of the inside
      expect(log.mock.calls.flat().join("")).toContain("burns");
      breakNext();
      const events = eventsOf(await (await post({ ...body, stream: true, n: 2 })).text());
      expect(events.at(-1)).toMatchObject({ error: { code: 500 } });
      breakNext();
      const lines = (await (await post({ ...body, stream: true }, "/generate")).text()).trim();
      expect(JSON.parse(lines)).toMatchObject({ error: { code: 500 } });
      expect((await post(body)).status).toBe(200);
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      await untilIdle(engine);
    } finally {
      log.mockRestore();
      await server.close(0);
    }
  });
});

describe("the end of a server", () => {
  it("lets what runs end, refuses what comes, then frees the device", async () => {
    const server = await engineDoor.serve({ model: folder, device: "interpreter", port: 0 });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const post = (body: object) =>
      fetch(`${server.url}/v1/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
    const running = post({ prompt: "abc", max_tokens: 40, ignore_eos: true, stream: true });
    await new Promise((resolve) => get(`${server.url}/health`, resolve).end());
    const response = await running;
    const closing = server.close(30_000);
    const events = eventsOf(await response.text());
    expect(events.at(-1)).toMatchObject({ choices: [{ finish_reason: "length" }] });
    await closing;
    await expect(post({ prompt: "x" })).rejects.toThrow();
  });

  it("aborts what does not end in time, and the stream is closed in form", async () => {
    const server = await engineDoor.serve({ model: folder, device: "interpreter", port: 0 });
    const body = JSON.stringify({ ...endless, stream: true });
    const response = await fetch(`${server.url}/v1/completions`, { method: "POST", headers, body });
    const text = response.text();
    const start = performance.now();
    await server.close(100);
    expect(performance.now() - start).toBeLessThan(5000);
    const events = eventsOf(await text);
    expect(events.at(-1)).toMatchObject({ choices: [{ finish_reason: "abort" }] });
  });

  it("says so when the port is taken, and keeps no device", async () => {
    const { port } = served.server;
    const second = engineDoor.serve({ model: folder, device: "interpreter", port });
    await expect(second).rejects.toThrow(/TW4310[\s\S]*another process listens there/);
  });
});
