/** [engine] A runner that computes nothing: tokens follow from seed and position. For the scheduler, the server and load tests; no device, no weights. */
import type { StepEntry, StepOutput, StepPlan, StepRunner } from "./core.ts";

/** Mixes a seed and a position into 32 bits. @source the finalizer of MurmurHash3 */
function mix(seed: number, position: number): number {
  let h = (seed ^ Math.imul(position, 0x9e3779b1)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The token that a request gets at a position, whatever runs beside it. */
export function nullToken(seed: number, position: number, vocabSize: number): number {
  return mix(seed, position) % vocabSize;
}

export class NullRunner implements StepRunner {
  readonly #vocabSize: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(vocabSize: number) {
    this.#vocabSize = vocabSize;
  }

  /** Results come in the order of the steps. */
  submit(plan: StepPlan): Promise<StepOutput[]> {
    const outputs = plan.entries.map((entry) => this.#outputOf(entry));
    const done = this.#last.then(() => outputs);
    this.#last = done;
    return done;
  }

  close(): void {}

  #outputOf(entry: StepEntry): StepOutput {
    const { request, start, count, samples } = entry;
    const { promptLogprobs, logprobs } = request.params;
    const scored = (tokenId: number, width = 0) => ({
      tokenId,
      logprob: 0,
      rank: 1,
      top: Array.from({ length: Math.min(width, this.#vocabSize) }, (_, i) => ({
        tokenId: (tokenId + i) % this.#vocabSize,
        logprob: -i,
      })),
    });
    const end = Math.min(start + count, request.promptIds.length - 1);
    const prompt =
      promptLogprobs === undefined
        ? {}
        : {
            promptLogprobs: Array.from({ length: Math.max(0, end - start) }, (_, i) =>
              scored(request.promptIds[start + i + 1] ?? 0),
            ),
          };
    if (!samples) return { entry, ...prompt };
    const token = nullToken(request.seed, start + count, this.#vocabSize);
    const pooled =
      request.params.pooling === undefined ? {} : { pooled: Float64Array.of(mix(token, start), 1) };
    return {
      entry,
      token,
      ...(logprobs === undefined ? {} : { logprobs: scored(token, logprobs) }),
      ...prompt,
      ...pooled,
    };
  }
}
