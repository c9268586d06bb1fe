/** [engine/scheduler] A request's part of a step: what it computes, what counts from then on, what its results add. No order, no pages. */
import type { Request, StepEntry, StepOutput, TokenLogprobs } from "../core.ts";
import { addPooled } from "../pooling.ts";

/** Whether the steps that are done have computed the whole prompt. */
export function hasPrompt({ retired, promptIds }: Request): boolean {
  return retired >= promptIds.length;
}

export function entryOf(request: Request, count: number): StepEntry {
  const { computed: start, total, numPending } = request;
  const samples = start + count === total;
  return { request, start, count, samples, awaits: samples && numPending > 0 };
}

/** From now on the entry's positions count as computed and its token as pending. */
export function depart({ request, count, samples }: StepEntry): void {
  request.computed += count;
  request.inFlight++;
  if (samples) request.numPending++;
}

/** What a step tells of the prompt's positions. */
export function addPromptParts({ entry, promptLogprobs, pooled }: StepOutput): void {
  const { request, start } = entry;
  if (promptLogprobs !== undefined) appendPromptLogprobs(request, start + 1, promptLogprobs);
  if (pooled !== undefined) addPooled(request, entry, pooled);
}

/** A request that was preempted computes its prompt again: positions that are known already are not appended twice. */
function appendPromptLogprobs(
  request: Request,
  first: number,
  logprobs: readonly TokenLogprobs[],
): void {
  if (request.promptLogprobs.length === 0) request.promptLogprobs.push(null);
  request.promptLogprobs.push(...logprobs.slice(request.promptLogprobs.length - first));
}
