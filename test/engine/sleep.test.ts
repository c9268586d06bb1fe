/** [test/engine] Engines that sleep: the device's memory is given back, weights come back or are read again, answers are the same after, and what comes meanwhile is refused. */
import { afterEach, describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { createApp } from "../../engine/server/http.ts";
import type { SleepLevel } from "../../engine/sleeping-model.ts";
import type { Device, DeviceBuffer } from "../../runtime/device.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { InterpreterBackend } from "../../runtime/drivers/interpreter/device.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** What buffers take of a device's memory, and how much there is. */
interface Memory {
  bytes: number;
  most: number;
}

/** A device whose backend counts, and fails where buffers would take more than there is. */
function countingDevice(backend: InterpreterBackend): { device: CoreDevice; memory: Memory } {
  const memory = { bytes: 0, most: Number.POSITIVE_INFINITY };
  const { release } = backend;
  const alloc = backend.alloc.bind(backend);
  const counted = Object.assign(backend, {
    alloc: (bytes: number, owner: Device): DeviceBuffer => {
      if (memory.bytes + bytes > memory.most) throw new Error("out of memory");
      memory.bytes += bytes;
      return alloc(bytes, owner);
    },
    release: (buffer: DeviceBuffer): void => {
      memory.bytes -= buffer.bytes;
      release(buffer);
    },
  });
  return { device: new CoreDevice(counted), memory };
}

async function start(backend = new InterpreterBackend()) {
  const { device, memory } = countingDevice(backend);
  const engine = await Engine.load({ model, device, maxNumSeqs: 4, warmUp: true });
  closers.push(async () => {
    await engine.close();
    await device.close();
  });
  return { memory, device, engine };
}

async function answer(engine: Engine, prompt = "abcdefgh"): Promise<readonly number[]> {
  const params = { maxTokens: 8, temperature: 0, ignoreEos: true };
  return (await lastOutput(engine.generate(prompt, params))).tokenIds;
}

describe("an engine that sleeps", () => {
  it.each([
    [1, InterpreterBackend],
    [2, InterpreterBackend],
    [1, CapturingBackend],
  ] as const)(
    "at level %s gives its memory back and answers the same when it wakes",
    async (level, Base) => {
      const { memory, engine } = await start(new Base());
      const before = await answer(engine);
      const awake = memory.bytes;
      for (let round = 0; round < 2; round++) {
        const report = await engine.sleep(level);
        expect(memory.bytes).toBe(0);
        expect(report.freedBytes).toBeGreaterThan(0.5 * awake);
        expect(report.hostBytes > 0).toBe(level === 1);
        expect([engine.isAsleep, engine.sleepLevel, engine.isAlive]).toEqual([true, level, true]);
        expect(() => engine.generate("abc")).toThrow("TW4122");
        await expect(engine.sleep(level)).rejects.toThrow("TW4122");
        await engine.wake();
        await engine.wake(); // it is awake
        expect(await answer(engine)).toEqual(before);
        expect(engine.stats.prefixHits).toBe(0); // no page of before is found
      }
      expect(engine.numFreePages).toBe(engine.info.numPages - 1);
      expect(Math.abs(memory.bytes - awake)).toBeLessThan(0.2 * awake);
    },
  );

  it("waits for what runs, or ends it", async () => {
    const { engine } = await start();
    const running = answer(engine);
    await engine.sleep(1);
    expect(await running).toHaveLength(8);
    await engine.wake();
    const long = { maxTokens: 40, temperature: 0, ignoreEos: true };
    const ended = lastOutput(engine.generate("abc", long));
    await engine.sleep(2, true);
    expect((await ended).finishReason).toBe("abort");
    await engine.wake();
    expect(await answer(engine)).toHaveLength(8);
  });

  it.each([1, 2] as const)(
    "at level %s sleeps on where there is no room, and wakes when there is",
    async (level: SleepLevel) => {
      const { memory, engine } = await start();
      const before = await answer(engine);
      const awake = memory.bytes;
      await engine.sleep(level);
      for (const share of [0.05, 0.9]) {
        memory.most = share * awake; // weights do not fit; the cache behind them does not
        await expect(engine.wake()).rejects.toThrow("out of memory");
        expect([memory.bytes, engine.sleepLevel]).toEqual([0, level]);
        expect(() => engine.generate("abc")).toThrow("TW4122");
      }
      memory.most = Number.POSITIVE_INFINITY;
      await engine.wake();
      expect(await answer(engine)).toEqual(before);
    },
  );

  it.each([1, 2] as const)("wakes once from level %s, however many ask", async (level) => {
    const { memory, engine } = await start();
    const before = await answer(engine);
    const awake = memory.bytes;
    await engine.sleep(level);
    await Promise.all([engine.wake(), engine.wake()]);
    expect(Math.abs(memory.bytes - awake)).toBeLessThan(0.2 * awake);
    expect(await answer(engine)).toEqual(before);
  });

  it.each(["sleep", "wake"] as const)("is closed where it is about to %s", async (how) => {
    const { memory, device, engine } = await start();
    if (how === "wake") await engine.sleep(1);
    await Promise.all([engine[how](), engine.close()]);
    await device.synchronize();
    device.trim();
    expect(memory.bytes).toBe(0);
  });

  it("is woken while it waits for what runs: the sleep is called off, the request goes on", async () => {
    const { memory, engine } = await start();
    const awake = memory.bytes;
    const running = answer(engine);
    const asleep = engine.sleep(1).catch(String);
    await engine.wake();
    expect([engine.isAsleep, engine.sleepLevel]).toEqual([false, undefined]);
    expect(await asleep).toContain("TW4123");
    expect(await running).toHaveLength(8);
    expect(await answer(engine)).toEqual(await running);
    expect(memory.bytes).toBeGreaterThanOrEqual(awake);
    const [report] = await Promise.all([engine.sleep(1, true), engine.wake()]); // nothing to wait for
    expect(report.freedBytes).toBeGreaterThan(0);
    expect([engine.isAsleep, engine.sleepLevel]).toEqual([false, undefined]);
    expect(await answer(engine)).toEqual(await running);
  });

  it("does not sleep once it is closed", async () => {
    const { engine } = await start();
    const running = answer(engine);
    const asleep = engine.sleep(1).catch(String);
    await engine.close();
    await running;
    expect(await asleep).toContain("TW4111");
  });

  it.each([1, 2] as const)("is closed at level %s without a trace", async (level) => {
    const { memory, device, engine } = await start();
    await engine.sleep(level);
    await engine.close();
    expect(memory.bytes).toBe(0);
    await device.close();
    closers.pop();
  });
});

describe("a server that sleeps", () => {
  it("says so, refuses requests with 503 and takes them again, its core in another process", async () => {
    const engine = await Engine.load({ model, device: "interpreter", coreProcess: true });
    const app = createApp(engine, { adminRoutes: true });
    closers.push(async () => {
      await app.close();
      await engine.close();
    });
    const post = (url: string, payload?: object) =>
      app.inject({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });
    const body = { prompt: "abcdefgh", max_tokens: 4, temperature: 0, ignore_eos: true };
    const complete = async () => {
      const { statusCode, body: text } = await post("/v1/completions", body);
      const { choices } = JSON.parse(text) as { choices?: { text: string }[] };
      return [statusCode, choices?.[0]?.text];
    };
    const states = async () => {
      const { body: text } = await app.inject({ url: "/metrics" });
      const found = text.matchAll(/engine_sleep_state\{sleep_state="(\w+)".* (\d)$/gm);
      return Object.fromEntries([...found].map(([, state, value]) => [state, Number(value)]));
    };
    const before = await complete();
    for (const level of [1, 2]) {
      const { statusCode, body: report } = await post(`/sleep?level=${level}`);
      expect(statusCode).toBe(200);
      expect(JSON.parse(report)).toMatchObject({ level, freed_bytes: expect.any(Number) });
      expect(await states()).toEqual({
        awake: 0,
        weights_offloaded: level === 1 ? 1 : 0,
        discard_all: level === 2 ? 1 : 0,
      });
      expect((await app.inject({ url: "/is_sleeping" })).json()).toEqual({ is_sleeping: true });
      const health = await app.inject({ url: "/health" });
      expect([health.statusCode, health.headers["x-engine-state"]]).toEqual([200, "asleep"]);
      const refused = await post("/v1/completions", body);
      expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
      expect((await post("/sleep")).statusCode).toBe(503);
      expect((await post("/wake_up")).statusCode).toBe(200);
      expect(await complete()).toEqual(before);
    }
    expect(await states()).toEqual({ awake: 1, weights_offloaded: 0, discard_all: 0 });
    expect((await post("/sleep?level=3")).statusCode).toBe(400);
  }, 60_000);
});
