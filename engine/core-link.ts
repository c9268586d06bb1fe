/** [engine] What passes between those who ask and the core that computes: plain data, so that the core may be another process. Types only. */
import type { BeamSequence, FinishReason, SamplingParams, TokenLogprobs } from "./core.ts";
import type { CacheScope } from "./kv/block-hash.ts";
import type { SleepLevel, SleepReport } from "./sleeping-model.ts";

/** A request as the core gets it. `key` is ours and unique for the life of the engine; what clients call it is not known here. */
export interface NewRequest {
  readonly key: number;
  readonly promptIds: readonly number[];
  readonly params: SamplingParams;
  readonly seed: number;
  readonly priority: number;
  readonly scope: CacheScope;
  /** Key of an earlier request with the same prompt, whose pages it may share. */
  readonly parent?: number;
}

/** How long a request was where, by the core's clock. */
export interface CoreTiming {
  /** From its arrival until a step first had a part of it, in milliseconds. */
  readonly queueMs: number;
  /** From then until its first token was known. */
  readonly prefillMs: number;
}

/** What a step brought one request. */
export interface RequestUpdate {
  readonly key: number;
  readonly tokens: readonly number[];
  /** Of `tokens`, where they were asked for. */
  readonly logprobs: readonly TokenLogprobs[];
  /** All of them, once, where they were asked for. */
  readonly promptLogprobs?: readonly (TokenLogprobs | null)[];
  /** With the first update. */
  readonly numCachedTokens?: number;
  /** With the first update. */
  readonly timing?: CoreTiming;
  /** With the first update of a request that pools: its sum of hidden states. */
  readonly pooled?: Float64Array;
  /** With the only update of a beam search, whose `tokens` are the best one's: what it found, best first. */
  readonly beams?: readonly BeamSequence[];
  /** The last update of a request has it, or `failure`; both where a rule of the caller failed. */
  readonly finishReason?: FinishReason;
  readonly stopReason?: number;
  readonly failure?: Error;
}

export interface CoreStats {
  readonly numRunning: number;
  readonly numWaiting: number;
  /** Since the start, as are all below. */
  readonly numPreemptions: number;
  readonly numSteps: number;
  readonly prefixQueried: number;
  readonly prefixHits: number;
  /** Positions of common beginnings that decodes did not read again. */
  readonly sharedPositions: number;
  /** Pages that no request holds. */
  readonly numFreePages: number;
}

/** What a step brought all requests in it; without updates when the core has become idle. */
export interface CoreReport {
  readonly updates: readonly RequestUpdate[];
  /** Positions that the step computed; 0 where there was none. */
  readonly numTokens: number;
  readonly stats: CoreStats;
}

export interface CoreListener {
  /** @returns where it is a promise, the next step waits for it: a core must not run far ahead of those who read */
  readonly report: (report: CoreReport) => void | Promise<void>;
  /** The core is gone and takes nothing more; all requests in it are lost. */
  readonly fail: (error: Error) => void;
}

/** The core as its users see it. Nothing here throws for a request's sake: requests are checked before. */
export interface CoreLink {
  readonly stats: CoreStats;
  /** Of the process that it runs in. */
  readonly pid: number | undefined;
  add(request: NewRequest): void;
  /** Ends a request within a step; no update of it follows. Keys that are gone are ignored. */
  abort(key: number): void;
  /** Requests that come from now on find nothing of what was computed before. */
  resetPrefixCache(): void;
  /** Gives the device's memory back. No request is there. */
  sleep(level: SleepLevel): Promise<SleepReport>;
  /** @throws what the device throws where there is no room; it sleeps on */
  wake(): Promise<void>;
  /** Waits for what is in flight and frees the device. All requests are aborted before. */
  close(): Promise<void>;
}
