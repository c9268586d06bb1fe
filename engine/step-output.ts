/** [engine] What a step gave one of its entries, as a record without what it did not give. */
import type { StepEntry, StepOutput, TokenLogprobs } from "./core.ts";

export function stepOutput(
  entry: StepEntry,
  token: number | undefined,
  logprobs: TokenLogprobs | undefined,
  promptLogprobs: readonly TokenLogprobs[] | undefined,
): StepOutput {
  return {
    entry,
    ...(token === undefined ? {} : { token }),
    ...(logprobs === undefined ? {} : { logprobs }),
    ...(promptLogprobs === undefined ? {} : { promptLogprobs }),
  };
}

/** The same with the fewest new tokens first: latent attention has one form for what stands before the long prompts, and one for those. */
function shortestFirst(plan: StepPlan): StepPlan {
  return { ...plan, entries: plan.entries.toSorted((a, b) => a.count - b.count) };
}
