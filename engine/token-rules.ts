/** [engine] What a request's parameters say of the next token before it is drawn: a bitmask and biases, from the tokens so far. Host only. */
import type { Request, SamplingParams } from "./core.ts";

/** Of one row of logits. */
export interface TokenRules {
  /** Token t may come where bit t mod 32 of word t / 32 is set; all may where it is absent. */
  readonly mask: Uint32Array | undefined;
  /** Added to the logits of tokens, each named once; -infinity excludes one. */
  readonly biases: ReadonlyMap<number, number>;
}

export function hasPenalties(params: SamplingParams): boolean {
  const { presencePenalty, frequencyPenalty, repetitionPenalty } = params;
  return presencePenalty !== 0 || frequencyPenalty !== 0 || repetitionPenalty !== 1;
}

/** Whether the logits are changed before they are sampled, at any step of the request. */
export function adjustsLogits(params: SamplingParams): boolean {
  const { logitBias, allowedTokenIds, allowedTokens, badWordsTokenIds, minTokens } = params;
  return (
    minTokens > 0 ||
    hasPenalties(params) ||
    allowedTokenIds !== undefined ||
    allowedTokens !== undefined ||
    (badWordsTokenIds ?? []).length > 0 ||
    Object.keys(logitBias ?? {}).length > 0
  );
}

/** Whether the host must know the last token before the next one is drawn, so that it cannot be drawn ahead. */
export function readsLastToken({ allowedTokens, badWordsTokenIds }: SamplingParams): boolean {
  return allowedTokens !== undefined || (badWordsTokenIds ?? []).some(({ length }) => length > 1);
}

/**
 * Rules of the token that follows the first `numOutputs` of the output.
 * @param eosTokenIds with the request's stop tokens excluded before its least number of tokens
 * @param vocabSize tokens of the model
 */
export function tokenRules(
  request: Request,
  numOutputs: number,
  eosTokenIds: readonly number[],
  vocabSize: number,
): TokenRules {
  const { params, outputIds } = request;
  const biases = new Map<number, number>();
  for (const [id, bias] of Object.entries(params.logitBias ?? {})) biases.set(Number(id), bias);
  for (const word of params.badWordsTokenIds ?? [])
    if (endsWith(outputIds, numOutputs, word.slice(0, -1))) exclude(biases, word.slice(-1));
  if (numOutputs < params.minTokens) exclude(biases, [...eosTokenIds, ...params.stopTokenIds]);
  return { mask: maskOf(request, numOutputs, vocabSize), biases };
}

function exclude(biases: Map<number, number>, ids: readonly number[]): void {
  for (const id of ids) biases.set(id, Number.NEGATIVE_INFINITY);
}

function endsWith(ids: readonly number[], length: number, end: readonly number[]): boolean {
  const from = length - end.length;
  return from >= 0 && end.every((id, i) => ids[from + i] === id);
}

function maskOf(request: Request, numOutputs: number, vocabSize: number): Uint32Array | undefined {
  const { allowedTokenIds } = request.params;
  const own = askRule(request, numOutputs);
  if (allowedTokenIds === undefined) return own;
  const listed = listedMask(request.params, allowedTokenIds, vocabSize);
  return own === undefined ? listed : listed.map((word, i) => word & (own[i] ?? 0));
}

/** Masks of requests' lists: a list may be as long as the vocabulary, and every step asks for its mask. */
const LISTED = new WeakMap<SamplingParams, Uint32Array>();

function listedMask(
  params: SamplingParams,
  ids: readonly number[],
  vocabSize: number,
): Uint32Array {
  const known = LISTED.get(params);
  if (known !== undefined) return known;
  const mask = new Uint32Array(Math.ceil(vocabSize / 32));
  for (const id of ids) {
    const word = id >>> 5;
    mask[word] = (mask[word] ?? 0) | (1 << (id & 31));
  }
  LISTED.set(params, mask);
  return mask;
}

/** A rule that throws ends its own request, as one that allows nothing does; the others of the step go on. */
function askRule(request: Request, numOutputs: number): Uint32Array | undefined {
  try {
    return request.params.allowedTokens?.(request.outputIds.slice(0, numOutputs));
  } catch (error) {
    request.ruleFailure = error instanceof Error ? error : new Error(String(error));
    return new Uint32Array(0);
  }
}
