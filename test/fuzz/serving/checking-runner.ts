/** [test/fuzz] A runner that computes nothing and checks everything: each position must find, in the pages it is given, just the tokens that came before it. */
import type { Request, StepEntry, StepOutput, StepPlan, StepRunner } from "../../../engine/core.ts";
import type { KvGroup } from "../../../engine/kv/page-group.ts";
import { RESERVED_PAGE } from "../../../engine/kv/page-pool.ts";
import { nullToken } from "../../../engine/null-runner.ts";
import { EOS, FIRST_BYTE } from "../../support/tiny-files.ts";
import type { Dice } from "../dice.ts";

/** Outputs are letters from `a` on, and sometimes the end. */
const LETTERS = 6;
const FIRST_LETTER = FIRST_BYTE + 97;
const END_ONE_IN = 40;

/** The token that a request gets at a position, whatever runs beside it. */
export function fuzzToken(seed: number, position: number): number {
  if (nullToken(seed ^ 0x5bd1e995, position, END_ONE_IN) === 0) return EOS;
  return FIRST_LETTER + nullToken(seed, position, LETTERS);
}

export interface CheckingOptions {
  readonly numPages: number;
  readonly pageSize: number;
  readonly groups: readonly KvGroup[];
  readonly numStates: number;
  /** A step in so many fails; 0 for none. */
  readonly failsOneIn: number;
  /** Steps take up to so many turns of the event loop. */
  readonly slowness: number;
}

export class CheckingRunner implements StepRunner {
  readonly #options: CheckingOptions;
  readonly #dice: Dice;
  /** By slot, or by page where pages are states: a digest of all tokens up to there, another one for each group. */
  readonly #memory: Int32Array;
  /** Of states beside positions. */
  readonly #states: Int32Array;
  readonly #keepsStatesAlone: boolean;
  /** Requests of steps that failed: what later steps in flight find in their pages means nothing. */
  readonly #poisoned = new WeakSet<Request>();
  #last: Promise<unknown> = Promise.resolve();
  #inFlight = 0;
  mostInFlight = 0;

  constructor(options: CheckingOptions, dice: Dice) {
    this.#options = options;
    this.#dice = dice;
    this.#memory = new Int32Array(options.numPages * options.pageSize);
    this.#states = new Int32Array(options.numStates);
    this.#keepsStatesAlone = options.groups.every(({ kind }) => kind === "state");
  }

  submit(plan: StepPlan): Promise<StepOutput[]> {
    const { failsOneIn, slowness } = this.#options;
    const fails = failsOneIn > 0 && this.#dice.below(failsOneIn) === 0;
    if (fails) for (const { request } of plan.entries) this.#poisoned.add(request);
    else this.#copy(plan);
    if (!fails) for (const entry of plan.entries) this.#compute(entry);
    const outputs = plan.entries.map(outputOf);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    const turns = this.#dice.below(slowness + 1);
    const done = this.#last.then(async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      this.#inFlight--;
      if (fails) throw new Error("planned");
      return outputs;
    });
    this.#last = done.catch(() => {});
    return done;
  }

  close(): void {
    if (this.#inFlight > 0) throw new Error("closed with a step in flight");
  }

  #copy({ copies }: StepPlan): void {
    const { pageSize } = this.#options;
    for (const { from, to } of copies)
      this.#memory.copyWithin(to * pageSize, from * pageSize, (from + 1) * pageSize);
  }

  #compute(entry: StepEntry): void {
    const { request, start, count } = entry;
    if (this.#poisoned.has(request)) return;
    this.#options.groups.forEach((group, g) => {
      if (group.kind === "state") this.#computeState(entry, g);
      else this.#computePages(entry, g, group.kind === "window" ? group.window : 0);
    });
    // The token that the step samples counts already.
    const end = entry.samples ? request.total - 1 : Math.min(start + count, request.total - 1);
    if (start + count !== end)
      throw new Error("a step samples before the end, or does not at the end");
  }

  /** What lies in a page is the state after all positions so far. */
  #computeState({ request, start, count }: StepEntry, group: number): void {
    const page = request.tables[group]?.[0] ?? RESERVED_PAGE;
    if (page === RESERVED_PAGE) throw mismatch(request, 0);
    const memory = this.#keepsStatesAlone ? this.#memory : this.#states;
    const at = this.#keepsStatesAlone ? page * this.#options.pageSize : page;
    let digest = rootOf(request, group);
    for (let position = 0; position < start; position++) digest = after(digest, request, position);
    if (start > 0 && memory[at] !== digest) throw mismatch(request, start - 1);
    for (let p = start; p < start + count; p++) digest = after(digest, request, p);
    memory[at] = digest;
  }

  /** @param window 0 where all positions are seen */
  #computePages({ request, start, count }: StepEntry, group: number, window: number): void {
    const first = window > 0 ? Math.max(0, start - window + 1) : 0;
    let digest = rootOf(request, group);
    for (let position = 0; position < start + count; position++) {
      digest = after(digest, request, position);
      if (position < first) continue;
      const slot = this.#slot(request, position, group);
      if (position >= start) this.#memory[slot] = digest;
      else if (this.#memory[slot] !== digest) throw mismatch(request, position);
    }
  }

  #slot(request: Request, position: number, group: number): number {
    const { pageSize } = this.#options;
    const page = request.tables[group]?.[Math.floor(position / pageSize)] ?? RESERVED_PAGE;
    if (page === RESERVED_PAGE) throw mismatch(request, position);
    return page * pageSize + (position % pageSize);
  }
}

/** Other salts, other contents; what one group of layers keeps is nothing to another. */
function rootOf({ scope }: Request, group: number): number {
  const root = 17 + 1000 * group;
  return [...(scope.salt ?? "")].reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) | 0, root);
}

function after(digest: number, request: Request, position: number): number {
  const { promptIds, seed } = request;
  const token =
    position < promptIds.length ? (promptIds[position] ?? -1) : fuzzToken(seed, position);
  const known = request.tokenAt(position);
  if (known !== -1 && known !== token) throw mismatch(request, position);
  return (Math.imul(digest ^ token, 0x01000193) + position) | 0;
}

function outputOf(entry: StepEntry): StepOutput {
  const { request, start, count, samples } = entry;
  const { promptLogprobs, logprobs } = request.params;
  const scored = (tokenId: number) => ({ tokenId, logprob: -start, rank: 1, top: [] });
  const end = Math.min(start + count, request.promptIds.length - 1);
  const scores = Array.from({ length: Math.max(0, end - start) }, (_, i) =>
    scored(request.promptIds[start + i + 1] ?? 0),
  );
  const token = fuzzToken(request.seed, start + count);
  return {
    entry,
    ...(promptLogprobs === undefined ? {} : { promptLogprobs: scores }),
    ...(samples ? { token } : {}),
    ...(samples && logprobs !== undefined ? { logprobs: scored(token) } : {}),
  };
}

function mismatch({ id }: Request, position: number): Error {
  return new Error(`request ${id} does not find its position ${position} in its pages`);
}
