/** [test/unit/engine] What the scheduler offers besides its rule: prefixes, forks, priorities, thresholds, watermark, windows, steps in flight. No device. */
import { describe, expect, it } from "vitest";
import {
  Request,
  type RequestOptions,
  type SamplingParams,
  type StepPlan,
} from "../../../engine/core.ts";
import { KvManager } from "../../../engine/kv/kv-manager.ts";
import type { KvGroup } from "../../../engine/kv/page-group.ts";
import { RESERVED_PAGE } from "../../../engine/kv/page-pool.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import type { SchedulerOptions } from "../../../engine/scheduler/options.ts";
import { Scheduler } from "../../../engine/scheduler/scheduler.ts";

const PAGE = 4;

function setup({
  numPages = 100,
  groups = [{ kind: "full" }],
  ...options
}: Partial<SchedulerOptions> & {
  readonly numPages?: number;
  readonly groups?: readonly KvGroup[];
} = {}) {
  const kv = new KvManager({ numPages, pageSize: PAGE, groups, prefixCaching: true });
  const limits = { maxBatchedTokens: 64, maxNumSeqs: 8, maxModelLen: 64, ...options };
  return { kv, scheduler: new Scheduler(limits, kv, [2]) };
}

/** Tokens 10, 11 …, after `shared` tokens that are the same for all. */
function request(
  id: string,
  length: number,
  params: Partial<SamplingParams> = {},
  options: RequestOptions & { readonly shared?: number } = {},
): Request {
  const { shared = length } = options;
  const own = id.charCodeAt(0) * 100;
  const ids = Array.from({ length }, (_, i) => (i < shared ? 10 + i : own + i));
  return new Request(id, ids, resolveSampling({ maxTokens: 8, ...params }), 0, options);
}

function plan(scheduler: Scheduler): StepPlan {
  const planned = scheduler.schedule();
  if (planned === undefined) throw new Error("nothing was planned");
  return planned;
}

function finish(scheduler: Scheduler, planned: StepPlan, token = 7): void {
  const outputs = planned.entries.map((entry) => (entry.samples ? { entry, token } : { entry }));
  scheduler.update(planned, outputs);
  scheduler.checkIntegrity();
}

const shape = ({ entries }: StepPlan) =>
  entries.map((e) => `${e.request.id}@${e.start}+${e.count}${e.awaits ? "?" : ""}`);

function step(scheduler: Scheduler): readonly string[] {
  const planned = plan(scheduler);
  finish(scheduler, planned);
  return shape(planned);
}

describe("the prefix cache", () => {
  it("skips full pages that were computed, and leaves a token to compute", () => {
    const { scheduler, kv } = setup();
    scheduler.add(request("a", 12, { maxTokens: 1 }));
    expect(step(scheduler)).toEqual(["a@0+12"]);
    const [same, longer] = [request("b", 12), request("c", 20, {}, { shared: 9 })];
    for (const one of [same, longer]) scheduler.add(one);
    expect(step(scheduler)).toEqual(["b@8+4", "c@8+12"]);
    expect([same.numCachedTokens, longer.numCachedTokens]).toEqual([8, 8]);
    expect(kv.prefixCounts).toEqual({ queried: 44, hits: 16 });
  });

  it("finds nothing under another salt, after a reset, or for prompt log-probabilities", () => {
    const { scheduler, kv } = setup();
    scheduler.add(request("a", 12, { maxTokens: 1 }));
    step(scheduler);
    scheduler.add(request("b", 12, { maxTokens: 1 }, { scope: { salt: "x" } }));
    scheduler.add(request("c", 12, { maxTokens: 1, promptLogprobs: 0 }));
    expect(step(scheduler)).toEqual(["b@0+12", "c@0+12"]);
    kv.resetCache();
    scheduler.add(request("d", 12));
    expect(step(scheduler)).toEqual(["d@0+12"]);
  });

  it("gives up the pages that were freed first, ends before beginnings", () => {
    const { scheduler } = setup({ numPages: 7 });
    scheduler.add(request("a", 12, { maxTokens: 1 }));
    step(scheduler); // 3 pages stay findable, 3 were never used
    scheduler.add(request("x", 16, { maxTokens: 1 }, { shared: 0 }));
    step(scheduler); // takes 4: the 3 unused ones and the last of a
    const back = request("b", 13);
    scheduler.add(back);
    step(scheduler);
    expect(back.numCachedTokens).toBe(8);
  });

  it("lets a request that was preempted find its own pages", () => {
    const { scheduler } = setup({ numPages: 7 });
    scheduler.add(request("a", 8, { maxTokens: 30 }, { shared: 0 }));
    scheduler.add(request("b", 8, { maxTokens: 30 }, { shared: 0 }));
    for (let i = 0; i < 4; i++) step(scheduler);
    expect(scheduler.numPreemptions).toBe(0);
    expect(step(scheduler)).toEqual(["a@11+1", "b@11+1"]);
    expect(step(scheduler)).toEqual(["a@12+1"]);
    expect([scheduler.numPreemptions, scheduler.numWaiting]).toEqual([1, 1]);
    scheduler.abort("a");
    const [entry] = step(scheduler);
    expect(entry).toMatch(/^b@(8|12)\+/);
  });
});

