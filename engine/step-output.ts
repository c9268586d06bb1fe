/** [engine] What a step gave one of its entries, as a record without what it did not give. */
import type { StepEntry, StepOutput, TokenLogprobs } from "./core.ts";

/** What is absent was not asked for, or is not known yet. */
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
