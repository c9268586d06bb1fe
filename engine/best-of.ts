/** [engine] Which of the sequences computed for a prompt are given: those with the largest sum of log-probabilities. */
import type { RequestOutput } from "./output.ts";

/** Sum of the log-probabilities of an output's tokens, by the logits before any sampling parameter. The output must have them. */
function cumulativeLogprob({ logprobs }: RequestOutput): number {
  return logprobs.reduce((sum, { logprob }) => sum + logprob, 0);
}

/**
 * @param outputs `count` of each prompt, prompt by prompt, with log-probabilities
 * @returns `n` of each prompt, best first; of equal ones the earlier
 */
export function bestChoices(
  outputs: readonly RequestOutput[],
  count: number,
  n: number,
): RequestOutput[] {
  const chosen: RequestOutput[] = [];
  for (let first = 0; first < outputs.length; first += count) {
    const scored = outputs
      .slice(first, first + count)
      .map((output) => ({ output, score: cumulativeLogprob(output) }));
    scored.sort((a, b) => b.score - a.score); // stable: of equal ones the earlier stays first
    chosen.push(...scored.slice(0, n).map(({ output }) => output));
  }
  return chosen;
}
