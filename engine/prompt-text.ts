/** [engine] Prompts before they start: text → token ids without spending time on text that cannot fit, and the room for what is asked for. */
import { RequestError } from "../dsl/index.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";

/** Characters that a piece begins with for each token of the context: more than the tokens of any language hold. */
const CHARACTERS_A_TOKEN = 8;

/**
 * Encodes a prompt. Of a text far longer than the context only pieces from its start are encoded, each twice the one before, until one has twice
 * the tokens that fit: how a text is cut into tokens changes near a cut only, so the whole has too many as well.
 * @param maxTokens longest prompt and output together
 * @throws RequestError TW4102 for a text that is too long for certain; TW4222 where the model has no tokenizer
 */
export function encodePrompt(
  tokenizer: Tokenizer,
  text: string,
  addSpecialTokens: boolean,
  maxTokens: number,
): number[] {
  const first = 1024 + CHARACTERS_A_TOKEN * maxTokens;
  for (let length = first; length < text.length / 2; length *= 2) {
    const count = tokenizer.encode(text.slice(0, length), addSpecialTokens).length;
    if (count > 2 * maxTokens) throw tooLong(text.length, count, maxTokens);
  }
  return tokenizer.encode(text, addSpecialTokens);
}

/** Tokens before those that are kept, so that a cut in the text changes none of them. */
const CUT_TOKENS = 64;

/**
 * The last `count` tokens of a text, what the tokenizer puts before every text included. Of a long text only its end is encoded.
 */
export function encodeEnd(
  tokenizer: Tokenizer,
  text: string,
  addSpecialTokens: boolean,
  count: number,
): number[] {
  const specials = addSpecialTokens ? tokenizer.encode("", true) : [];
  const first = 1024 + CHARACTERS_A_TOKEN * count;
  for (let length = first; length < text.length / 2; length *= 2) {
    const ids = tokenizer.encode(text.slice(-length), false);
    if (ids.length > 2 * count + CUT_TOKENS) return lastOf(ids, count, specials);
  }
  const all = tokenizer.encode(text, addSpecialTokens);
  const begins = specials.length < count && specials.every((id, i) => all[i] === id);
  return all.length <= count ? all : lastOf(all, count, begins ? specials : []);
}

function lastOf(ids: readonly number[], count: number, specials: readonly number[]): number[] {
  const kept = specials.length < count ? specials : [];
  return [...kept, ...ids.slice(ids.length - count + kept.length)];
}

function tooLong(characters: number, count: number, maxTokens: number): RequestError {
  return new RequestError(
    {
      code: "TW4102",
      message: "the prompt is too long for this server",
      seen: `a text of ${characters} characters, more than ${count} tokens`,
      expected: `at most ${maxTokens - 1} tokens (context ${maxTokens})`,
      remedy: "shorten the prompt, or start the server with a larger maxModelLen (--max-model-len)",
    },
    400,
    "prompt",
  );
}

/**
 * What a caller asks for by number must fit; a default is shortened instead.
 * @throws RequestError TW4305 where prompt and output together are longer than the context
 */
export function checkRoom(promptTokens: number, maxTokens: number, context: number): void {
  if (promptTokens >= context || promptTokens + maxTokens <= context) return; // a prompt too long by itself is TW4102
  throw new RequestError(
    {
      code: "TW4305",
      message: "prompt and 'max_tokens' together are longer than the context",
      seen: `${promptTokens} prompt tokens and max_tokens ${maxTokens}`,
      expected: `at most ${context} together`,
      remedy: `lower 'max_tokens' to ${context - promptTokens}, or shorten the prompt`,
    },
    400,
    "max_tokens",
  );
}

/** @throws RequestError TW4112 for an id that the model does not have */
export function checkTokens(ids: readonly number[], vocabSize: number, param = "prompt"): void {
  const bad = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabSize);
  if (bad === undefined) return;
  throw new RequestError(
    {
      code: "TW4112",
      message: `'${param}' holds a token id that the model does not have`,
      seen: String(bad),
      expected: `ids from 0 to ${vocabSize - 1}`,
      remedy: "correct the request",
    },
    400,
    param,
  );
}
