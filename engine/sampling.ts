/** [engine] Sampling parameters as a caller gives them → complete and in range. */
import { RequestError } from "../dsl/index.ts";
import { DEFAULT_SAMPLING, GREEDY_BELOW, type SamplingParams } from "./core.ts";
import { checkSamplingNames } from "./option-names.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";

/** Biases beyond are clamped. @source OpenAI's API reference, `logit_bias` */
const MAX_BIAS = 100;
/** Choices of one prompt. */
const MAX_CHOICES = 128;
/** Beams of one search. */
const MAX_BEAMS = 64;
/** Bad words, stop strings and biases that one request may have. */
const MAX_RULES = 1024;

/** What a model's vocabulary says about the parameters. */
export interface SamplingContext {
  readonly vocabSize: number;
  /** Alternatives of one token; -1 for no bound. */
  readonly maxLogprobs: number;
  readonly tokenizer: Tokenizer;
}

type Rule = readonly [keyof SamplingParams, string, boolean, string];

/**
 * Fills in defaults, checks ranges and turns texts into tokens. What they do, in the order of vLLM: bitmasks (the caller's rule, allowed ids),
 * bad words, min_tokens, logit_bias → repetition, frequency, presence penalty → temperature → min_p → top_k → top_p. Log-probabilities are of the
 * logits before all of it.
 * @param context absent where no token is named by id or text
 * @throws RequestError TW4110 with the parameter that does not fit, TW4114 for texts where the model has no tokenizer,
 * TW4124 for a name that is no parameter
 */
export function resolveSampling(
  given: Partial<SamplingParams>,
  context?: SamplingContext,
): SamplingParams {
  checkSamplingNames(given);
  const params = { ...DEFAULT_SAMPLING, ...dropUndefined(given) };
  const vocabSize = context?.vocabSize ?? Number.POSITIVE_INFINITY;
  const rules = [
    ...filterRules(params),
    ...lengthRules(params),
    ...logprobRules(params, context?.maxLogprobs),
    ...penaltyRules(params),
    ...tokenRules(params, vocabSize),
    ...beamRules(params),
  ];
  for (const [field, name, fits, expected] of rules)
    if (!fits) throw outOfRange(name, params[field], expected);
  if (params.stop.length > 0 && context !== undefined) needText(context, "stop", params.stop);
  if (context === undefined) return params;
  // Every beam offers twice the width, so that enough go on however many of them end.
  const { beam } = params;
  if (beam !== undefined) return { ...params, temperature: 0, logprobs: 2 * beam.width };
  return tokenizeBadWords(withClampedBias(withWidths(params, context.vocabSize)), context);
}

/** All alternatives are as many as there are tokens. */
function withWidths(params: SamplingParams, vocabSize: number): SamplingParams {
  const { logprobs, promptLogprobs } = params;
  return {
    ...params,
    ...(logprobs === -1 ? { logprobs: vocabSize } : {}),
    ...(promptLogprobs === -1 ? { promptLogprobs: vocabSize } : {}),
  };
}

/** Beams are ranked by the logits as the model gives them: what changes the draw, or asks for more than tokens, is not for them. */
function beamRules(params: SamplingParams): readonly Rule[] {
  const { beam } = params;
  if (beam === undefined) return [];
  const { width, lengthPenalty } = beam;
  const isWide = Number.isInteger(width) && width >= 1 && width <= MAX_BEAMS;
  const expected = (name: string) => `nothing, beside beam search ('${name}' is not for it)`;
  const alone: readonly (readonly [keyof SamplingParams, string, boolean])[] = [
    ["n", "n", params.n === 1],
    ["bestOf", "best_of", (params.bestOf ?? 1) === 1],
    ["stop", "stop", params.stop.length === 0],
    ["logprobs", "logprobs", params.logprobs === undefined],
    ["promptLogprobs", "prompt_logprobs", params.promptLogprobs === undefined],
    ["pooling", "pooling", params.pooling === undefined],
    ["presencePenalty", "presence_penalty", params.presencePenalty === 0],
    ["frequencyPenalty", "frequency_penalty", params.frequencyPenalty === 0],
    ["repetitionPenalty", "repetition_penalty", params.repetitionPenalty === 1],
    ["logitBias", "logit_bias", Object.keys(params.logitBias ?? {}).length === 0],
    ["allowedTokenIds", "allowed_token_ids", params.allowedTokenIds === undefined],
    ["allowedTokens", "allowed_tokens", params.allowedTokens === undefined],
    ["badWords", "bad_words", params.badWords.length === 0],
    ["badWordsTokenIds", "bad_words", (params.badWordsTokenIds ?? []).length === 0],
  ];
  return [
    ["beam", "beam_width", isWide, `a width from 1 to ${MAX_BEAMS}`],
    ["beam", "length_penalty", Number.isFinite(lengthPenalty), "a number"],
    ...alone.map(([field, name, fits]): Rule => [field, name, fits, expected(name)]),
  ];
}

