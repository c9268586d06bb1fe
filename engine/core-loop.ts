/** [engine] The core: steps requests through the model, schedule, submit, take in, report. Plain or overlapped. No text, no HTTP, no clients. */
import { invariant } from "../dsl/index.ts";
import { Request, type StepOutput, type StepPlan, type StepRunner } from "./core.ts";
import type {
  CoreLink,
  CoreListener,
  CoreStats,
  CoreTiming,
  NewRequest,
  RequestUpdate,
} from "./core-link.ts";
import type { KvManager } from "./kv/kv-manager.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Sleeper, SleepLevel, SleepReport } from "./sleeping-model.ts";

export interface CoreParts {
  readonly scheduler: Scheduler;
  readonly kv: KvManager;
  readonly runner: StepRunner;
  /** Absent where the model's memory cannot be given back. */
  readonly sleeper?: Sleeper;
  /** The next step is planned and submitted before the results of the last are read. */
  readonly overlapped: boolean;
  /** Checks the books after every step, and not only when idle. */
  readonly checksEachStep?: boolean;
  /** After the runner is closed. */
  readonly onClose?: () => Promise<void>;
}

interface Live {
  readonly key: number;
  readonly request: Request;
  /** Tokens that were reported. */
  told: number;
  /** In milliseconds of this process's clock. */
  readonly arrived: number;
  /** When a step first had a part of it. */
  started: number | undefined;
}

interface InFlight {
  readonly plan: StepPlan;
  readonly outputs: Promise<StepOutput[]>;
}

export class CoreLoop implements CoreLink {
  readonly #parts: CoreParts;
  readonly #listener: CoreListener;
  readonly #live = new Map<number, Live>();
  readonly #liveOf = new Map<Request, Live>();
  /** Those that no step has had a part of. */
  readonly #unstarted = new Set<Live>();
  readonly #inFlight: InFlight[] = [];
  #runner: StepRunner;
  #isAsleep = false;
  #loop: Promise<void> | undefined;
  #lastMove: Promise<unknown> = Promise.resolve();
  #numSteps = 0;
  /** Of the runners before this one. */
  #sharedPositions = 0;
  #hasFailed = false;

  constructor(parts: CoreParts, listener: CoreListener) {
    this.#parts = parts;
    this.#runner = parts.runner;
    this.#listener = listener;
  }

  get stats(): CoreStats {
    const { scheduler, kv } = this.#parts;
    const { queried, hits } = kv.prefixCounts;
    return {
      numRunning: scheduler.numRunning,
      numWaiting: scheduler.numWaiting,
      numPreemptions: scheduler.numPreemptions,
      numSteps: this.#numSteps,
      prefixQueried: queried,
      prefixHits: hits,
      sharedPositions: this.#sharedPositions + (this.#runner.numSharedPositions ?? 0),
      numFreePages: kv.numFree,
    };
  }

  get pid(): number {
    return process.pid;
  }

  /** Its first step is planned in a later turn, so that requests that come together share it. */
  add(asked: NewRequest): void {
    if (this.#hasFailed) return;
    const { key, promptIds, params, seed, priority, scope } = asked;
    const parent = asked.parent === undefined ? undefined : this.#live.get(asked.parent)?.request;
    const options = { priority, scope, ...(parent === undefined ? {} : { parent }) };
    const request = new Request(String(key), promptIds, params, seed, options);
    this.#parts.scheduler.add(request);
    const live: Live = { key, request, told: 0, arrived: performance.now(), started: undefined };
    this.#unstarted.add(live);
    this.#live.set(key, live);
    this.#liveOf.set(request, live);
    this.#loop ??= this.#run();
  }

  abort(key: number): void {
    const live = this.#live.get(key);
    if (live === undefined) return;
    this.#forget(live);
    this.#parts.scheduler.abort(live.request.id);
  }

  resetPrefixCache(): void {
    this.#parts.kv.resetCache();
  }

  get #sleeper(): Sleeper {
    const { sleeper } = this.#parts;
    if (sleeper === undefined) throw new RangeError("this model cannot give its memory back");
    return sleeper;
  }

