/** [test/unit/engine] The scheduler's rule: one budget, running first, chunks, preemption, ends. No device. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Request, type SamplingParams, type StepPlan } from "../../../engine/core.ts";
import { KvManager } from "../../../engine/kv/kv-manager.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import { Scheduler } from "../../../engine/scheduler/scheduler.ts";

const EOS = 2;

function setup(numPages = 100, limits: Partial<ConstructorParameters<typeof Scheduler>[0]> = {}) {
  const pool = new KvManager({
    numPages,
    pageSize: 4,
    groups: [{ kind: "full" }],
    prefixCaching: false,
  });
  const scheduler = new Scheduler(
    { maxBatchedTokens: 16, maxNumSeqs: 8, maxModelLen: 64, ...limits },
    pool,
    [EOS],
  );
  return { pool, scheduler };
}

function request(id: string, promptLength: number, params: Partial<SamplingParams> = {}): Request {
  return new Request(
    id,
    Array.from({ length: promptLength }, (_, i) => i + 10),
    resolveSampling(params),
    0,
  );
}

/** Plays the device: every entry that samples gets `token`. */
function step(scheduler: Scheduler, token = 7): StepPlan {
  const plan = planned(scheduler);
  scheduler.update(
    plan,
    plan.entries.map((entry) => (entry.samples ? { entry, token } : { entry })),
  );
  return plan;
}

function planned(scheduler: Scheduler): StepPlan {
  const plan = scheduler.schedule();
  if (plan === undefined) throw new Error("nothing was planned");
  return plan;
}

const shape = (plan: StepPlan) =>
  plan.entries.map(
    ({ request: { id }, start, count, samples }) => `${id}@${start}+${count}${samples ? "!" : ""}`,
  );

describe("scheduler", () => {
  it("computes a long prompt in chunks and decodes beside it", () => {
    const { scheduler } = setup();
    scheduler.add(request("a", 3));
    expect(shape(step(scheduler))).toEqual(["a@0+3!"]);
    scheduler.add(request("b", 20));
    expect(shape(step(scheduler))).toEqual(["a@3+1!", "b@0+15"]);
    expect(shape(step(scheduler))).toEqual(["a@4+1!", "b@15+5!"]);
  });

  it("admits no more than maxNumSeqs", () => {
    const { scheduler } = setup(100, { maxNumSeqs: 2 });
    for (const id of ["a", "b", "c"]) scheduler.add(request(id, 2));
    expect(shape(step(scheduler))).toEqual(["a@0+2!", "b@0+2!"]);
    expect(scheduler.numWaiting).toBe(1);
  });

  it("preempts the youngest when pages run out, and it starts over", () => {
    const { scheduler } = setup(4);
    scheduler.add(request("old", 4, { maxTokens: 6 }));
    scheduler.add(request("young", 4, { maxTokens: 6 }));
    expect(shape(step(scheduler))).toEqual(["old@0+4!", "young@0+4!"]);
    const plan = step(scheduler);
    expect(shape(plan)).toEqual(["old@4+1!"]);
    expect(plan.preempted.map(({ id }) => id)).toEqual(["young"]);
    while (scheduler.numRunning > 0 && scheduler.numWaiting > 0) step(scheduler);
    const again = planned(scheduler);
    expect(shape(again)).toEqual(["young@0+5!"]);
    scheduler.checkIntegrity();
  });

  it.each([
    ["an end token", { maxTokens: 9 }, EOS, "stop", undefined],
    ["a stop token id", { maxTokens: 9, stopTokenIds: [7] }, 7, "stop", 7],
    ["the last token", { maxTokens: 1 }, 7, "length", undefined],
  ] as const)("ends at %s and gives the pages back", (_name, params, token, reason, stopReason) => {
    const { scheduler, pool } = setup();
    const one = request("a", 5, params as Partial<SamplingParams>);
    scheduler.add(one);
    step(scheduler, token);
    expect([one.finishReason, one.stopReason, scheduler.hasWork]).toEqual([
      reason,
      stopReason,
      false,
    ]);
    expect(pool.numFree).toBe(99);
  });

  it("goes on after an end token when told to", () => {
    const { scheduler } = setup();
    const one = request("a", 5, { maxTokens: 2, ignoreEos: true });
    scheduler.add(one);
    step(scheduler, EOS);
    expect(one.isFinished).toBe(false);
  });

  it("ends a request that outgrows the pool alone, instead of looping", () => {
    const { scheduler, pool } = setup(3);
    const one = request("a", 6, { maxTokens: 50 });
    scheduler.add(one);
    for (let i = 0; i < 20 && scheduler.hasWork; i++) step(scheduler);
    expect([one.finishReason, one.total]).toEqual(["length", 9]);
    expect(pool.numFree).toBe(2);
  });

  it("bug class 10, requests that can never run wait for ever: they are refused at the door", () => {
    const { scheduler } = setup(3);
    expect(() => scheduler.add(request("a", 0))).toThrow("TW4101");
    expect(() => scheduler.add(request("b", 8))).toThrow("TW4102");
    expect(() => setup().scheduler.add(request("c", 64))).toThrow("TW4102");
  });

  it("takes an abort at any time", () => {
    const { scheduler, pool } = setup();
    for (const id of ["a", "b"]) scheduler.add(request(id, 20));
    const plan = planned(scheduler);
    scheduler.abort("a");
    scheduler.abort("b");
    scheduler.abort("b");
    scheduler.abort("never seen");
    scheduler.update(
      plan,
      plan.entries.map((entry) => ({ entry, token: 7 })),
    );
    expect([scheduler.hasWork, pool.numFree]).toEqual([false, 99]);
    scheduler.checkIntegrity();
  });

  it("finishes every request of any mix and leaks no page", () => {
    const mix = fc.array(
      fc.record({
        prompt: fc.integer({ min: 1, max: 18 }),
        maxTokens: fc.integer({ min: 1, max: 20 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        mix,
        fc.integer({ min: 7, max: 30 }),
        fc.integer({ min: 1, max: 16 }),
        (list, numPages, maxBatchedTokens) => {
          const { scheduler, pool } = setup(numPages, { maxBatchedTokens });
          const requests = list.map(({ prompt, maxTokens }, i) =>
            request(String(i), prompt, { maxTokens }),
          );
          for (const one of requests) scheduler.add(one);
          let steps = 0;
          while (scheduler.hasWork) {
            const plan = step(scheduler);
            expect(plan.entries.length).toBeGreaterThan(0);
            expect(plan.numTokens).toBeLessThanOrEqual(maxBatchedTokens);
            scheduler.checkIntegrity();
            expect(++steps).toBeLessThan(20_000);
          }
          expect(requests.every(({ finishReason }) => finishReason === "length")).toBe(true);
          expect(pool.numFree).toBe(numPages - 1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("lets a hundred thousand leave at once", () => {
    const { scheduler } = setup();
    const ids = Array.from({ length: 100_000 }, (_, i) => String(i));
    for (const id of ids) scheduler.add(request(id, 2));
    step(scheduler);
    const start = performance.now();
    for (const id of ids.reverse()) scheduler.abort(id);
    expect(performance.now() - start).toBeLessThan(2000); // a search through all for each takes minutes
    expect([scheduler.numRunning, scheduler.numWaiting, scheduler.hasWork]).toEqual([0, 0, false]);
  });
});
