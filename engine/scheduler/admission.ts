/** [engine/scheduler] What is refused at the door, with the numbers: prompts that can never run, and requests that come to a full queue. */
import { RequestError } from "../../dsl/index.ts";

export interface Room {
  /** Prompt and output of one request. */
  readonly maxModelLen: number;
  /** Positions that the KV cache has for one request. */
  readonly maxPositions: number;
}

/** @throws RequestError TW4101, TW4102 for a prompt that can never run */
export function checkPrompt(numTokens: number, { maxModelLen, maxPositions }: Room): void {
  if (numTokens === 0) {
    throw new RequestError(
      {
        code: "TW4101",
        message: "the prompt is empty",
        seen: "0 tokens",
        expected: "at least one token",
        remedy: "send a prompt",
      },
      400,
      "prompt",
    );
  }
  if (numTokens < maxModelLen && numTokens < maxPositions) return;
  const most = Math.min(maxModelLen, maxPositions) - 1;
  throw new RequestError(
    {
      code: "TW4102",
      message: "the prompt is too long for this server",
      seen: `${numTokens} tokens`,
      expected: `at most ${most} (context ${maxModelLen}, KV cache ${maxPositions} positions)`,
      remedy:
        "shorten the prompt, or start the server with a larger maxModelLen (--max-model-len) or KV cache",
    },
    400,
    "prompt",
  );
}

/** The queue is full: HTTP 429. */
export function queueIsFull(numLive: number, most: number): RequestError {
  return new RequestError(
    {
      code: "TW4117",
      message: "the queue is full",
      seen: `${numLive} requests run or wait`,
      expected: `at most ${most} (maxNumSeqs and maxQueuedRequests; --max-num-seqs, --max-queued-requests)`,
      remedy: "try again later",
    },
    429,
  );
}
