/** [test/fuzz] One round of random requests through engine and scheduler: all end as they must, nothing is lost or leaks. A seed gives the same round again. */
import type { SamplingParams } from "../../../engine/core.ts";
import { Engine } from "../../../engine/engine.ts";
import { KvManager } from "../../../engine/kv/kv-manager.ts";
import { mostPages } from "../../../engine/kv/page-counts.ts";
import type { KvGroup } from "../../../engine/kv/page-group.ts";
import type { LoadedModel } from "../../../engine/load.ts";
import type { RequestOutput } from "../../../engine/output.ts";
import { RequestGroup } from "../../../engine/request-group.ts";
import { Scheduler } from "../../../engine/scheduler/scheduler.ts";
import { EOS, FIRST_BYTE } from "../../support/tiny-files.ts";
import { Dice } from "../dice.ts";
import { CheckingRunner, fuzzToken } from "./checking-runner.ts";

/** What a round needs of a model: its tokenizer and the like. */
export type ModelSide = Pick<LoadedModel, "device" | "info" | "generation" | "tokenizer">;

export interface RoundReport {
  readonly seed: number;
  /** Single requests, each choice of a group counted. */
  readonly numRequests: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly numSteps: number;
  readonly numPreemptions: number;
  readonly cachedTokens: number;
  readonly overlappedSteps: boolean;
  /** What went wrong; empty where all is well. */
  readonly problems: readonly string[];
}

const CONTEXT = 48;
/** A round that has not ended by then is stuck. */
const STUCK_MS = 20_000;

/** What models keep: most of them one thing. */
const GROUPS: readonly (readonly KvGroup["kind"][])[] = [
  ["full"],
  ["full"],
  ["window"],
  ["state"],
  ["full", "window"],
  ["full", "window", "window"],
  ["window", "window"],
  ["full", "state"],
  ["full", "window", "state"],
];

function configOf(dice: Dice) {
  const pageSize = dice.pick([1, 2, 4, 5, 8]);
  const groups = dice
    .pick(GROUPS)
    .map((kind): KvGroup => (kind === "window" ? { kind, window: 1 + dice.below(12) } : { kind }));
  const maxBatchedTokens = dice.pick([1, 3, 8, 16, 64, 256]);
  const isOfStates = groups.every(({ kind }) => kind === "state");
  const chunk = maxBatchedTokens;
  const perRequest = isOfStates ? 1 : mostPages(CONTEXT, { groups, pageSize, chunk });
  return {
    pageSize: isOfStates ? CONTEXT : pageSize,
    groups,
    numStates: 2 + dice.below(6),
    numPages: 1 + perRequest + dice.below(Math.ceil(perRequest * dice.pick([0.25, 0.5, 0.5, 3]))),
    prefixCaching: dice.chance(0.75),
    options: {
      maxBatchedTokens,
      maxNumSeqs: dice.pick([1, 4, 8, 16, 64]),
      maxModelLen: CONTEXT,
      policy: dice.pick(["fcfs", "priority"] as const),
      longestPrefixFirst: dice.chance(0.3),
      longPrefillThreshold: dice.chance(0.3) ? 1 + dice.below(8) : 0,
      watermark: dice.pick([0, 0.01, 0.1]),
    },
    core: {
      asyncScheduling: dice.chance(0.7),
      checksEachStep: true,
      seed: dice.below(1000),
      ...(dice.chance(0.15) ? { maxQueuedRequests: dice.below(8) } : {}),
    },
    failsOneIn: dice.chance(0.2) ? 5 + dice.below(60) : 0,
    slowness: dice.pick([0, 0, 1, 3]),
  };
}

function engineFor(model: ModelSide, dice: Dice) {
  const { prefixCaching, options, core, failsOneIn, slowness, ...memory } = configOf(dice);
  const { numPages, pageSize } = memory;
  const kv = new KvManager({ ...memory, prefixCaching });
  const scheduler = new Scheduler(options, kv, [EOS]);
  const runner = new CheckingRunner({ ...memory, failsOneIn, slowness }, dice);
  const { maxNumSeqs, maxModelLen, maxBatchedTokens } = options;
  const maxPositions = kv.maxPositions(maxBatchedTokens);
  const info = { ...model.info, numPages, pageSize, maxNumSeqs, maxModelLen, maxPositions };
  const loaded = { ...model, info, ownsDevice: false, runner, scheduler, kv };
  return {
    engine: Engine.over(loaded, core),
    runner,
    failsOneIn,
    limited: "maxQueuedRequests" in core,
  };
}

