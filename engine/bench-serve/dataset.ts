/** [engine/bench-serve] Requests of a load test, all from one seed: token ids in, tokens out. No clock, no network. */

export const DATASETS = ["random", "sharegpt-like", "prefix"] as const;
export type DatasetName = (typeof DATASETS)[number];

export interface DatasetOptions {
  readonly dataset: DatasetName;
  readonly numPrompts: number;
  readonly inputLen: number;
  readonly outputLen: number;
  /** Tokens that all prompts of `prefix` begin with, besides `inputLen`. */
  readonly prefixLen: number;
  /** Ids are drawn below it. */
  readonly vocabSize: number;
  readonly seed: number;
}

export interface LoadRequest {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
}

/** Ids below are control tokens in most vocabularies. */
const FIRST_ID = 10;

/** Lengths of `sharegpt-like`: log-normal around `inputLen` and `outputLen`, up to four times as long. */
const SIGMA = 0.8;
const LONGEST = 4;

/** Words that most vocabularies have as one token each. */
const WORDS =
  "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many off before must well back through years where much your way down should because long each just state those people too".split(
    " ",
  );

/** A prompt for servers that take no ids: a word for each. */
export function textOf(prompt: readonly number[]): string {
  return prompt.map((id) => WORDS[id % WORDS.length]).join(" ");
}

export function makeRequests(options: DatasetOptions): readonly LoadRequest[] {
  const { dataset, numPrompts, inputLen, outputLen, prefixLen } = options;
  const random = generator(options.seed);
  const ids = (count: number) =>
    Array.from({ length: count }, () => drawId(random, options.vocabSize));
  const prefix = dataset === "prefix" ? ids(prefixLen) : [];
  return Array.from({ length: numPrompts }, () => {
    switch (dataset) {
      case "random":
      case "prefix":
        return { prompt: [...prefix, ...ids(inputLen)], maxTokens: outputLen };
      case "sharegpt-like":
        return {
          prompt: ids(logNormal(random, inputLen)),
          maxTokens: logNormal(random, outputLen),
        };
      default:
        return dataset satisfies never;
    }
  });
}

/** Seconds between arrivals at `rate` requests a second, as a Poisson process has them. */
export function arrivalGaps(count: number, rate: number, seed: number): readonly number[] {
  const random = generator(seed ^ 0x5bd1e995);
  return Array.from({ length: count }, () =>
    Number.isFinite(rate) ? -Math.log(1 - random()) / rate : 0,
  );
}

function drawId(random: () => number, vocabSize: number): number {
  const first = Math.min(FIRST_ID, vocabSize - 1);
  return first + Math.floor(random() * (vocabSize - first));
}

function logNormal(random: () => number, median: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.round(median * Math.exp(SIGMA * normal));
  return Math.max(1, Math.min(LONGEST * median, length));
}

/** Uniform in [0, 1). @source Tommy Ettinger's mulberry32 */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
