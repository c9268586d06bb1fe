/** [engine] Applies the rules of requests to their rows of logits, on the device. What the rules are is in token-rules.ts. */
import { adjustLogits } from "../dsl/kernels/catalogue.ts";
import type { Device, Tensor } from "../runtime/index.ts";
import type { StepEntry } from "./core.ts";
import type { StepScope } from "./layers/scope.ts";
import { TokenCounts } from "./token-counts.ts";
import { adjustsLogits, hasPenalties, type TokenRules, tokenRules } from "./token-rules.ts";

/** Logits to sample from, and what has to happen with the tokens that are sampled. */
export interface Adjusted {
  /** f32 `[S, V]`; those that were given where no row has a rule. */
  readonly logits: Tensor;
  /** Queues the counting of sampled tokens, i32 `[S]`. */
  count(token: Tensor): void;
}

const NO_RULES: TokenRules = { mask: undefined, biases: new Map() };

export class LogitAdjuster {
  readonly #counts: TokenCounts;
  readonly #vocabSize: number;
  readonly #eosTokenIds: readonly number[];

  /** @param eosTokenIds excluded before a request's least number of tokens */
  constructor(device: Device, vocabSize: number, eosTokenIds: readonly number[]) {
    this.#counts = new TokenCounts(device, vocabSize);
    this.#vocabSize = vocabSize;
    this.#eosTokenIds = eosTokenIds;
  }

  /** @param logits f32 `[S, V]`, a row for each entry; they stay as they are */
  apply(scope: StepScope, logits: Tensor, entries: readonly StepEntry[]): Adjusted {
    const isPlain = entries.every(({ request }) => !adjustsLogits(request.params));
    if (isPlain) return { logits, count: () => {} };
    const rules = entries.map(({ request, start, count }) =>
      adjustsLogits(request.params)
        ? tokenRules(
            request,
            start + count - request.promptIds.length,
            this.#eosTokenIds,
            this.#vocabSize,
          )
        : NO_RULES,
    );
    const countRow = this.#countRows(scope, entries);
    const adjusted = scope.empty("f32", logits.shape);
    const args = {
      logits,
      rows: rowTensor(scope, rules, countRow),
      mask: maskTensor(scope, rules, this.#vocabSize),
      ...biasTensors(scope, rules),
      counts: this.#counts.tensor(scope),
      penalties: penaltyTensor(scope, entries),
      adjusted,
    };
    scope.device.launch(adjustLogits, args, scope.options.alongVocabulary);
    const requests = entries.map(({ request }) => request).filter(isCounted);
    if (requests.length === 0) return { logits: adjusted, count: () => {} };
    return {
      logits: adjusted,
      count: (token) => this.#counts.add(scope, requests, scope.from(countRow), token),
    };
  }

  close(): void {
    this.#counts.close();
  }

  #countRows(scope: StepScope, entries: readonly StepEntry[]): Int32Array {
    const wanted = entries.flatMap(({ request, start, count }) => {
      const numOutputs = start + count - request.promptIds.length;
      return isCounted(request) ? [{ request, numOutputs }] : [];
    });
    const rows = this.#counts.prepare(scope, wanted);
    const rowOf = new Map(wanted.map(({ request }, i) => [request, rows[i] ?? -1]));
    return Int32Array.from(entries, ({ request }) => rowOf.get(request) ?? -1);
  }
}

function isCounted({ params }: StepEntry["request"]): boolean {
  return hasPenalties(params);
}

/** Which mask, which counts and which biases each row has; masks and biases lie in the order of the rows. */
function rowTensor(scope: StepScope, rules: readonly TokenRules[], countRow: Int32Array): Tensor {
  let [nextMask, nextBias] = [0, 0];
  const fields = rules.flatMap(({ mask, biases }, s) => {
    const first = nextBias;
    nextBias += biases.size;
    return [mask === undefined ? -1 : nextMask++, countRow[s] ?? -1, first, nextBias];
  });
  return scope.from(Int32Array.from(fields), [rules.length, 4]);
}

/** Only the rows that have a mask take part in it. */
function maskTensor(scope: StepScope, rules: readonly TokenRules[], vocabSize: number): Tensor {
  const width = Math.ceil(vocabSize / 32);
  const masks = rules.flatMap(({ mask }) => (mask === undefined ? [] : [mask]));
  const words = new Int32Array(masks.length * width);
  masks.forEach((mask, m) => {
    words.set(mask.subarray(0, width), m * width);
  });
  return scope.from(words, [masks.length, width]);
}

function biasTensors(scope: StepScope, rules: readonly TokenRules[]) {
  const entries = rules.flatMap(({ biases }) => [...biases]);
  return {
    biasToken: scope.from(Int32Array.from(entries, ([token]) => token)),
    biasValue: scope.from(Float32Array.from(entries, ([, bias]) => bias)),
  };
}

function penaltyTensor(scope: StepScope, entries: readonly StepEntry[]): Tensor {
  const values = entries.flatMap(({ request: { params } }) => [
    params.repetitionPenalty,
    params.frequencyPenalty,
    params.presencePenalty,
  ]);
  return scope.from(Float32Array.from(values), [entries.length, 3]);
}