interface Asked {
  readonly prompt: readonly number[];
  readonly params: Partial<SamplingParams> & { readonly seed: number };
  readonly n: number;
  readonly options: { readonly priority: number; readonly cacheSalt?: string };
  /** Turns of the event loop before it comes. */
  readonly delay: number;
  readonly leavesAfter: number;
  readonly abortsAfter: number;
  readonly reads: "quickly" | "slowly";
}

function requestOf(dice: Dice): Asked {
  const family = dice.below(3);
  const length = dice.chance(0.02) ? CONTEXT + dice.below(4) : 1 + dice.below(CONTEXT - 2);
  const shared = dice.below(length + 1);
  const prompt = Array.from({ length }, (_, i) =>
    i < shared ? FIRST_BYTE + 65 + family : FIRST_BYTE + 32 + dice.below(90),
  );
  const stops = ["ab", "fcc", "d", "bad"].filter(() => dice.chance(0.1));
  return {
    prompt,
    n: dice.chance(0.25) ? 2 + dice.below(3) : 1,
    params: {
      seed: dice.below(1 << 20),
      temperature: 1,
      maxTokens: 1 + dice.below(24),
      stop: stops,
      ...(dice.chance(0.1) ? { stopTokenIds: [FIRST_BYTE + 97 + dice.below(6)] } : {}),
      ...(dice.chance(0.3) ? { ignoreEos: true } : {}),
      ...(dice.chance(0.1) ? { logprobs: 0 } : {}),
      ...(dice.chance(0.1) ? { promptLogprobs: 0 } : {}),
    },
    options: {
      priority: dice.below(3) - 1,
      ...(dice.chance(0.3) ? { cacheSalt: dice.pick(["red", "blue"]) } : {}),
    },
    delay: dice.below(30),
    leavesAfter: dice.chance(0.08) ? 1 + dice.below(6) : 0,
    abortsAfter: dice.chance(0.08) ? 1 + dice.below(6) : 0,
    reads: dice.chance(0.2) ? "slowly" : "quickly",
  };
}

/** The tokens that choice `choice` must end with, and why it ends. */
export function expectedOf(
  { prompt, params }: Pick<Asked, "prompt" | "params">,
  choice: number,
  maxPositions: number,
): { readonly tokens: readonly number[]; readonly reason: string } {
  const { maxTokens = 1, stop = [], stopTokenIds = [], ignoreEos = false } = params;
  const tokens: number[] = [];
  let text = "";
  for (;;) {
    const token = fuzzToken(params.seed + choice, prompt.length + tokens.length);
    tokens.push(token);
    if ((token === EOS && !ignoreEos) || stopTokenIds.includes(token))
      return { tokens, reason: "stop" };
    if (token !== EOS) text += String.fromCharCode(token - FIRST_BYTE);
    if (stop.some((one) => text.includes(one))) return { tokens, reason: "stop" };
    const total = prompt.length + tokens.length;
    if (tokens.length >= maxTokens || total >= CONTEXT || total > maxPositions)
      return { tokens, reason: "length" };
  }
}

function judge(asked: Asked, choice: number, output: RequestOutput, engine: Engine): string[] {
  const { tokens, reason } = expectedOf(asked, choice, engine.info.maxPositions);
  const { tokenIds, finishReason, logprobs, promptLogprobs } = output;
  const wanted = finishReason === "abort" ? tokens.slice(0, tokenIds.length) : tokens;
  const problems: string[] = [];
  const check = (fits: boolean, what: string) => {
    if (!fits) problems.push(`${output.requestId}: ${what}`);
  };
  check(String(tokenIds) === String(wanted), `tokens ${tokenIds}, expected ${wanted}`);
  check(finishReason === "abort" || finishReason === reason, `${finishReason}, expected ${reason}`);
  if (asked.params.logprobs !== undefined)
    check(
      logprobs.every((l, i) => l.tokenId === tokenIds[i]),
      "log-probabilities of other tokens",
    );
  if (asked.params.promptLogprobs !== undefined && tokenIds.length > 0) {
    check(promptLogprobs.length === asked.prompt.length, "prompt log-probabilities are missing");
    check(
      promptLogprobs.every((l, i) => i === 0 || l?.tokenId === asked.prompt[i]),
      "prompt log-probabilities of other tokens",
    );
  }
  return problems;
}

