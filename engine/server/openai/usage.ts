/** [engine/server] The `usage` of completions and chats: whom it counts, and which chunks of a stream carry it. */
import type { RequestOutput } from "../../output.ts";
import type { ServeOptions } from "../options.ts";

export interface UsageWishes {
  /** A last chunk of its own. */
  readonly atEnd: boolean;
  /** In every chunk too. */
  readonly always: boolean;
}

export function usageWishes(
  body: {
    readonly stream_options?:
      | {
          readonly include_usage?: boolean | null | undefined;
          readonly continuous_usage_stats?: boolean | null | undefined;
        }
      | null
      | undefined;
  },
  options: ServeOptions,
): UsageWishes {
  const asked = body.stream_options;
  const atEnd = asked?.include_usage === true || options.forceIncludeUsage === true;
  return { atEnd, always: atEnd && asked?.continuous_usage_stats === true };
}

/**
 * @param outputs last outputs, the choices of one prompt after another
 * @param hidesOutput the one token that was computed for a prompt's log-probabilities is not the caller's
 */
export function usageOf(outputs: readonly RequestOutput[], n: number, hidesOutput = false) {
  const firsts = outputs.filter((_, i) => i % n === 0); // choices of one prompt share its tokens: count them once
  const cached = firsts.reduce((sum, output) => sum + output.numCachedTokens, 0);
  const prompt = firsts.reduce((sum, output) => sum + output.promptTokenIds.length, 0);
  const completion = hidesOutput
    ? 0
    : outputs.reduce((sum, output) => sum + output.tokenIds.length, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