describe("forks", () => {
  it("wait for the prompt of their parent, then go on from its pages by copies", () => {
    const { scheduler, kv } = setup({ maxBatchedTokens: 8 });
    const parent = request("a", 10);
    scheduler.add(parent);
    for (const id of ["b", "c"]) scheduler.add(request(id, 10, {}, { parent }));
    expect(step(scheduler)).toEqual(["a@0+8"]);
    expect([scheduler.numRunning, scheduler.numWaiting]).toEqual([1, 2]);
    expect(step(scheduler)).toEqual(["a@8+2"]);
    const planned = plan(scheduler);
    expect(shape(planned)).toEqual(["a@10+1", "b@9+1", "c@9+1"]);
    expect(planned.copies.map(({ from }) => from)).toEqual([parent.pages[2], parent.pages[2]]);
    finish(scheduler, planned);
    expect(kv.numFree).toBe(99 - 3 - 2); // two pages for all, a third for each
  });

  it.each([
    ["embedding", { pooling: "mean" }],
    ["prompt's log-probabilities", { promptLogprobs: 0 }],
  ] as const)("compute the whole prompt where its %s is asked for", (_what, params) => {
    const { scheduler } = setup();
    const parent = request("a", 10, params);
    scheduler.add(parent);
    scheduler.add(request("b", 10, params, { parent }));
    expect(step(scheduler)).toEqual(["a@0+10", "b@0+10"]);
  });

  it("run by themselves when their parent is gone before", () => {
    const { scheduler } = setup({ maxBatchedTokens: 8 });
    const parent = request("a", 10);
    scheduler.add(parent);
    scheduler.add(request("b", 10, {}, { parent }));
    step(scheduler);
    scheduler.abort("a");
    expect(step(scheduler)).toEqual(["b@8+2"]); // what its parent had computed is in the cache
  });
});

describe("policies", () => {
  it("priority: the lowest value first, and the highest is preempted first", () => {
    const { scheduler } = setup({ policy: "priority", numPages: 5, maxNumSeqs: 2 });
    const add = (id: string, priority: number) =>
      scheduler.add(request(id, 4, { maxTokens: 20 }, { priority, shared: 0 }));
    add("low", 5);
    add("high", -1);
    add("mid", 0);
    expect(step(scheduler)).toEqual(["high@0+4", "mid@0+4"]);
    while (scheduler.numPreemptions === 0) step(scheduler);
    expect([...new Set(step(scheduler).map((one) => one.split("@")[0]))]).toEqual(["high"]);
  });

  it("longest prefix first, but nobody is passed over for ever", () => {
    const { scheduler } = setup({ longestPrefixFirst: true, maxNumSeqs: 1 });
    const once = { maxTokens: 1 };
    scheduler.add(request("a", 12, once));
    step(scheduler);
    scheduler.add(request("x", 12, once, { shared: 0 }));
    let passed = 0;
    for (let i = 0; i < 100; i++) {
      scheduler.add(request("b", 13, once));
      const [first] = step(scheduler);
      if (first?.startsWith("x") === true) break;
      passed++;
    }
    expect(passed).toBe(64);
  });

  it("a long prompt takes no more than its threshold of a step", () => {
    const { scheduler } = setup({ longPrefillThreshold: 5 });
    scheduler.add(request("a", 12, {}, { shared: 0 }));
    scheduler.add(request("b", 3, {}, { shared: 0 }));
    expect(step(scheduler)).toEqual(["a@0+5", "b@0+3"]);
    expect(step(scheduler)).toEqual(["a@5+5", "b@3+1"]);
  });

  it("newcomers leave the watermark and come with room for all that they have", () => {
    const { scheduler } = setup({ numPages: 11, watermark: 0.2, maxBatchedTokens: 16 });
    scheduler.add(request("a", 16, {}, { shared: 0 })); // 4 of 10 pages
    step(scheduler);
    scheduler.add(request("b", 20, {}, { shared: 0 })); // 5 pages, and 2 must stay
    expect(step(scheduler)).toEqual(["a@16+1"]);
    scheduler.abort("b");
    scheduler.add(request("c", 8, {}, { shared: 0 }));
    expect(step(scheduler)).toEqual(["a@17+1", "c@0+8"]);
  });
});

