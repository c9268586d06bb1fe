/** [test/support] A language of few tokens, each sequence of them with log-probabilities of its own, as a runner that also checks what every position finds in its pages; and beam search over it in the plainest form. */
import type { Request, StepEntry, StepOutput, StepPlan, StepRunner } from "../../engine/core.ts";
import type { KvGroup } from "../../engine/kv/page-group.ts";
import { RESERVED_PAGE } from "../../engine/kv/page-pool.ts";

export const BEAM_VOCAB = 12;
export const BEAM_END = 11;

/** Mixes a sequence into 32 bits. */
function digestOf(tokens: readonly number[], count: number): number {
  let digest = 17;
  for (let i = 0; i < count; i++)
    digest = (Math.imul(digest ^ (tokens[i] ?? -1), 0x01000193) + i) | 0;
  return digest;
}

/** Log-probabilities of all tokens after a sequence, best first. */
export function nextTokens(tokens: readonly number[]) {
  const weights = Array.from({ length: BEAM_VOCAB }, (_, id) => {
    let h = digestOf([...tokens, id], tokens.length + 1);
    h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
    return Math.exp((((h ^ (h >>> 13)) >>> 0) / 2 ** 32) * 3);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights
    .map((weight, tokenId) => ({ tokenId, logprob: Math.log(weight / total) }))
    .sort((a, b) => b.logprob - a.logprob || a.tokenId - b.tokenId);
}

export interface PlainSearch {
  readonly prompt: readonly number[];
  readonly width: number;
  readonly maxTokens: number;
  readonly lengthPenalty: number;
  readonly ignoreEos?: boolean;
}

/** To the last token, whatever has ended: the rule as vLLM documents it. @returns the best sequences, best first */
export function plainBeamSearch({
  prompt,
  width,
  maxTokens,
  lengthPenalty,
  ignoreEos,
}: PlainSearch) {
  let beams: { tokens: number[]; logprob: number }[] = [{ tokens: [...prompt], logprob: 0 }];
  const ended: typeof beams = [];
  for (let step = 0; step < maxTokens; step++) {
    const next: typeof beams = [];
    for (const beam of beams)
      for (const { tokenId, logprob } of nextTokens(beam.tokens).slice(0, 2 * width)) {
        const one = { tokens: [...beam.tokens, tokenId], logprob: beam.logprob + logprob };
        (tokenId === BEAM_END && ignoreEos !== true ? ended : next).push(one);
      }
    beams = next.sort((a, b) => b.logprob - a.logprob).slice(0, width);
  }
  const scored = [...ended, ...beams].map(({ tokens, logprob }) => {
    const isEnded = tokens.at(-1) === BEAM_END && ignoreEos !== true;
    const length = tokens.length - (isEnded ? 1 : 0);
    return {
      tokenIds: tokens.slice(prompt.length),
      logprob,
      score: logprob / length ** lengthPenalty,
    };
  });
  return scored.sort((a, b) => b.score - a.score).slice(0, width);
}

export class BeamRunner implements StepRunner {
  readonly #pageSize: number;
  readonly #groups: readonly KvGroup[];
  /** By slot: a digest of all tokens up to there. */
  readonly #memory: Int32Array;
  numCopies = 0;
  numTokens = 0;

  constructor(numPages: number, pageSize: number, groups: readonly KvGroup[]) {
    this.#groups = groups;
    this.#pageSize = pageSize;
    this.#memory = new Int32Array(numPages * pageSize);
  }

  async submit(plan: StepPlan): Promise<StepOutput[]> {
    const size = this.#pageSize;
    this.numCopies += plan.copies.length;
    this.numTokens += plan.numTokens;
    for (const { from, to } of plan.copies)
      this.#memory.copyWithin(to * size, from * size, (from + 1) * size);
    const outputs = plan.entries.map((entry) => this.#compute(entry));
    await new Promise(setImmediate);
    return outputs;
  }

  close(): void {}

  #compute(entry: StepEntry): StepOutput {
    const { request, start, count } = entry;
    const tokens = Array.from({ length: start + count }, (_, i) => request.tokenAt(i));
    this.#groups.forEach((group, g) => {
      const first = group.kind === "window" ? Math.max(0, start - group.window + 1) : 0;
      for (let position = first; position < start + count; position++) {
        const slot = this.#slotOf(request, position, g);
        const digest = digestOf(tokens, position + 1) + g;
        if (position >= start) this.#memory[slot] = digest;
        else if (this.#memory[slot] !== digest)
          throw new Error(`${request.id} does not find position ${position} in its pages`);
      }
    });
    if (!entry.samples) return { entry };
    const top = nextTokens(tokens).slice(0, request.params.logprobs ?? 0);
    const [{ tokenId, logprob } = { tokenId: 0, logprob: 0 }] = top;
    return { entry, token: tokenId, logprobs: { tokenId, logprob, rank: 1, top } };
  }

  #slotOf({ id, tables }: Request, position: number, group: number): number {
    const page = tables[group]?.[Math.floor(position / this.#pageSize)] ?? RESERVED_PAGE;
    if (page === RESERVED_PAGE) throw new Error(`${id} has no page for position ${position}`);
    return page * this.#pageSize + (position % this.#pageSize);
  }
}
