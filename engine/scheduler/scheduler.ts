/** [engine/scheduler] Which requests move in a step, and by how many tokens. Pure: no device, no clock, no tokenizer. */

import type { BeamGroup, BeamMove } from "../beam-search.ts";
import type {
  FinishReason,
  Request,
  StepEntry,
  StepOutput,
  StepPlan,
  TokenLogprobs,
} from "../core.ts";
import type { KvManager } from "../kv/kv-manager.ts";
import { readsLastToken } from "../token-rules.ts";
import { checkPrompt } from "./admission.ts";
import { beamEnds, joinBeams, seatBeams } from "./beams.ts";
import { ORDERS, type SchedulerOptions } from "./options.ts";
import { type RequestOrder, RequestQueue } from "./request-queue.ts";
import { addPromptParts, depart, entryOf, hasPrompt } from "./step-entries.ts";

/** Beyond it a search for the longest prefix costs more than it gains. @source SGLang's schedule policy, as documented */
const MOST_SEARCHED = 128;
/** Steps after which the first in order comes before longer prefixes. */
const MOST_PASSED_OVER = 64;

/**
 * One budget of tokens a step; requests that run come first, then those that wait. A request takes as many positions as it still
 * has to compute and the budget allows, so long prompts are computed in chunks beside running decodes. When pages run out the last
 * in order gives its pages back and starts over later.
 *
 * Steps may be planned while earlier ones are in flight: a token that is not known yet counts, pages of requests that ended stay
 * theirs until the last step with them is done, and nobody is preempted before all steps are.
 * @source the scheduling rule of vLLM v1 (`v1/core/sched/scheduler.py`), as described in its documentation
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #kv: KvManager;
  readonly #stopIds: ReadonlySet<number>;
  readonly #order: RequestOrder;
  readonly #maxPositions: number;
  /** Pages that newcomers leave free. */
  readonly #spare: number;
  /** All that are not finished; a caller may leave with a hundred thousand at once. */
  readonly #known = new Map<string, Request>();
  readonly #waiting: RequestQueue;
  /** Children whose parent's prompt is not computed yet. */
  readonly #held = new Map<Request, Set<Request>>();
  #numHeld = 0;
  /** In order. */
  readonly #running: Request[] = [];
  /** Those that ended while a step with them was in flight. */
  readonly #leaving = new Set<Request>();
  /** Those that go on as others since the last step was planned. */
  readonly #moved: Request[] = [];
  /** Steps that were planned and whose results were not taken in. */
  #numInFlight = 0;
  #numPreemptions = 0;
  #arrivals = 0;
  #passedOver = 0;

  /** @param eosTokenIds tokens that end a request unless it ignores them */
  constructor(options: SchedulerOptions, kv: KvManager, eosTokenIds: readonly number[]) {
    this.#options = options;
    this.#kv = kv;
    this.#stopIds = new Set(eosTokenIds);
    this.#order = ORDERS[options.policy ?? "fcfs"];
    this.#waiting = new RequestQueue(this.#order);
    this.#maxPositions = kv.maxPositions(options.maxBatchedTokens);
    this.#spare = Math.ceil((options.watermark ?? 0) * kv.numUsable);
  }

  get numWaiting(): number {
    return this.#waiting.length + this.#numHeld;
  }

  get numRunning(): number {
    return this.#running.length;
  }

  /** Since the start. */
  get numPreemptions(): number {
    return this.#numPreemptions;
  }

  get hasWork(): boolean {
    return this.#known.size > 0 || this.#numInFlight > 0;
  }

  /** @throws RequestError TW4101, TW4102 for a request that can never run */
  add(request: Request): void {
    const { maxModelLen } = this.#options;
    checkPrompt(request.promptIds.length, { maxModelLen, maxPositions: this.#maxPositions });
    request.arrival = this.#arrivals++;
    this.#known.set(request.id, request);
    if (request.params.beam !== undefined) joinBeams(request);
    const parent = this.#parentOf(request);
    if (parent !== undefined && !parent.isFinished && !hasPrompt(parent)) {
      const children = this.#held.get(parent) ?? new Set();
      this.#held.set(parent, children.add(request));
      this.#numHeld++;
    } else {
      this.#waiting.push(request);
    }
  }

  /** Ends a request wherever it is. Safe at any time and for ids that are gone. */
  abort(id: string): void {
    const request = this.#known.get(id);
    if (request !== undefined) this.#finish(request, "abort");
  }

  /**
   * Plans a step and takes the pages that it needs.
   * @returns undefined where nothing can be done before a step in flight is done, or at all
   */
  schedule(): StepPlan | undefined {
    const entries: StepEntry[] = [];
    const preempted: Request[] = [];
    let budget = this.#options.maxBatchedTokens;
    for (let i = 0; i < this.#running.length && budget > 0; i++) {
      const request = this.#running[i];
      if (request === undefined) break;
      const count = this.#countOf(request, budget);
      if (count === 0) continue;
      const got = this.#reserve(request, count, preempted);
      if (got === "later") return undefined;
      if (got === "gone") break; // it was the last in order
      entries.push(entryOf(request, count));
      budget -= count;
    }
    if (preempted.length === 0) budget = this.#admit(entries, budget);
    if (entries.length === 0) budget = this.#admitBeside(entries, budget, preempted);
    if (entries.length === 0) return undefined;
    for (const entry of entries) depart(entry);
    this.#numInFlight++;
    const numTokens = this.#options.maxBatchedTokens - budget;
    const copies = this.#kv.takeCopies();
    return { entries, numTokens, preempted, moved: this.#moved.splice(0), copies };
  }

  /** Takes a step's results in: tokens are appended, requests that are done leave. */
  update(plan: StepPlan, outputs: readonly StepOutput[]): void {
    this.#arrive(plan);
    for (const output of outputs) {
      const { entry, token, logprobs } = output;
      if (entry.request.isFinished) continue; // it ended while the step ran
      const { request } = entry;
      addPromptParts(output);
      if (entry.samples) request.numPending--;
      if (token !== undefined && token < 0) {
        this.#finish(request, "error"); // nothing could be drawn
        continue;
      }
      if (request.beams !== undefined) {
        this.#kv.publish(request);
        if (entry.samples) this.#offer(request, request.beams, logprobs);
        continue;
      }
      if (token !== undefined) {
        request.outputIds.push(token);
        if (logprobs !== undefined) request.outputLogprobs.push(logprobs);
      }
      this.#kv.publish(request);
      if (token !== undefined) this.#stopAt(request, token);
      if (!request.isFinished && hasPrompt(request)) this.#freeChildren(request);
    }
  }

  /** A step that failed: its requests end. */
  fail(plan: StepPlan): void {
    for (const { request } of plan.entries) if (!request.isFinished) this.#finish(request, "abort");
    this.#arrive(plan);
  }

  /** Every page is free or held by a request that lives, and the counts are theirs. @throws InternalError where they are not */
  checkIntegrity(): void {
    this.#kv.checkIntegrity([...this.#known.values(), ...this.#leaving]);
  }

  /** Positions that a running request computes next; 0 where it waits for a token that decides whether it goes on. */
  #countOf(request: Request, budget: number): number {
    const { longPrefillThreshold = 0 } = this.#options;
    const { numPending, remaining, outputIds, params } = request;
    const ends = this.#isLast(request, outputIds.length + numPending);
    const mustKnow = params.beam !== undefined || readsLastToken(params);
    if (numPending > 0 && (ends || mustKnow)) return 0;
    if (request.beams?.waits(request) === true) return 0;
    const most = longPrefillThreshold > 0 ? Math.min(budget, longPrefillThreshold) : budget;
    return Math.min(remaining, most);
  }

  #admit(entries: StepEntry[], initialBudget: number): number {
    let budget = initialBudget;
    while (budget > 0 && this.#running.length < this.#options.maxNumSeqs) {
      const request = this.#nextWaiting();
      if (request === undefined) break;
      const count = this.#start(request, budget);
      if (count === 0) break; // newcomers never preempt
      this.#waiting.delete(request);
      this.#insertRunning(request);
      entries.push(entryOf(request, count));
      budget -= count;
    }
    return budget;
  }

  /** Gives a request its first pages. Returns the positions of its first step; 0 where there are not enough pages. */
  #start(request: Request, budget: number): number {
    const spare = this.#running.length === 0 ? 0 : this.#spare;
    const parent = this.#parentOf(request);
    if (parent !== undefined && hasPrompt(parent)) {
      if (this.#kv.canForkFrom(parent, request.promptIds.length))
        return this.#fork(parent, request, spare);
    }
    const match = this.#kv.match(request);
    request.computed = match.positions;
    const count = this.#countOf(request, budget);
    request.computed = 0;
    const end = match.positions + count;
    const step = this.#options.maxBatchedTokens;
    // The rest of its tokens must find room too, or it would give its pages back before it was through.
    const rest = this.#kv.pagesFor(request.total, step) - this.#kv.pagesFor(end, step);
    const wanted = this.#running.length === 0 ? 0 : spare + rest;
    if (!this.#kv.admit(request, match, end, wanted)) return 0;
    this.#firstRun(request, match.positions);
    return count;
  }

  /** Whose pages it can go on from. One that has run has its own tokens. */
  #parentOf({ parent, hasRun, needsWholePrompt }: Request): Request | undefined {
    return hasRun || !this.#kv.canFork || needsWholePrompt ? undefined : parent;
  }

  #fork(parent: Request, child: Request, spare: number): number {
    if (this.#kv.numFree < this.#kv.pagesOfFork + spare) return 0;
    const positions = child.promptIds.length;
    this.#kv.fork(parent, child, positions);
    if (!this.#kv.reserve(child, positions)) {
      this.#kv.release(child);
      return 0;
    }
    this.#firstRun(child, positions - 1);
    return 1;
  }

  #firstRun(request: Request, numCached: number): void {
    if (request.hasRun) return;
    request.hasRun = true;
    request.numCachedTokens = numCached;
    this.#kv.count(request);
  }

  #nextWaiting(): Request | undefined {
    const first = this.#waiting.peek();
    if (first === undefined || this.#options.longestPrefixFirst !== true) return first;
    if (this.#waiting.length > MOST_SEARCHED || this.#passedOver >= MOST_PASSED_OVER) {
      this.#passedOver = 0;
      return first;
    }
    const best = this.#waiting.best((request) => this.#kv.match(request).positions) ?? first;
    this.#passedOver = best === first ? 0 : this.#passedOver + 1;
    return best;
  }

  #insertRunning(request: Request): void {
    let at = this.#running.length;
    while (at > 0 && this.#order(request, this.#running[at - 1] ?? request) < 0) at--;
    this.#running.splice(at, 0, request);
  }

  /** Pages for `count` more positions, preempting the last in order until they are there. */
  #reserve(request: Request, count: number, preempted: Request[]): "got" | "later" | "gone" {
    while (!this.#kv.reserve(request, request.computed + count)) {
      if (this.#numInFlight > 0) return "later";
      const victim = this.#running.pop();
      if (victim === undefined) return "gone";
      this.#preempt(victim);
      preempted.push(victim);
      if (victim === request) return "gone";
    }
    return "got";
  }

  #preempt(request: Request): void {
    this.#kv.release(request);
    this.#numPreemptions++;
    if (request.beams?.waits(request) !== true) this.#waiting.push(request);
  }

  /** Where nothing moves and nothing is in flight, beams that wait for others hold the pages or seats that those need. */
  #admitBeside(entries: StepEntry[], initialBudget: number, preempted: Request[]): number {
    let budget = initialBudget;
    while (entries.length === 0 && this.#numInFlight === 0 && this.#waiting.length > 0) {
      const victim = this.#running.pop();
      if (victim === undefined) break;
      this.#preempt(victim);
      preempted.push(victim);
      budget = this.#admit(entries, budget);
    }
    return budget;
  }

  /** The next tokens of a beam are in; with the last one's the search takes its turn. */
  #offer(request: Request, group: BeamGroup, scores: TokenLogprobs | undefined): void {
    group.offer(request, scores);
    if (!group.isReady) return;
    const { lead, members } = group;
    const moves = group.turn(beamEnds(lead, this.#stopIds, (count) => this.#isLast(lead, count)));
    const [best] = group.ended;
    if (moves.length > 0) this.#move(members, moves);
    else if (best === undefined) this.#finish(lead, "error");
    else this.#finish(lead, best.finishReason, best.stopReason);
  }

  /** Beams go on as others, with their pages where there are some and a seat; those that have none compute their tokens again. */
  #move(members: readonly Request[], moves: readonly BeamMove[]): void {
    const seats = this.#options.maxNumSeqs - this.#running.length;
    const running = new Set(this.#running);
    const room = { running, seats, canFork: this.#kv.canFork };
    const { seated, unseated, leaving } = seatBeams(members, moves, room);
    const outputs = moves.map(({ source, token }) => [...source.outputIds, token]);
    this.#kv.rebase(seated.filter(({ target, source }) => target !== source));
    for (const one of [...leaving, ...unseated]) {
      this.#leaveQueues(one);
      this.#kv.release(one);
      one.pageNames.list.length = 0; // it has other tokens from now on
    }
    moves.forEach(({ target, source }, i) => {
      target.outputIds.splice(0, Number.POSITIVE_INFINITY, ...(outputs[i] ?? []));
      target.hasRun = true;
      this.#known.set(target.id, target);
      if (target !== source) this.#moved.push(target);
    });
    for (const { target } of seated) if (!running.has(target)) this.#insertRunning(target);
    for (const one of unseated) this.#waiting.push(one);
  }

  /** Ends a request whose last token says so. */
  #stopAt(request: Request, token: number): void {
    const { params, outputIds } = request;
    const mayStop = outputIds.length >= params.minTokens;
    if (mayStop && !params.ignoreEos && this.#stopIds.has(token)) this.#finish(request, "stop");
    else if (mayStop && params.stopTokenIds.includes(token)) this.#finish(request, "stop", token);
    else if (this.#isLast(request, outputIds.length)) this.#finish(request, "length");
  }

  /** No token may follow this many of the output. */
  #isLast({ promptIds, params }: Request, numOutputs: number): boolean {
    const total = promptIds.length + numOutputs;
    return (
      numOutputs >= params.maxTokens ||
      total >= this.#options.maxModelLen ||
      total > this.#maxPositions // alone in the pool, and no page left for the next position
    );
  }

  /** A step is done: those that left while it ran give their pages back. */
  #arrive({ entries }: StepPlan): void {
    this.#numInFlight--;
    for (const { request, start, count } of entries) {
      request.inFlight--;
      if (!request.isFinished) request.retired = start + count;
      else if (request.inFlight === 0 && this.#leaving.delete(request)) this.#kv.release(request);
    }
  }

  /** The beams of a search end together. */
  #finish(request: Request, reason: FinishReason, stopReason?: number): void {
    for (const one of request.beams?.members ?? [request]) this.#end(one, reason, stopReason);
  }

  #end(request: Request, reason: FinishReason, stopReason?: number): void {
    request.finishReason = reason;
    request.stopReason = stopReason;
    request.numPending = 0;
    if (request.inFlight > 0) this.#leaving.add(request);
    else this.#kv.release(request);
    this.#known.delete(request.id);
    this.#leaveQueues(request);
    this.#freeChildren(request);
  }

  #leaveQueues(request: Request): void {
    if (this.#waiting.delete(request)) return;
    const index = this.#running.indexOf(request);
    if (index >= 0) this.#running.splice(index, 1);
    const { parent } = request;
    if (parent !== undefined && this.#held.get(parent)?.delete(request) === true) this.#numHeld--;
  }

  /** Children wait for their parent's prompt no longer. */
  #freeChildren(parent: Request): void {
    const children = this.#held.get(parent);
    if (children === undefined) return;
    this.#held.delete(parent);
    this.#numHeld -= children.size;
    for (const child of children) this.#waiting.push(child);
  }
}