  sleep(level: SleepLevel): Promise<SleepReport> {
    return this.#inTurn(async () => {
      await this.#loop;
      this.#parts.kv.resetCache();
      const report = await this.#sleeper.sleep(level);
      this.#isAsleep = true;
      return report;
    });
  }

  wake(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isAsleep) return;
      const shared = this.#runner.numSharedPositions ?? 0;
      this.#runner = await this.#sleeper.wake();
      this.#sharedPositions += shared;
      this.#isAsleep = false;
    });
  }

  close(): Promise<void> {
    for (const key of [...this.#live.keys()]) this.abort(key);
    return this.#inTurn(async () => {
      await this.#loop;
      if (this.#isAsleep) this.#sleeper.close();
      else this.#runner.close();
      await this.#parts.onClose?.();
    });
  }

  /** Sleeping, waking and closing move the same memory: one after another, whoever asks for them. */
  #inTurn<T>(move: () => Promise<T>): Promise<T> {
    const moved = this.#lastMove.then(move);
    this.#lastMove = moved.catch(() => {});
    return moved;
  }

  /** Steps while there is work. When the books of the pages do not add up, the core takes no more requests. */
  async #run(): Promise<void> {
    const { scheduler } = this.#parts;
    try {
      while (scheduler.hasWork) {
        await new Promise((resolve) => setImmediate(resolve)); // messages and connections get their turn
        await this.#step();
      }
      scheduler.checkIntegrity();
    } catch (error) {
      this.#hasFailed = true;
      this.#live.clear();
      this.#liveOf.clear();
      this.#unstarted.clear();
      this.#listener.fail(asError(error));
      await Promise.allSettled(this.#inFlight.splice(0).map(({ outputs }) => outputs));
    }
    this.#loop = undefined;
    if (!this.#hasFailed)
      void this.#listener.report({ updates: [], numTokens: 0, stats: this.stats });
  }

  /** Fills the queue of the device, then takes the oldest step in. */
  async #step(): Promise<void> {
    const { scheduler, overlapped, checksEachStep = false } = this.#parts;
    while (this.#inFlight.length < (overlapped ? 2 : 1)) {
      const plan = scheduler.schedule();
      if (plan === undefined) break;
      if (this.#unstarted.size > 0) this.#noteStarts(plan);
      this.#inFlight.push({ plan, outputs: this.#submit(plan) });
    }
    const oldest = this.#inFlight.shift();
    if (oldest === undefined) {
      invariant(!scheduler.hasWork, () => "requests wait and none can be scheduled");
      return;
    }
    const updates = await this.#retire(oldest);
    this.#numSteps++;
    if (checksEachStep) scheduler.checkIntegrity();
    const { numTokens } = oldest.plan;
    await this.#listener.report({ updates, numTokens, stats: this.stats });
  }

  #noteStarts({ entries }: StepPlan): void {
    const now = performance.now();
    for (const { request } of entries) {
      const live = this.#liveOf.get(request);
      if (live !== undefined && this.#unstarted.delete(live)) live.started = now;
    }
  }

  #submit(plan: StepPlan): Promise<StepOutput[]> {
    try {
      const outputs = this.#runner.submit(plan);
      outputs.catch(() => {}); // it is awaited later; until then nobody else hears of a failure
      return outputs;
    } catch (error) {
      const failed = Promise.reject(asError(error));
      failed.catch(() => {});
      return failed;
    }
  }

  /** A failing step fails the requests in it; the others go on. */
  async #retire({ plan, outputs }: InFlight): Promise<RequestUpdate[]> {
    const { scheduler } = this.#parts;
    let results: readonly StepOutput[];
    try {
      results = await outputs;
    } catch (error) {
      scheduler.fail(plan);
      return plan.entries.flatMap(({ request }) => this.#failed(request, asError(error)));
    }
    scheduler.update(plan, results);
    return plan.entries.flatMap(({ request }) => this.#updateOf(request));
  }

  #failed(request: Request, failure: Error): readonly RequestUpdate[] {
    const live = this.#liveOf.get(request.beams?.lead ?? request);
    if (live === undefined) return [];
    this.#forget(live);
    return [{ key: live.key, tokens: [], logprobs: [], failure }];
  }

  #updateOf(entered: Request): readonly RequestUpdate[] {
    const request = entered.beams?.lead ?? entered;
    const live = this.#liveOf.get(request);
    if (live === undefined) return []; // aborted while the step ran
    const { key, told } = live;
    const { outputIds, outputLogprobs, finishReason, stopReason, ruleFailure } = request;
    const { beams } = request;
    if (finishReason === undefined && (outputIds.length === told || beams !== undefined)) return [];
    live.told = outputIds.length;
    if (finishReason !== undefined) this.#forget(live);
    const isFirst = told === 0;
    return [
      {
        key,
        ...(beams === undefined
          ? { tokens: outputIds.slice(told) }
          : { tokens: beams.ended[0]?.tokenIds ?? [], beams: beams.ended }),
        logprobs: outputLogprobs.slice(told),
        ...(isFirst ? { numCachedTokens: request.numCachedTokens, timing: timingOf(live) } : {}),
        ...(isFirst && request.params.promptLogprobs !== undefined
          ? { promptLogprobs: [...request.promptLogprobs] }
          : {}),
        ...(isFirst && request.pooled !== undefined ? { pooled: request.pooled } : {}),
        ...(finishReason === undefined ? {} : { finishReason }),
        ...(ruleFailure === undefined ? {} : { failure: ruleFailure }),
        ...(typeof stopReason === "number" ? { stopReason } : {}),
      },
    ];
  }

  #forget(live: Live): void {
    this.#live.delete(live.key);
    this.#liveOf.delete(live.request);
    this.#unstarted.delete(live);
  }
}

/** At its first token. */
function timingOf({ arrived, started = arrived }: Live): CoreTiming {
  return { queueMs: started - arrived, prefillMs: performance.now() - started };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
