/** [engine/scheduler] What a scheduler is told: its bounds, and the order of requests by policy. */
import type { RequestOrder } from "./request-queue.ts";

export type SchedulingPolicy = "fcfs" | "priority";

export interface SchedulerOptions {
  /** Tokens of one step over all requests. */
  readonly maxBatchedTokens: number;
  /** Requests in flight at once. */
  readonly maxNumSeqs: number;
  /** Prompt and output of one request. */
  readonly maxModelLen: number;
  /** `fcfs` goes by arrival, `priority` by priority first. */
  readonly policy?: SchedulingPolicy;
  /** Of those that wait, the one with the longest cached beginning comes first. */
  readonly longestPrefixFirst?: boolean;
  /** Most tokens of one prompt in a step; 0 for no bound but the budget. */
  readonly longPrefillThreshold?: number;
  /** Share of the pages that newcomers leave to those that run, so that they are not preempted at once. */
  readonly watermark?: number;
}

/** The two orders of requests. Those that were preempted came early, so they are first again. */
export const ORDERS: Readonly<Record<SchedulingPolicy, RequestOrder>> = {
  fcfs: (a, b) => a.arrival - b.arrival,
  priority: (a, b) => a.priority - b.priority || a.arrival - b.arrival,
};