/** Rules of which tokens stay in the draw. */
function filterRules(params: SamplingParams): readonly Rule[] {
  const { temperature, topP, topK, minP, seed } = params;
  const isTopK = Number.isInteger(topK) && topK >= -1 && topK < 2 ** 31;
  return [
    [
      "temperature",
      "temperature",
      Number.isFinite(temperature) && temperature >= 0,
      "a number ≥ 0",
    ],
    ["topP", "top_p", topP > 0 && topP <= 1, "a number in (0, 1]"],
    ["topK", "top_k", isTopK, "-1 or 0 (off), or an integer ≥ 1"],
    ["minP", "min_p", minP >= 0 && minP <= 1, "a number in [0, 1]"],
    ["seed", "seed", seed === undefined || Number.isSafeInteger(seed), "an integer"],
  ];
}

/** Rules of how much is computed and told. */
function lengthRules(params: SamplingParams): readonly Rule[] {
  const { maxTokens, minTokens, n, bestOf, stop, temperature } = params;
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_CHOICES;
  const isMinimum = Number.isInteger(minTokens) && minTokens >= 0 && minTokens <= maxTokens;
  const isBest = bestOf === undefined || (isCount(bestOf) && bestOf >= n);
  const isOne = temperature >= GREEDY_BELOW || (n === 1 && (bestOf ?? 1) === 1);
  const oneOf = (fits: boolean): Rule => ["n", "n", fits, "1 for greedy sampling (temperature 0)"];
  return [
    ["maxTokens", "max_tokens", Number.isInteger(maxTokens) && maxTokens >= 1, "an integer ≥ 1"],
    ["minTokens", "min_tokens", isMinimum, "an integer from 0 to max_tokens"],
    ["n", "n", isCount(n), `an integer from 1 to ${MAX_CHOICES}`],
    ["bestOf", "best_of", isBest, `an integer from n to ${MAX_CHOICES}`],
    oneOf(isOne),
    ["stop", "stop", stop.every((text) => text !== ""), "strings that are not empty"],
    ["stop", "stop", stop.length <= MAX_RULES, `at most ${MAX_RULES} strings`],
  ];
}

/** @param most -1 for no bound: then -1 asks for all */
function logprobRules({ logprobs, promptLogprobs }: SamplingParams, most = -1): readonly Rule[] {
  const fits = (width: number | undefined): boolean =>
    width === undefined ||
    (Number.isInteger(width) && width >= (most === -1 ? -1 : 0) && (most === -1 || width <= most));
  const expected =
    most === -1
      ? "-1 for all, or an integer ≥ 0"
      : `an integer from 0 to ${most} (maxLogprobs, --max-logprobs)`;
  return [
    ["logprobs", "logprobs", fits(logprobs), expected],
    ["promptLogprobs", "prompt_logprobs", fits(promptLogprobs), expected],
  ];
}

function penaltyRules(params: SamplingParams): readonly Rule[] {
  const { presencePenalty, frequencyPenalty, repetitionPenalty } = params;
  const isSmall = (value: number) => value >= -2 && value <= 2;
  const isFactor = Number.isFinite(repetitionPenalty) && repetitionPenalty > 0;
  const range = "a number in [-2, 2]";
  return [
    ["presencePenalty", "presence_penalty", isSmall(presencePenalty), range],
    ["frequencyPenalty", "frequency_penalty", isSmall(frequencyPenalty), range],
    ["repetitionPenalty", "repetition_penalty", isFactor, "a number > 0"],
  ];
}

