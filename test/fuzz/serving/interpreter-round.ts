/** [test/fuzz] Random requests through engine, scheduler and a model on the interpreter: each gets the tokens that it gets alone. A seed gives the same round again. */
import type { EngineOptions } from "../../../engine/config.ts";
import type { SamplingParams } from "../../../engine/core.ts";
import { Engine } from "../../../engine/engine.ts";
import { lastOutput, RequestGroup } from "../../../engine/request-group.ts";
import type { Device } from "../../../runtime/index.ts";
import { FIRST_BYTE } from "../../support/tiny-files.ts";
import { Dice } from "../dice.ts";

/** Of prompt and output: few pages are enough, and soon too few. */
const LONGEST = 64;

export interface InterpreterRound {
  readonly numRequests: number;
  readonly numPreemptions: number;
  readonly cachedTokens: number;
  readonly aborted: number;
  readonly problems: readonly string[];
}

interface Asked {
  readonly prompt: readonly number[];
  readonly params: Partial<SamplingParams> & { readonly seed: number };
  readonly n: number;
  readonly delay: number;
  /** Outputs after which the reader leaves; 0 for none. */
  readonly leavesAfter: number;
}

function requestOf(dice: Dice): Asked {
  const length = 1 + dice.below(40);
  const shared = dice.below(length + 1);
  const family = dice.below(2);
  return {
    prompt: Array.from({ length }, (_, i) =>
      i < shared ? FIRST_BYTE + 70 + ((family + i) % 7) : FIRST_BYTE + 32 + dice.below(90),
    ),
    n: dice.chance(0.2) ? 2 + dice.below(2) : 1,
    params: {
      seed: dice.below(1 << 20),
      temperature: dice.pick([0, 0.8, 1.2]),
      maxTokens: 1 + dice.below(10),
      ...(dice.chance(0.3) ? { topP: 0.8 } : {}),
      ...(dice.chance(0.3) ? { ignoreEos: true } : {}),
      ...(dice.chance(0.2) ? { stop: [String.fromCharCode(97 + dice.below(26))] } : {}),
    },
    delay: dice.below(10),
    leavesAfter: dice.chance(0.1) ? 1 + dice.below(3) : 0,
  };
}

/** @param alone an engine that computes requests one at a time, plainly and without a cache */
export async function interpreterRound(
  model: string,
  device: Device,
  alone: Engine,
  seed: number,
  numRequests: number,
): Promise<InterpreterRound> {
  const dice = new Dice(seed);
  const blockSize = dice.pick([4, 8, 16]);
  const options: EngineOptions = {
    model,
    device,
    batchInvariant: true,
    blockSize,
    maxNumSeqs: dice.pick([2, 4, 8]),
    maxNumBatchedTokens: dice.pick([5, 16, 64, 256]),
    maxModelLen: LONGEST,
    numGpuBlocksOverride: 1 + LONGEST / blockSize + dice.below(4),
    enablePrefixCaching: dice.chance(0.7),
    asyncScheduling: dice.chance(0.7),
    schedulingPolicy: dice.pick(["fcfs", "priority"]),
  };
  const engine = await Engine.load(options);
  const problems: string[] = [];
  let [count, aborted, cachedTokens] = [0, 0, 0];

  const run = async (asked: Asked, id: number): Promise<void> => {
    for (let turn = 0; turn < asked.delay; turn++) await new Promise(setImmediate);
    const scope = { priority: id % 3 };
    const group = new RequestGroup(engine, [asked.prompt], asked.params, asked.n, `r${id}`, scope);
    await Promise.all(
      group.streams.map(async (stream, choice) => {
        let outputs = 0;
        let tokens: readonly number[] = [];
        for await (const output of stream) {
          tokens = output.tokenIds;
          cachedTokens += output.finishReason === undefined ? 0 : output.numCachedTokens;
          if (++outputs === asked.leavesAfter) break;
        }
        const params = { ...asked.params, seed: asked.params.seed + choice };
        const wanted = (await lastOutput(alone.generate(asked.prompt, params))).tokenIds;
        const left = outputs === asked.leavesAfter;
        if (left) aborted++;
        const fits = String(tokens) === String(left ? wanted.slice(0, tokens.length) : wanted);
        if (!fits) problems.push(`r${id}-${choice}: ${tokens}, alone ${wanted}`);
      }),
    );
  };

  const jobs: Promise<void>[] = [];
  while (count < numRequests) {
    const asked = requestOf(dice);
    // Choices of a greedy request are all the same.
    const n = asked.params.temperature === 0 ? 1 : asked.n;
    jobs.push(run({ ...asked, n }, jobs.length));
    count += n;
  }
  await Promise.all(jobs);
  const { numPreemptions } = engine;
  await engine.close();
  if (engine.numFreePages !== engine.info.numPages - 1) problems.push("pages are lost");
  return { numRequests: count, numPreemptions, cachedTokens, aborted, problems };
}
