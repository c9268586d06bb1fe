/** [engine] What a step gave its entries: one as a record without what it did not give, all in the order in which they were asked for. */
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

/** The outputs of these entries, which may have been computed in another order. */
export function inOrder(
  entries: readonly StepEntry[],
  outputs: readonly StepOutput[],
): StepOutput[] {
  const of = new Map(outputs.map((output) => [output.entry, output]));
  return entries.map((entry) => of.get(entry) ?? { entry });
}
