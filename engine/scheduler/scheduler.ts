/** [engine/scheduler] Which requests move in a step, and by how many tokens. Pure: no device, no clock, no tokenizer. */
import { RequestError } from "../../dsl/index.ts";
import type { Request, StepEntry, StepOutput, StepPlan, TokenLogprobs } from "../core.ts";
import type { PagePool } from "../kv/page-pool.ts";

export interface SchedulerLimits {
  /** Tokens of one step over all requests. */
  readonly maxBatchedTokens: number;
  /** Requests in flight at once. */
  readonly maxNumSeqs: number;
  /** Prompt and output of one request. */
  readonly maxModelLen: number;
}

/**
 * One budget of tokens a step; requests that run come first, then those that wait, in order of arrival. A request takes as many
 * positions as it still has to compute and the budget allows, so long prompts are computed in chunks beside running decodes.
 * When pages run out the youngest running request gives its pages back and starts over later.
 * @source the scheduling rule of vLLM v1 (`v1/core/sched/scheduler.py`), as described in its documentation
 */
export class Scheduler {
  readonly #limits: SchedulerLimits;
  readonly #pool: PagePool;
  readonly #stopIds: ReadonlySet<number>;
  /** All that are not finished; a caller may leave with a hundred thousand at once. */
  readonly #known = new Map<string, Request>();
  /** Those that were preempted, oldest first; they come before the others. */
  readonly #preempted: Request[] = [];
  /** Those that have not run, in order of arrival. */
  readonly #fresh = new Set<Request>();
  readonly #running: Request[] = [];
  #numPreemptions = 0;

  /** @param eosTokenIds tokens that end a request unless it ignores them */
  constructor(limits: SchedulerLimits, pool: PagePool, eosTokenIds: readonly number[]) {
    this.#limits = limits;
    this.#pool = pool;
    this.#stopIds = new Set(eosTokenIds);
  }

  get numWaiting(): number {
    return this.#preempted.length + this.#fresh.size;
  }

  get numRunning(): number {
    return this.#running.length;
  }

  /** Since the start. */
  get numPreemptions(): number {
    return this.#numPreemptions;
  }

  get hasWork(): boolean {
    return this.#known.size > 0;
  }

