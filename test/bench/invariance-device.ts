/**
 * [test/bench] Batch invariance on a device: the bits of every request alone against those in each way of scheduling, graphs on and off.
 * `tsx test/bench/invariance-device.ts DRIVER DTYPE FOLDER...`; a folder is a model. Prints a line of JSON a model and dtype; exit code 1 where a bit differs.
 */
import { basename } from "node:path";
import type { EngineOptions } from "../../engine/config.ts";
import type { SamplingParams } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import { openDevice } from "../../runtime/index.ts";

const [driver = "interpreter", dtype = "float32", ...folders] = process.argv.slice(2);
const asked = dtype === "bfloat16" ? ("bfloat16" as const) : ("float32" as const);

type Ids = readonly number[];
interface Job {
  readonly prompt: Ids;
  /** With `n` choices: alone each is a request of its own, together they are forks of one. */
  readonly params: Partial<SamplingParams>;
}

const ids = (length: number, step: number): Ids =>
  Array.from({ length }, (_, i) => 3 + ((i * step + length) % 300));
/** Three pages that several requests begin with. */
const SHARED = ids(50, 7);
const endless = { ignoreEos: true } as const;
const scored = { ...endless, logprobs: 4 } as const;
const JOBS: readonly Job[] = [
  // Sampled within captured decodes, where there are any.
  { prompt: SHARED, params: { ...endless, temperature: 0, maxTokens: 40 } },
  { prompt: [7], params: { ...endless, temperature: 1, seed: 4, maxTokens: 48 } },
  {
    prompt: [...SHARED, 9, 11],
    params: { ...endless, temperature: 0.8, seed: 5, topP: 0.9, maxTokens: 24 },
  },
  {
    prompt: ids(131, 11),
    params: { ...endless, temperature: 0.9, seed: 6, topK: 40, maxTokens: 30 },
  },
  {
    prompt: ids(17, 5),
    params: { ...endless, temperature: 1, seed: 7, minP: 0.02, n: 3, maxTokens: 20 },
  },
  // With log-probabilities, some of the prompt too, some with rules.
  { prompt: SHARED, params: { ...scored, temperature: 0, promptLogprobs: 2, maxTokens: 20 } },
  { prompt: ids(5, 3), params: { ...scored, temperature: 0, maxTokens: 48 } },
  { prompt: ids(97, 13), params: { ...scored, temperature: 1, seed: 8, maxTokens: 24 } },
  {
    prompt: [...SHARED, 8, 8, 3],
    params: { ...scored, temperature: 0.7, seed: 9, topP: 0.95, maxTokens: 24 },
  },
  {
    prompt: ids(33, 17),
    params: {
      ...scored,
      temperature: 1,
      seed: 10,
      repetitionPenalty: 1.3,
      presencePenalty: 0.2,
      maxTokens: 24,
    },
  },
  { prompt: ids(64, 19), params: { ...scored, temperature: 1, seed: 11, n: 3, maxTokens: 16 } },
  { prompt: ids(16, 23), params: { ...scored, temperature: 0, promptLogprobs: 0, maxTokens: 12 } },
];

interface Way {
  readonly name: string;
  readonly options: Partial<EngineOptions>;
  /** Something must be found in the cache, or the way shows nothing. */
  readonly isCached?: boolean;
  /** Few pages: requests must have started over, or the way shows nothing. */
  readonly spare?: number;
}

const MAX_MODEL_LEN = 192;
/** Positions of the longest job. */
const LONGEST = 162;
const uncached = { enablePrefixCaching: false } as const;
const plain = { asyncScheduling: false } as const;
const eager = { enforceEager: true } as const;
/** @param spare pages beyond those without which the longest job would not be taken */
const scarce = (spare: number, options: Partial<EngineOptions>): Way => {
  const name = `preempted, ${spare} spare pages ${Object.keys(options).join(" ")}`.trim();
  return { name, options, spare };
};
const WAYS: readonly Way[] = [
  { name: "all at once", options: uncached },
  { name: "all at once, launch by launch", options: { ...uncached, ...eager } },
  { name: "all at once, plain loop", options: { ...uncached, ...plain } },
  {
    name: "all at once, plain loop, launch by launch",
    options: { ...uncached, ...plain, ...eager },
  },
  { name: "two at a time", options: { maxNumSeqs: 2, ...uncached } },
  { name: "five at a time, cache", options: { maxNumSeqs: 5 }, isCached: true },
  { name: "chunks of 7", options: { maxNumBatchedTokens: 7, maxNumSeqs: 7, ...uncached } },
  { name: "chunks of 16, cache", options: { maxNumBatchedTokens: 16 }, isCached: true },
  {
    name: "chunks of 33, launch by launch",
    options: { maxNumBatchedTokens: 33, ...uncached, ...eager },
  },
  { name: "cache", options: {}, isCached: true },
  { name: "cache, plain loop, launch by launch", options: { ...plain, ...eager }, isCached: true },
  scarce(0, {}),
  scarce(2, { ...uncached }),
  scarce(4, { ...plain }),
  scarce(6, { ...uncached, ...eager }),
  scarce(1, { ...plain, ...eager, maxNumBatchedTokens: 16 }),
];

