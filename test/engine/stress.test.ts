/** [test/engine] Many requests that come, end, fail and leave in any order, on the null device: nothing hangs, nothing is lost. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { openDevice } from "../../runtime/index.ts";
import { TINY_CONTEXT, writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel();

const request = fc.record({
  prompt: fc.integer({ min: 1, max: TINY_CONTEXT - 1 }),
  maxTokens: fc.integer({ min: 1, max: 60 }),
  /** Ticks of the event loop before it comes. */
  delay: fc.integer({ min: 0, max: 20 }),
  /** Outputs after which the reader leaves or aborts by id. */
  leaves: fc.option(fc.integer({ min: 1, max: 10 })),
  aborts: fc.option(fc.integer({ min: 1, max: 10 })),
});

it("serves any mix of requests to its end", async () => {
  const device = await openDevice("null");
  const traffic = fc.record({
    requests: fc.array(request, { minLength: 1, maxLength: 40 }),
    numGpuBlocksOverride: fc.integer({ min: 9, max: 40 }),
    maxNumBatchedTokens: fc.integer({ min: 1, max: 200 }),
    maxNumSeqs: fc.integer({ min: 1, max: 16 }),
    /** Launches that fail: one in so many. */
    failsEvery: fc.option(fc.integer({ min: 50, max: 500 })),
  });
  await fc.assert(
    fc.asyncProperty(traffic, async ({ requests, failsEvery, ...options }) => {
      const engine = await Engine.load({ model, device, ...options });
      const launch = device.launch.bind(device);
      let launches = 0;
      device.launch = (...args) => {
        if (failsEvery !== null && ++launches % failsEvery === 0) throw new Error("planned");
        launch(...args);
      };
      try {
        const ends = await Promise.all(
          requests.map(async ({ prompt, maxTokens, delay, leaves, aborts }, i) => {
            for (let tick = 0; tick < delay; tick++) await new Promise(setImmediate);
            const ids = Array.from({ length: prompt }, () => 5);
            const stream = engine.generate(ids, { maxTokens, ignoreEos: true }, String(i));
            let outputs = 0;
            let last: string | undefined;
            try {
              for await (const output of stream) {
                outputs++;
                last = output.finishReason;
                if (outputs === leaves) return "left";
                if (outputs === aborts) engine.abort(String(i));
              }
            } catch (error) {
              return (error as Error).message;
            }
            return last;
          }),
        );
        const allowed = ["left", "abort", "length", ...(failsEvery === null ? [] : ["planned"])];
        // Nothing is computed: where tokens are read lies what was there before, which may be the -1 of a row without a token (TW4116).
        const isEnd = (end = ""): boolean => allowed.includes(end) || end.startsWith("TW4116");
        expect(ends.filter((end) => !isEnd(end))).toEqual([]);
        await new Promise(setImmediate);
        expect([engine.numRunning, engine.numWaiting, engine.isAlive]).toEqual([0, 0, true]);
        expect(engine.numFreePages).toBe(engine.info.numPages - 1);
      } finally {
        device.launch = launch;
        await engine.close();
      }
    }),
    { numRuns: 40 },
  );
  await device.close();
});
