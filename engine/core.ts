/** [engine] The shared nouns: sampling parameters, requests and their lengths, what a step plans and returns. No policy. */

import type { BeamGroup } from "./beam-search.ts";
import type { BlockHasher, CacheScope } from "./kv/block-hash.ts";

/** Temperatures below it are greedy. @source vLLM's sampling parameters */
export const GREEDY_BELOW = 1e-5;

/** `error`: the model gave no token to choose from. */
export type FinishReason = "stop" | "length" | "abort" | "error";

/**
 * Which tokens may come next, asked once for each token: the place of a grammar, or of any other rule over tokens.
 * @param outputIds tokens so far, without the prompt's
 * @returns a bitmask over the vocabulary (token t is bit t mod 32 of word t / 32; words that are missing allow nothing), or undefined where any may come. One
 *   that allows nothing, or throws, ends its request with an error.
 */
export type AllowedTokens = (outputIds: readonly number[]) => Uint32Array | undefined;

/** How tokens are chosen and when to stop. Names, meaning and order are vLLM's: see `resolveSampling`. */
export interface SamplingParams {
  /** Most tokens to generate; ≥ 1. */
  readonly maxTokens: number;
  /** 0 (below 1e-5) is greedy. */
  readonly temperature: number;
  /** Nucleus mass in (0, 1]; 1 is off. */
  readonly topP: number;
  /** Candidates kept; 0 or -1 is off. */
  readonly topK: number;
  /** Least probability relative to the best token, in [0, 1]; 0 is off. */
  readonly minP: number;
  /** Taken from the logits of tokens that the output holds, in [-2, 2]. */
  readonly presencePenalty: number;
  /** The same for each time that the output holds them. */
  readonly frequencyPenalty: number;
  /** Divides logits above 0 and multiplies those below, of tokens that prompt or output hold; > 0, 1 is off. */
  readonly repetitionPenalty: number;
  /** Added to logits, by token id; clamped to [-100, 100]. */
  readonly logitBias?: Readonly<Record<number, number>>;
  /** Only these may come. */
  readonly allowedTokenIds?: readonly number[];
  /** Texts that may not come: the last token of each is excluded where the ones before it have come. */
  readonly badWords: readonly string[];
  /** The same as token ids; `badWords` are added to them when the request starts. */
  readonly badWordsTokenIds?: readonly (readonly number[])[];
  /** A rule of the caller's own; not over HTTP. */
  readonly allowedTokens?: AllowedTokens;
  /** Same seed, same tokens; a random one where absent. */
  readonly seed?: number;
  /** Choices of each prompt. */
  readonly n: number;
  /** Sequences that are computed for them; the `n` with the largest sum of log-probabilities are given. `n` where absent. */
  readonly bestOf?: number;
  readonly stop: readonly string[];
  readonly stopTokenIds: readonly number[];
  /** The text keeps the stop string, or the text of the stop token, that ended it. */
  readonly includeStopStrInOutput: boolean;
  readonly ignoreEos: boolean;
  /** Tokens before which nothing but their number ends the request. */
  readonly minTokens: number;
  /** Leaves tokens such as `</s>` out of the text. */
  readonly skipSpecialTokens: boolean;
  /** Alternatives reported per generated token; 0 reports the chosen token only, -1 all tokens where the engine allows it (`maxLogprobs`). */
  readonly logprobs?: number;
  /** The same for the prompt's tokens. */
  readonly promptLogprobs?: number;
  /** Beam search in the place of sampling. */
  readonly beam?: BeamParams;
  /** Asks for the prompt's embedding: the mean of its positions' last hidden states, the last one's or the first one's. */
  readonly pooling?: Pooling;
}

export interface BeamParams {
  /** Sequences that go on at each step, and that are given in the end. */
  readonly width: number;
  /** A sequence's sum of log-probabilities is divided by its length to this power: above 0 long ones gain. */
  readonly lengthPenalty: number;
  /** The search is over as soon as `width` sequences have ended, and not only when no other can come in. */
  readonly earlyStopping: boolean;
}

/** A sequence that a beam search found. */
export interface BeamSequence {
  /** Output, with the token that ended it. */
  readonly tokenIds: readonly number[];
  /** Sum of its log-probabilities. */
  readonly logprob: number;
  /** By which sequences are ranked. */
  readonly score: number;
  readonly finishReason: "stop" | "length";
  /** The stop token id that ended it. */
  readonly stopReason?: number;
}

export const POOLINGS = ["mean", "last", "cls"] as const;
export type Pooling = (typeof POOLINGS)[number];

export const DEFAULT_SAMPLING: SamplingParams = {
  maxTokens: 16,
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  badWords: [],
  n: 1,
  stop: [],
  stopTokenIds: [],
  includeStopStrInOutput: false,
  ignoreEos: false,
  minTokens: 0,
  skipSpecialTokens: true,
};

/** Log-probability of one position's token (natural log), its rank (1 = best) and the best alternatives, best first. */
export interface TokenLogprobs {
  readonly tokenId: number;
  readonly logprob: number;
  readonly rank: number;
  readonly top: readonly { readonly tokenId: number; readonly logprob: number }[];
}

/** What is asked of a request besides its tokens and how to sample. */
export interface RequestOptions {
  /** Under the policy `priority` lower values come first. */
  readonly priority?: number;
  /** What besides its tokens tells its keys and values from those of others. */
  readonly scope?: CacheScope;
  /** A request with the same prompt that came before: once that prompt is computed, its pages are shared. */
  readonly parent?: Request;
}

