/** [engine/server] Shapes of the completions API: choices, log-probabilities, usage. Pure functions of outputs. */
import type { TokenLogprobs } from "../../core.ts";
import type { Tokenizer } from "../../tokenizer/tokenizer.ts";

/** The `logprobs` object of a completion choice. @source OpenAI API reference, completions */
export interface CompletionLogprobs {
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly (number | null)[];
  readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
  /** Where each token begins in the choice's text, as far as that is given. */
  readonly text_offset: readonly number[];
}

export interface FormatOptions {
  readonly tokenizer: Tokenizer;
  /** Alternatives per token; -1 for all. */
  readonly width: number;
  readonly asTokenIds: boolean;
}

/** JSON has no infinities. */
const LOWEST_LOGPROB = -9999;

/** Log-probabilities of tokens, one entry and one offset each. */
export function formatLogprobs(
  { tokenizer, width, asTokenIds }: FormatOptions,
  ids: readonly number[],
  entries: readonly (TokenLogprobs | null)[],
  offsets: readonly number[],
): CompletionLogprobs {
  const name = (id: number) => (asTokenIds ? `token_id:${id}` : tokenizer.tokenText(id));
  return {
    tokens: ids.map(name),
    token_logprobs: ids.map((_, i) => finite(entries[i]?.logprob)),
    top_logprobs: ids.map((_, i) => topOf(entries[i], width, name)),
    text_offset: offsets,
  };
}

/** The best alternatives and the token itself, by text. Of tokens that read alike the best counts, except that the token itself always does. */
function topOf(
  entry: TokenLogprobs | null | undefined,
  width: number,
  name: (id: number) => string,
): Readonly<Record<string, number>> | null {
  if (entry === undefined || entry === null) return null;
  const named = new Map<string, number>();
  for (const { tokenId, logprob } of firstOf(entry.top, width)) {
    const text = name(tokenId);
    if (!named.has(text)) named.set(text, finite(logprob) ?? 0);
  }
  named.set(name(entry.tokenId), finite(entry.logprob) ?? 0);
  return Object.fromEntries(named);
}

/** @param width -1 for all */
export function firstOf<T>(list: readonly T[], width: number): readonly T[] {
  return width === -1 ? list : list.slice(0, width);
}

export function finite(logprob: number | undefined): number | null {
  return logprob === undefined ? null : Math.max(LOWEST_LOGPROB, logprob);
}

/** vLLM's shape of one prompt position: token id → log-probability, rank and text. */
export function formatPromptLogprob(
  entry: TokenLogprobs | null,
  tokenizer: Tokenizer,
): Readonly<Record<string, object>> | null {
  if (entry === null) return null;
  const { tokenId, logprob, rank } = entry;
  const named = entry.top.map((one, i) => [one.tokenId, { ...one, rank: i + 1 }] as const);
  return Object.fromEntries(
    [...named, [tokenId, { tokenId, logprob, rank }] as const].map(([id, one]) => [
      id,
      { logprob: finite(one.logprob), rank: one.rank, decoded_token: tokenizer.tokenText(id) },
    ]),
  );
}