class Round {
  readonly ends: Record<string, number> = {};
  readonly problems: string[] = [];
  cachedTokens = 0;
  numRequests = 0;
  readonly #engine: Engine;
  readonly #allowed: readonly string[];

  constructor(engine: Engine, allowed: readonly string[]) {
    this.#engine = engine;
    this.#allowed = allowed;
  }

  async run(asked: Asked, id: string): Promise<void> {
    for (let turn = 0; turn < asked.delay; turn++) await new Promise(setImmediate);
    this.numRequests += asked.n;
    let group: RequestGroup;
    try {
      group = new RequestGroup(
        this.#engine,
        [asked.prompt],
        asked.params,
        asked.n,
        id,
        asked.options,
      );
    } catch (error) {
      this.#count(`refused ${(error as { code?: string }).code ?? String(error)}`, asked.n);
      return;
    }
    const each = group.streams.map((stream, choice) => this.#read(stream, asked, choice, id));
    await Promise.all(each);
  }

  async #read(
    stream: AsyncIterable<RequestOutput>,
    asked: Asked,
    choice: number,
    id: string,
  ): Promise<void> {
    let outputs = 0;
    let last: RequestOutput | undefined;
    try {
      for await (const output of stream) {
        last = output;
        if (++outputs === asked.leavesAfter) break;
        if (outputs === asked.abortsAfter) this.#engine.abort(`${id}-${choice}`);
        if (asked.reads === "slowly")
          for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      }
    } catch (error) {
      this.#count((error as Error).message, 1);
      return;
    }
    if (last === undefined) this.problems.push(`${id}-${choice}: no output`);
    else if (last.finishReason === undefined) this.#count("left", 1);
    else {
      this.#count(last.finishReason, 1);
      this.cachedTokens += last.numCachedTokens;
      this.problems.push(...judge(asked, choice, last, this.#engine));
    }
  }

  #count(end: string, count: number): void {
    this.ends[end] = (this.ends[end] ?? 0) + count;
    if (!this.#allowed.includes(end)) this.problems.push(`a request ended with: ${end}`);
  }
}

/** @param numRequests at least so many, groups counted by their choices */
export async function serveRound(
  model: ModelSide,
  seed: number,
  numRequests: number,
): Promise<RoundReport> {
  const dice = new Dice(seed);
  const { engine, runner, failsOneIn, limited } = engineFor(model, dice);
  const allowed = ["stop", "length", "abort", "left", "refused TW4102"];
  if (failsOneIn > 0) allowed.push("planned");
  if (limited) allowed.push("refused TW4117");
  const round = new Round(engine, allowed);
  const asked: Asked[] = [];
  for (let count = 0; count < numRequests; count += asked.at(-1)?.n ?? 1)
    asked.push(requestOf(dice));
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the round is stuck"), STUCK_MS);
  });
  const all = Promise.all(asked.map((one, i) => round.run(one, `r${i}`))).then(() => undefined);
  const problem = await Promise.race([all, stuck]);
  clearTimeout(timer);
  if (problem !== undefined) round.problems.push(problem);
  await engine.close();
  const { numSteps, numPreemptions, numFreePages, numRunning, numWaiting } = engine.stats;
  if (!(numFreePages === engine.info.numPages - 1 && numRunning + numWaiting === 0))
    round.problems.push(
      `${numFreePages} pages are free at the end, ${numRunning + numWaiting} requests left`,
    );
  const { ends, problems, cachedTokens } = round;
  const overlappedSteps = runner.mostInFlight > 1;
  const counts = { numSteps, numPreemptions, cachedTokens, overlappedSteps };
  return { seed, numRequests: round.numRequests, ends, problems, ...counts };
}
