/** [engine/server] Shapes of the completions API: choices, log-probabilities, usage. Pure functions of outputs. */
import type { TokenLogprobs } from "../../core.ts";
import type { RequestOutput } from "../../output.ts";
import type { Tokenizer } from "../../tokenizer/tokenizer.ts";

/** The `logprobs` object of a completion choice. @source OpenAI API reference, completions */
export interface CompletionLogprobs {
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly (number | null)[];
  readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
  readonly text_offset: readonly number[];
}

export interface FormatOptions {
  readonly tokenizer: Tokenizer;
  /** Alternatives per token. */
  readonly width: number;
  readonly asTokenIds: boolean;
}

/** JSON has no infinities. */
const LOWEST_LOGPROB = -9999;

export function formatLogprobs(
  ids: readonly number[],
  entries: readonly (TokenLogprobs | null)[],
  firstOffset: number,
  { tokenizer, width, asTokenIds }: FormatOptions,
): CompletionLogprobs {
  const name = (id: number) => (asTokenIds ? `token_id:${id}` : tokenizer.tokenText(id));
  const tokens = ids.map(name);
  let offset = firstOffset;
  const textOffset = tokens.map((token) => {
    const at = offset;
    offset += token.length;
    return at;
  });
  return {
    tokens,
    token_logprobs: ids.map((_, i) => finite(entries[i]?.logprob)),
    top_logprobs: ids.map((_, i) => topOf(entries[i] ?? undefined, width, name)),
    text_offset: textOffset,
  };
}

function topOf(
  entry: TokenLogprobs | undefined,
  width: number,
  name: (id: number) => string,
): Readonly<Record<string, number>> | null {
  if (entry === undefined) return null;
  const top = entry.top
    .slice(0, width)
    .map(({ tokenId, logprob }) => [name(tokenId), finite(logprob) ?? 0] as const);
  const chosen = [name(entry.tokenId), finite(entry.logprob) ?? 0] as const;
  return Object.fromEntries([
    ...top,
    ...(top.some(([token]) => token === chosen[0]) ? [] : [chosen]),
  ]);
}

function finite(logprob: number | undefined): number | null {
  return logprob === undefined ? null : Math.max(LOWEST_LOGPROB, logprob);
}

export function usageOf(outputs: readonly RequestOutput[], numPrompts: number) {
  // Choices of one prompt share its tokens: count them once.
  const perPrompt = Math.max(1, outputs.length / numPrompts);
  const prompt = outputs
    .filter((_, i) => i % perPrompt === 0)
    .reduce((n, output) => n + output.promptTokenIds.length, 0);
  const completion = outputs.reduce((n, output) => n + output.tokenIds.length, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