  /** @throws RequestError TW4101, TW4102 for a request that can never run */
  add(request: Request): void {
    const { maxModelLen } = this.#limits;
    const prompt = request.promptIds.length;
    if (prompt === 0) {
      throw new RequestError(
        {
          code: "TW4101",
          message: "the prompt is empty",
          seen: "0 tokens",
          expected: "at least one token",
          remedy: "send a prompt",
        },
        400,
        "prompt",
      );
    }
    const usable = (this.#pool.numPages - 1) * this.#pool.pageSize;
    if (prompt >= maxModelLen || prompt + 1 > usable) {
      throw new RequestError(
        {
          code: "TW4102",
          message: "the prompt is too long for this server",
          seen: `${prompt} tokens`,
          expected: `at most ${Math.min(maxModelLen, usable) - 1} (context ${maxModelLen}, KV cache ${usable} positions)`,
          remedy:
            "shorten the prompt, or start the server with a larger --max-model-len or KV cache",
        },
        400,
        "prompt",
      );
    }
    this.#known.set(request.id, request);
    this.#fresh.add(request);
  }

  /** Ends a request wherever it is. Safe at any time between steps and for ids that are gone. */
  abort(id: string): void {
    const request = this.#known.get(id);
    if (request !== undefined) this.#finish(request, "abort");
  }

  /** Plans a step and takes the pages that it needs. */
  schedule(): StepPlan {
    const entries: StepEntry[] = [];
    const preempted: Request[] = [];
    let budget = this.#limits.maxBatchedTokens;
    for (let i = 0; i < this.#running.length && budget > 0; i++) {
      const request = this.#running[i];
      if (request === undefined) break;
      const count = Math.min(request.remaining, budget);
      if (!this.#reserve(request, count, preempted)) break; // it preempted itself: nothing younger is left
      entries.push(entryOf(request, count));
      budget -= count;
    }
    if (preempted.length === 0) budget = this.#admit(entries, budget);
    return { entries, numTokens: this.#limits.maxBatchedTokens - budget, preempted, copies: [] };
  }

  /** Takes a step's results in: positions are computed, tokens appended, requests that are done leave. Returns the finished. */
  update(plan: StepPlan, outputs: readonly StepOutput[]): Request[] {
    for (const { request, count } of plan.entries)
      if (!request.isFinished) request.computed += count;
    const finished: Request[] = [];
    for (const { entry, token, logprobs, promptLogprobs } of outputs) {
      const { request } = entry;
      if (request.isFinished) continue; // aborted while the step ran
      if (promptLogprobs !== undefined)
        appendPromptLogprobs(request, entry.start + 1, promptLogprobs);
      if (token === undefined) continue;
      request.outputIds.push(token);
      if (logprobs !== undefined) request.outputLogprobs.push(logprobs);
      if (this.#stopsAt(request, token)) finished.push(request);
    }
    return finished;
  }

  #admit(entries: StepEntry[], initialBudget: number): number {
    let budget = initialBudget;
    while (budget > 0 && this.#running.length < this.#limits.maxNumSeqs) {
      const request = this.#preempted[0] ?? this.#fresh.values().next().value;
      if (request === undefined) break;
      const count = Math.min(request.remaining, budget);
      const pages = this.#pool.pagesFor(request.computed + count) - request.pages.length;
      if (!this.#pool.canTake(pages)) break; // newcomers never preempt
      request.pages.push(...this.#pool.take(pages));
      this.#leaveQueues(request);
      this.#running.push(request);
      entries.push(entryOf(request, count));
      budget -= count;
    }
    return budget;
  }

  /** Pages for `count` more positions, preempting the youngest until they are there. False when the request itself had to go. */
  #reserve(request: Request, count: number, preempted: Request[]): boolean {
    const pages = Math.max(0, this.#pool.pagesFor(request.computed + count) - request.pages.length);
    while (!this.#pool.canTake(pages)) {
      const victim = this.#running.at(-1);
      if (victim === undefined) return false;
      this.#preempt(victim);
      preempted.push(victim);
      if (victim === request) return false;
    }
    request.pages.push(...this.#pool.take(pages));
    return true;
  }

  #preempt(request: Request): void {
    this.#running.pop();
    this.#pool.release(request.pages.splice(0));
    request.computed = 0;
    this.#numPreemptions++;
    this.#preempted.unshift(request);
  }

  #stopsAt(request: Request, token: number): boolean {
    const { params } = request;
    if (!params.ignoreEos && this.#stopIds.has(token)) this.#finish(request, "stop");
    else if (params.stopTokenIds.includes(token)) this.#finish(request, "stop", token);
    else if (
      request.outputIds.length >= params.maxTokens ||
      request.total >= this.#limits.maxModelLen
    )
      this.#finish(request, "length");
    else if (this.#outgrowsPool(request)) this.#finish(request, "length");
    return request.isFinished;
  }

  /** Alone in the pool and no page left for the next position: it can never go on. */
  #outgrowsPool(request: Request): boolean {
    return this.#pool.pagesFor(request.total) > this.#pool.numPages - 1;
  }

  #finish(request: Request, reason: "stop" | "length" | "abort", stopReason?: number): void {
    request.finishReason = reason;
    request.stopReason = stopReason;
    this.#pool.release(request.pages.splice(0));
    this.#known.delete(request.id);
    this.#leaveQueues(request);
  }

  #leaveQueues(request: Request): void {
    if (this.#fresh.delete(request)) return;
    for (const list of [this.#running, this.#preempted]) {
      const index = list.indexOf(request);
      if (index >= 0) list.splice(index, 1);
    }
  }
}

function entryOf(request: Request, count: number): StepEntry {
  const start = request.computed;
  return { request, start, count, samples: start + count === request.total, awaits: false };
}

/** A request that was preempted computes its prompt again: positions that are known already are not appended twice. */
function appendPromptLogprobs(
  request: Request,
  first: number,
  logprobs: readonly TokenLogprobs[],
): void {
  if (request.promptLogprobs.length === 0) request.promptLogprobs.push(null);
  request.promptLogprobs.push(...logprobs.slice(request.promptLogprobs.length - first));
}