/** Rules that name tokens. */
function tokenRules(params: SamplingParams, vocabSize: number): readonly Rule[] {
  const { logitBias = {}, allowedTokenIds, badWords, badWordsTokenIds = [] } = params;
  const isToken = (id: number) => Number.isInteger(id) && id >= 0 && id < vocabSize;
  const ids = Number.isFinite(vocabSize) ? `token ids from 0 to ${vocabSize - 1}` : "token ids";
  const biases = Object.entries(logitBias);
  const isBias = ([id, bias]: readonly [string, number]) =>
    isToken(id.trim() === "" ? Number.NaN : Number(id)) && Number.isFinite(bias);
  const isAllowed =
    allowedTokenIds === undefined || (allowedTokenIds.length > 0 && allowedTokenIds.every(isToken));
  const areBad = badWordsTokenIds.every((word) => word.length > 0 && word.every(isToken));
  const areWords = badWords.every((word) => word.trim() !== "");
  return [
    ["stopTokenIds", "stop_token_ids", params.stopTokenIds.every(isToken), ids],
    ["logitBias", "logit_bias", biases.every(isBias), `${ids}, with a number for each`],
    ["logitBias", "logit_bias", biases.length <= MAX_RULES, `at most ${MAX_RULES} tokens`],
    ["allowedTokenIds", "allowed_token_ids", isAllowed, `one or more ${ids}`],
    ["badWordsTokenIds", "bad_words", areBad, `lists of one or more ${ids}`],
    ["badWords", "bad_words", areWords, "strings that are not blank"],
    ["badWords", "bad_words", badWords.length <= MAX_RULES, `at most ${MAX_RULES} strings`],
  ];
}

function withClampedBias(params: SamplingParams): SamplingParams {
  if (params.logitBias === undefined) return params;
  const clamp = ([id, bias]: readonly [string, number]) =>
    [id, Math.max(-MAX_BIAS, Math.min(MAX_BIAS, bias))] as const;
  return { ...params, logitBias: Object.fromEntries(Object.entries(params.logitBias).map(clamp)) };
}

/**
 * A word is spelled by another token inside a sentence, after a space, than at its start: both count.
 * @source vLLM's `update_from_tokenizer` (the rule for the second spelling: as long as the first, and another first token)
 */
function tokenizeBadWords(params: SamplingParams, context: SamplingContext): SamplingParams {
  const { badWords, badWordsTokenIds = [] } = params;
  if (badWords.length === 0) return params;
  needText(context, "bad_words", badWords);
  const encode = (text: string) => context.tokenizer.encode(text, false);
  const spellings = badWords.flatMap((word) => {
    const [plain, spaced] = [encode(word.trimStart()), encode(` ${word.trimStart()}`)];
    const isAnother = spaced.length === plain.length && spaced[0] !== plain[0];
    return isAnother ? [plain, spaced] : [plain];
  });
  return {
    ...params,
    badWordsTokenIds: [...badWordsTokenIds, ...spellings.filter((ids) => ids.length > 0)],
  };
}

function needText({ tokenizer }: SamplingContext, name: string, texts: readonly string[]): void {
  if (tokenizer.hasText) return;
  throw new RequestError(
    {
      code: "TW4114",
      message: name === "stop" ? "stop strings need text" : `'${name}' needs text`,
      seen: texts.join(", "),
      expected: "token ids (stop_token_ids), as this model has no tokenizer",
      remedy: "correct the request",
    },
    400,
    name,
  );
}

function outOfRange(name: string, seen: unknown, expected: string): RequestError {
  return new RequestError(
    {
      code: "TW4110",
      message: `'${name}' is out of range`,
      seen: JSON.stringify(seen),
      expected,
      remedy: `correct '${name}'`,
    },
    400,
    name,
  );
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}

/** Temperatures between greedy and it are raised to it: logits divided by less leave the range of floats. @source vLLM's sampling parameters */
const LEAST_TEMPERATURE = 0.01;

/** As kernels take it: 0 is greedy. */
export function kernelTemperature({ temperature }: Pick<SamplingParams, "temperature">): number {
  return temperature < GREEDY_BELOW ? 0 : Math.max(temperature, LEAST_TEMPERATURE);
}