/** One sequence that the scheduler moves forward. `computed` chases `total`; mutable on purpose, owned by the scheduler. */
export class Request {
  readonly id: string;
  readonly promptIds: readonly number[];
  readonly params: SamplingParams;
  readonly seed: number;
  readonly priority: number;
  readonly scope: CacheScope;
  readonly parent: Request | undefined;
  readonly outputIds: number[] = [];
  readonly outputLogprobs: TokenLogprobs[] = [];
  /** One entry per prompt token, the first null. Filled while the prompt is computed. */
  readonly promptLogprobs: (TokenLogprobs | null)[] = [];
  /** Sum of the hidden states of `params.pooling`, `[H]`, as far as the prompt is computed. */
  pooled: Float64Array | undefined;
  /** Pages of the KV cache, in order of position: those of the first group of layers, and of all groups. */
  readonly pages: number[] = [];
  readonly tables: number[][] = [this.pages];
  /** Positions up to which its pages are its own to write, in every group; 0 where that must be looked up. */
  writableTo = 0;
  /** Names of its first full pages, and what named them. */
  readonly pageNames: { hasher: BlockHasher | undefined; readonly list: string[] } = {
    hasher: undefined,
    list: [],
  };
  /** Full pages that others can find. */
  numPublished = 0;
  /** Positions that are computed, or will be when the steps in flight are done. */
  computed = 0;
  /** Positions whose step is done; at most `computed`. */
  retired = 0;
  /** Steps in flight that it is part of. */
  inFlight = 0;
  /** Output tokens that steps in flight sample and the host does not know yet. They count in `total`. */
  numPending = 0;
  /** Prompt tokens that were found in the prefix cache, or in the pages of `parent`, when it first ran. */
  numCachedTokens = 0;
  hasRun = false;
  /** Place in the order of arrival; given by the scheduler. */
  arrival = 0;
  finishReason: FinishReason | undefined;
  /** The stop token id or string that ended it. */
  stopReason: number | string | undefined;
  /** The beam search that it is part of. */
  beams: BeamGroup | undefined;
  /** What `params.allowedTokens` threw. */
  ruleFailure: Error | undefined;

  constructor(
    id: string,
    promptIds: readonly number[],
    params: SamplingParams,
    seed: number,
    { priority = 0, scope = {}, parent }: RequestOptions = {},
  ) {
    this.id = id;
    this.promptIds = promptIds;
    this.params = params;
    this.seed = seed;
    this.priority = priority;
    this.scope = scope;
    this.parent = parent;
  }

  /** Tokens: prompt, output, and the one that is pending. */
  get total(): number {
    return this.promptIds.length + this.outputIds.length + this.numPending;
  }

  /** Positions that still have to be computed. */
  get remaining(): number {
    return this.total - this.computed;
  }

  /** Something is told of every prompt position, so none may be taken from what others computed. */
  get needsWholePrompt(): boolean {
    return this.params.promptLogprobs !== undefined || this.params.pooling !== undefined;
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined;
  }

  /** -1 where the token is pending. */
  tokenAt(position: number): number {
    const n = this.promptIds.length;
    return (position < n ? this.promptIds[position] : this.outputIds[position - n]) ?? -1;
  }
}

/** A run of positions of one request in a step: [start, start + count). It samples when it reaches the end of the tokens. */
export interface StepEntry {
  readonly request: Request;
  readonly start: number;
  readonly count: number;
  readonly samples: boolean;
  /** Its last token is the one that the step before samples for this request: the device has it, the host does not yet. */
  readonly awaits: boolean;
}

/** A page whose content another page gets before the step runs. */
export interface PageCopy {
  readonly from: number;
  readonly to: number;
}

export interface StepPlan {
  readonly entries: readonly StepEntry[];
  readonly numTokens: number;
  readonly preempted: readonly Request[];
  /** Requests that go on with the tokens and pages of others. */
  readonly moved?: readonly Request[];
  /** Copies that come before the step, in order. */
  readonly copies: readonly PageCopy[];
}

/** What a step gave for one entry. `token` is absent where the entry did not sample. */
export interface StepOutput {
  readonly entry: StepEntry;
  readonly token?: number;
  readonly logprobs?: TokenLogprobs;
  /** Of the prompt tokens at positions entry.start + 1, + 2 …, which this step's positions predict. */
  readonly promptLogprobs?: readonly TokenLogprobs[];
  /** Sum of the hidden states that `pooledRows` names, `[H]`; absent where it names none. */
  readonly pooled?: Float64Array;
}

/** What computes planned steps. The scheduler's side of it knows no device. */
export interface StepRunner {
  /**
   * Queues a step. Everything that the host knows of it (tokens, pages, parameters) is read before the call returns, as it may change after.
   * May be called again before the promise resolves: steps take effect in the order of their calls, one after another.
   * @returns one output for each entry, in order; rejects where the step failed, later steps go on
   */
  submit(plan: StepPlan): Promise<StepOutput[]>;
  /** Positions of common beginnings that decodes so far did not read again, as another sequence of the step had read them. */
  readonly numSharedPositions?: number;
  /** Frees the device memory. No step is in flight. */
  close(): void;
}