/** Everything that a request gives; JSON tells any two doubles apart. */
const bitsOf = ({ tokenIds, logprobs, promptLogprobs }: RequestOutput): string =>
  JSON.stringify([tokenIds, logprobs, promptLogprobs]);

const device = await openDevice(driver);

async function withEngine<T>(
  model: string,
  options: Partial<EngineOptions>,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const own = { model, device, dtype: asked, maxModelLen: MAX_MODEL_LEN };
  const shape = { blockSize: 16, numGpuBlocksOverride: 400 };
  const engine = await Engine.load({ ...own, ...shape, batchInvariant: true, ...options });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** Pages with which the longest job is taken: groups of layers have pages of their own. */
async function leastPages(model: string, options: Partial<EngineOptions>): Promise<number> {
  for (let pages = 8; ; pages += 2) {
    const few = { ...options, numGpuBlocksOverride: pages };
    const fits = await withEngine(model, few, async ({ info }) => info.maxPositions >= LONGEST);
    if (fits) return pages;
  }
}

/** Every choice as a request of its own, one after another. */
async function alone(engine: Engine): Promise<string[][]> {
  const all: string[][] = [];
  for (const { prompt, params } of JOBS) {
    const { n = 1, seed, ...own } = params;
    const choices: string[] = [];
    for (let i = 0; i < n; i++) {
      const asked = seed === undefined ? own : { ...own, seed: seed + i };
      choices.push(bitsOf(await lastOutput(engine.generate(prompt, asked))));
    }
    all.push(choices);
  }
  return all;
}

/** All at once, choices as forks of the first. */
async function together(engine: Engine): Promise<string[][]> {
  const groups = JOBS.map(({ prompt, params }) => new RequestGroup(engine, [prompt], params));
  const found = await Promise.all(groups.map((group) => group.finish()));
  return found.map((outputs) => outputs.map(bitsOf));
}

interface Count {
  cases: number;
  differing: number;
}

function compare(wanted: readonly string[][], seen: readonly string[][], count: Count): number {
  let differing = 0;
  for (const [job, choices] of wanted.entries())
    for (const [choice, bits] of choices.entries()) {
      count.cases++;
      if (seen[job]?.[choice] !== bits) differing++;
    }
  count.differing += differing;
  return differing;
}

async function check(model: string): Promise<boolean> {
  const start = performance.now();
  const count: Count = { cases: 0, differing: 0 };
  const wrong: string[] = [];
  let numPreemptions = 0;
  const baseline = { ...uncached, ...plain, ...eager, maxNumSeqs: 1 };
  const wanted = await withEngine(model, baseline, alone);
  const captured = await withEngine(model, uncached, alone);
  const whenAlone = compare(wanted, captured, count);
  if (whenAlone > 0) wrong.push(`alone, captured: ${whenAlone}`);
  for (const { name, options, isCached, spare } of WAYS) {
    const pages =
      spare === undefined
        ? {}
        : { numGpuBlocksOverride: spare + (await leastPages(model, options)) };
    await withEngine(model, { ...options, ...pages }, async (engine) => {
      let differing = compare(wanted, await together(engine), count);
      if (isCached) differing += compare(wanted, await together(engine), count);
      numPreemptions += engine.numPreemptions;
      if (differing > 0) wrong.push(`${name}: ${differing}`);
      if (spare !== undefined && engine.numPreemptions === 0)
        wrong.push(`${name}: none was preempted`);
      if (isCached && engine.stats.prefixHits === 0) wrong.push(`${name}: nothing was cached`);
      if (engine.numFreePages !== engine.info.numPages - 1) wrong.push(`${name}: pages are held`);
    });
  }
  const usual = { batchInvariant: false };
  const [one, all] = [
    await withEngine(model, { ...usual, ...baseline }, alone),
    await withEngine(model, usual, together),
  ];
  const without = compare(one, all, { cases: 0, differing: 0 });
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const figures = {
    ways: WAYS.length + 1,
    ...count,
    numPreemptions,
    differingWithoutTheFlag: without,
  };
  const graphs = device.capture !== undefined;
  console.log(
    JSON.stringify({
      model: basename(model),
      dtype: asked,
      device: device.info.name,
      graphs,
      ...figures,
      wrong,
      seconds,
    }),
  );
  return wrong.length === 0;
}

let isRight = true;
for (const folder of folders) isRight = (await check(folder)) && isRight;
await device.close();
process.exitCode = isRight && folders.length > 0 ? 0 : 1;
