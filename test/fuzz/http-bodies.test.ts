/** [test/fuzz] Mutated bodies get an answer or an error of the API's shape, never a crash or a 500; nothing is left running. TILEWRIGHT_FUZZ_BODIES=10000 for the long run, TILEWRIGHT_FUZZ_SEED to repeat one. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { createApp } from "../../engine/server/http.ts";
import { writeTinyModel } from "../support/tiny-model.ts";
import { fuzzedBody } from "./http-bodies.ts";

const NUM_RUNS = Number(process.env["TILEWRIGHT_FUZZ_BODIES"] ?? 500);
const SEED = Number(process.env["TILEWRIGHT_FUZZ_SEED"] ?? 6);
const template = "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}";
const headers = { "content-type": "application/json" };

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.load({ model: writeTinyModel(), device: "interpreter" });
});
afterAll(() => engine.close());

describe("mutated bodies", () => {
  it(`are answered, ${NUM_RUNS} of them`, { timeout: 60_000 + 100 * NUM_RUNS }, async () => {
    const app = createApp(engine, { chatTemplate: template });
    const statuses = new Map<number, number>();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    await fc.assert(
      fc.asyncProperty(fuzzedBody, async ({ path, text }) => {
        const { statusCode, body } = await app.inject({
          method: "POST",
          url: path,
          headers,
          payload: text,
        });
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
        expect([200, 400, 404, 413], `${path} ${text}\n${body}`).toContain(statusCode);
        if (statusCode === 200) return;
        const { error } = JSON.parse(body) as { error: { code: number; message: string } };
        expect(error.code).toBe(statusCode);
        expect(error.message).toMatch(/^TW4\d{3}: /);
      }),
      { numRuns: NUM_RUNS, seed: SEED },
    );
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(NUM_RUNS / 20);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(NUM_RUNS / 20);
    await expect.poll(() => engine.numRunning + engine.numWaiting).toBe(0);
    expect(engine.isAlive).toBe(true);
    await app.close();
  });
});
