/** [engine] Beam search over one prompt: which sequences go on, which have ended, when no other can come in. Tokens and sums alone; pages and seats are the scheduler's. */
import { type BeamSequence, Request, type TokenLogprobs } from "./core.ts";

/** A sequence that goes on: `target` takes the place of `source` with one token more. */
export interface BeamMove {
  readonly target: Request;
  readonly source: Request;
  readonly token: number;
}

/** Where a sequence ends. */
export interface BeamEnds {
  /** @param numOutputs tokens of the output with this one @returns undefined where the token ends nothing */
  readonly stopOf: (
    token: number,
    numOutputs: number,
  ) => { readonly stopReason: number | undefined } | undefined;
  /** No token may follow so many of the output. */
  readonly isLast: (numOutputs: number) => boolean;
}

interface Beam {
  readonly request: Request;
  /** Of its output: sum of log-probabilities. */
  readonly logprob: number;
}

interface Candidate {
  readonly source: Request;
  readonly token: number;
  readonly logprob: number;
}

/**
 * The requests of one search. At each turn every beam offers its 2 × width best tokens: those that end it are put aside with their score,
 * of the others the `width` best go on. A score is the sum of log-probabilities, by the logits as the model gives them, divided by
 * (prompt + output, without the token that ended it) to the power of the length penalty.
 * @source vLLM's `LLM.beam_search`, as documented; the search ends sooner here, where none that goes on can still come in
 */
export class BeamGroup {
  /** The request that was asked for; the others are its choices. */
  readonly lead: Request;
  /** The lead and those that take part when there are beams for them. */
  readonly members: readonly Request[];
  readonly #width: number;
  readonly #lengthPenalty: number;
  readonly #endsEarly: boolean;
  #live: readonly Beam[];
  readonly #offers = new Map<Request, readonly Candidate[]>();
  /** The best that ended, best first. */
  #ended: BeamSequence[] = [];

  /** @param lead its parameters have `beam` */
  constructor(lead: Request) {
    const { width = 1, lengthPenalty = 1, earlyStopping = false } = lead.params.beam ?? {};
    const { promptIds, params, seed, priority, scope } = lead;
    const others = Array.from(
      { length: width - 1 },
      (_, i) => new Request(`${lead.id}+${i + 1}`, promptIds, params, seed, { priority, scope }),
    );
    this.lead = lead;
    this.members = [lead, ...others];
    this.#width = width;
    this.#lengthPenalty = lengthPenalty;
    this.#endsEarly = earlyStopping;
    this.#live = [{ request: lead, logprob: 0 }];
  }

  /** What ended, best first; all of it once the search is over. */
  get ended(): readonly BeamSequence[] {
    return this.#ended;
  }

  /** True where every beam has its next tokens. */
  get isReady(): boolean {
    return this.#live.every(({ request }) => this.#offers.has(request));
  }

  /** True where a beam has its next tokens and waits for the others. */
  waits(request: Request): boolean {
    return this.#offers.has(request);
  }

  /** @param scores the best tokens that may follow what the request has */
  offer(request: Request, scores: TokenLogprobs | undefined): void {
    const top = (scores?.top ?? []).filter(({ logprob }) => Number.isFinite(logprob));
    const offers = top.map(({ tokenId, logprob }) => ({
      source: request,
      token: tokenId,
      logprob,
    }));
    this.#offers.set(request, offers);
  }

  /** The next turn, once it is ready. @returns those that go on, best first; none where the search is over */
  turn({ stopOf, isLast }: BeamEnds): readonly BeamMove[] {
    const numOutputs = (this.#live[0]?.request.outputIds.length ?? 0) + 1;
    const open: Candidate[] = [];
    for (const { request, logprob } of this.#live) {
      for (const offer of this.#offers.get(request) ?? []) {
        const candidate = { ...offer, logprob: logprob + offer.logprob };
        const stop = stopOf(offer.token, numOutputs);
        if (stop === undefined) open.push(candidate);
        else this.#end(candidate, "stop", stop.stopReason);
      }
    }
    this.#offers.clear();
    open.sort((a, b) => b.logprob - a.logprob); // stable: of equal ones the better beam's, then the likelier token
    const kept = open.slice(0, this.#width);
    if (isLast(numOutputs)) for (const candidate of kept) this.#end(candidate, "length");
    this.#ended = this.#ended.sort((a, b) => b.score - a.score).slice(0, this.#width);
    if (isLast(numOutputs) || this.#isOver(kept[0], numOutputs)) return [];
    const moves = this.#seat(kept);
    this.#live = moves.map(({ target }, i) => ({
      request: target,
      logprob: kept[i]?.logprob ?? 0,
    }));
    return moves;
  }

  /** The first child of a beam stays in its place, so that pages move for the others alone. */
  #seat(kept: readonly Candidate[]): readonly BeamMove[] {
    const staying = new Map<Request, Candidate>();
    for (const candidate of kept)
      if (!staying.has(candidate.source)) staying.set(candidate.source, candidate);
    const free = this.members.filter((member) => !staying.has(member));
    return kept.map((candidate) => {
      const { source, token } = candidate;
      const stays = staying.get(source) === candidate;
      const target = stays ? source : free.shift();
      if (target === undefined) throw new RangeError("a search has more beams than its width");
      return { target, source, token };
    });
  }

  #end(candidate: Candidate, finishReason: "stop" | "length", stopReason?: number): void {
    const { source, token, logprob } = candidate;
    const tokenIds = [...source.outputIds, token];
    const length = source.promptIds.length + tokenIds.length - (finishReason === "stop" ? 1 : 0);
    const score = logprob / length ** this.#lengthPenalty;
    this.#ended.push({
      tokenIds,
      logprob,
      score,
      finishReason,
      ...(stopReason === undefined ? {} : { stopReason }),
    });
  }

  /** Sums only fall: whether the best that goes on could still be among the best that ended. */
  #isOver(best: Candidate | undefined, numOutputs: number): boolean {
    if (best === undefined) return true;
    const worst = this.#ended[this.#width - 1];
    if (worst === undefined) return false;
    const { promptIds, params } = this.lead;
    const most = this.#lengthPenalty > 0 ? params.maxTokens : numOutputs;
    const reach = best.logprob / (promptIds.length + most) ** this.#lengthPenalty;
    return this.#endsEarly || reach <= worst.score;
  }
}
