/** [codegen/analysis/protocol] The rules that a protocol can break, and what is kept of a breach. Texts are in report.ts. */
import type { ProtocolEvent } from "./events.ts";

/** The rules, gravest first: where a launch breaks several, the first is told. */
export const RULES = [
  "initialised",
  "slot",
  "bytes",
  "filled",
  "free",
  "accumulator",
  "arrivals",
  "phase",
  "order",
  "drained",
  "deadlock",
] as const;

/**
 * - `initialised`: a barrier is used after its init, which all threads know of
 * - `slot`: slots are those of the ring
 * - `bytes`: a phase expects the bytes that its copies bring
 * - `filled`: a tile is read when all its bytes are there
 * - `free`: a tile is filled when nobody reads it any more and its content was not lost
 * - `accumulator`: accumulators are read after the dot_wait that covers them
 * - `arrivals`: an arrival counts in one phase only, whatever the order
 * - `phase`: a wait returns for one phase only; a waiter sees every phase
 * - `order`: tiles are read in the order in which they were filled
 * - `drained`: nothing is under way, and no tile unread, where the block ends
 * - `deadlock`: no thread waits for ever
 */
export type Rule = (typeof RULES)[number];

/** An event of a thread, by its position in the list of that thread. */
export interface At {
  readonly instance: number;
  readonly position: number;
}

export interface Fault {
  readonly rule: Rule;
  /** The event that breaks the rule; for a deadlock, one that waits. */
  readonly at: At;
  readonly event: ProtocolEvent;
  /** Events that it collides with and that may come before it. */
  readonly others?: readonly At[];
  readonly message: string;
  readonly seen: string;
  readonly expected: string;
}