describe("a sliding window", () => {
  it("frees the pages that it has left, and needs only those that it covers from the cache", () => {
    const groups = [{ kind: "window", window: 6 } as const];
    const { scheduler, kv } = setup({ groups, numPages: 8, maxBatchedTokens: 8 });
    const one = request("a", 30, { maxTokens: 20 });
    scheduler.add(one);
    for (let i = 0; i < 10; i++) step(scheduler);
    expect(one.pages.slice(0, 6)).toEqual(new Array(6).fill(RESERVED_PAGE));
    expect(kv.numUsable - kv.numFree).toBeLessThanOrEqual(3);
    scheduler.abort("a");
    const again = request("b", 30);
    scheduler.add(again);
    expect(step(scheduler)).toEqual(["b@28+2"]);
    expect(kv.numFree).toBeLessThan(7);
  });
});

describe("steps in flight", () => {
  it("are planned on tokens that nobody knows yet, and never beyond the last", () => {
    const { scheduler } = setup();
    scheduler.add(request("a", 3, { maxTokens: 3 }));
    const first = plan(scheduler);
    const second = plan(scheduler);
    expect([shape(first), shape(second)]).toEqual([["a@0+3"], ["a@3+1?"]]);
    finish(scheduler, first);
    const third = plan(scheduler);
    expect(shape(third)).toEqual(["a@4+1?"]);
    expect(scheduler.schedule()).toBeUndefined(); // three tokens are known or under way
    finish(scheduler, second);
    finish(scheduler, third);
    expect(scheduler.hasWork).toBe(false);
  });

  it("bug class 31, pages freed under a step in flight: they stay until it is done, its token is dropped", () => {
    const { scheduler, kv } = setup();
    const one = request("a", 4, { maxTokens: 9 });
    scheduler.add(one);
    const first = plan(scheduler);
    const second = plan(scheduler);
    finish(scheduler, first, 2); // the end
    expect([one.finishReason, kv.numFree]).toEqual(["stop", 97]);
    expect(scheduler.hasWork).toBe(true);
    finish(scheduler, second);
    expect([one.outputIds, kv.numFree, scheduler.hasWork]).toEqual([[2], 99, false]);
  });

  it("preempt nobody", () => {
    const { scheduler } = setup({ numPages: 4 });
    scheduler.add(request("a", 4, {}, { shared: 0 }));
    scheduler.add(request("b", 4, {}, { shared: 0 }));
    const first = plan(scheduler);
    expect(scheduler.schedule()).toBeUndefined(); // a page is missing
    expect(scheduler.numPreemptions).toBe(0);
    finish(scheduler, first);
    const second = plan(scheduler);
    expect([shape(second), scheduler.numPreemptions]).toEqual([["a@4+1"], 1]);
    finish(scheduler, second);
  });

  it("fail alone: their requests end, and a later step with them changes nothing", () => {
    const { scheduler, kv } = setup();
    scheduler.add(request("a", 4));
    const first = plan(scheduler);
    scheduler.add(request("b", 4, {}, { shared: 0 }));
    const second = plan(scheduler);
    expect(shape(second)).toEqual(["a@4+1?", "b@0+4"]);
    scheduler.fail(first);
    scheduler.checkIntegrity();
    finish(scheduler, second);
    expect(step(scheduler)).toEqual(["b@4+1"]);
    scheduler.abort("b");
    expect(kv.numFree).toBe(99);
  });
});
