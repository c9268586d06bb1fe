/** [engine] How often each token is in a request's output, and which are in its prompt: rows on the device, for penalties. */
import { clearCounts, countTokens, IN_PROMPT } from "../dsl/kernels/catalogue.ts";
import { type Device, type Tensor, zeroTensor } from "../runtime/index.ts";
import type { Request } from "./core.ts";
import type { StepScope } from "./layers/scope.ts";

/** Rows that are made at first; doubled when they do not do. */
const FIRST_ROWS = 4;
const WORD = 4;

/** A request and how many tokens of its output are counted. */
interface CountedRow {
  readonly row: number;
  numOutputs: number;
}

/** A request has a row from its first sampled token to its end. Sampled tokens are counted on the device, without the host. */
export class TokenCounts {
  readonly #device: Device;
  readonly #vocabSize: number;
  readonly #rows = new Map<Request, CountedRow>();
  readonly #free: number[] = [];
  #counts: Tensor | undefined;

  constructor(device: Device, vocabSize: number) {
    this.#device = device;
    this.#vocabSize = vocabSize;
  }

  /** Requests that have a row. */
  get size(): number {
    return this.#rows.size;
  }

  /** `[N, V]` i32, of `adjust_logits`; without rows while no request has penalties. */
  tensor(scope: StepScope): Tensor {
    return this.#counts ?? scope.empty("i32", [0, this.#vocabSize]);
  }

  /**
   * Queues what brings the rows of these requests up to date.
   * @param wanted the first `numOutputs` tokens of each output are counted
   * @returns their rows
   */
  prepare(
    scope: StepScope,
    wanted: readonly { readonly request: Request; readonly numOutputs: number }[],
  ): readonly number[] {
    this.#dropFinished();
    const stale: Request[] = [];
    const rows = wanted.map(({ request, numOutputs }) => {
      const known = this.#rows.get(request);
      const entry = known ?? { row: this.#takeRow(), numOutputs: -1 };
      if (entry.numOutputs !== numOutputs) stale.push(request);
      entry.numOutputs = numOutputs;
      this.#rows.set(request, entry);
      return entry.row;
    });
    if (stale.length > 0) this.#rebuild(scope, stale);
    return rows;
  }

  /**
   * Counts the tokens that are sampled for the requests of the last `prepare`, whatever they are.
   * @param row `[S]` i32, the rows; -1 for none
   * @param token `[S]` i32
   */
  add(scope: StepScope, requests: readonly Request[], row: Tensor, token: Tensor): void {
    if (this.#counts === undefined) return;
    const amount = scope.from(new Int32Array(token.shape[0] ?? 0).fill(1));
    this.#device.launch(countTokens, { counts: this.#counts, row, token, amount });
    for (const request of requests) {
      const entry = this.#rows.get(request);
      if (entry !== undefined) entry.numOutputs++;
    }
  }

  close(): void {
    if (this.#counts !== undefined) this.#device.free(this.#counts.buffer);
    this.#counts = undefined;
  }

  #dropFinished(): void {
    for (const [request, { row }] of this.#rows) {
      if (!request.isFinished) continue;
      this.#rows.delete(request);
      this.#free.push(row);
    }
  }

  #takeRow(): number {
    if (this.#free.length === 0) this.#grow();
    return this.#free.pop() ?? 0;
  }

  #grow(): void {
    const before = this.#counts;
    const numRows = before?.shape[0] ?? 0;
    const wanted = Math.max(FIRST_ROWS, 2 * numRows);
    const counts = zeroTensor(this.#device, "i32", [wanted, this.#vocabSize]);
    if (before !== undefined) {
      const bytes = WORD * numRows * this.#vocabSize;
      this.#device.copy(before.buffer, 0, counts.buffer, 0, bytes);
      this.#device.free(before.buffer);
    }
    this.#counts = counts;
    for (let row = wanted - 1; row >= numRows; row--) this.#free.push(row);
  }

  /** Counts requests from the start. Equal tokens are summed here, so that no count depends on an order. */
  #rebuild(scope: StepScope, requests: readonly Request[]): void {
    const counts = this.#counts;
    if (counts === undefined) return;
    const cleared: number[] = [];
    const [rows, tokens, amounts]: [number[], number[], number[]] = [[], [], []];
    for (const request of requests) {
      const entry = this.#rows.get(request);
      if (entry === undefined) continue;
      cleared.push(entry.row);
      for (const [token, amount] of countsOf(request, entry.numOutputs)) {
        rows.push(entry.row);
        tokens.push(token);
        amounts.push(amount);
      }
    }
    const ints = (values: readonly number[]) => scope.from(Int32Array.from(values));
    this.#device.launch(clearCounts, { counts, row: ints(cleared) });
    const all = { row: ints(rows), token: ints(tokens), amount: ints(amounts) };
    this.#device.launch(countTokens, { counts, ...all });
  }
}

function countsOf({ promptIds, outputIds }: Request, numOutputs: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of promptIds) counts.set(id, IN_PROMPT);
  for (const id of outputIds.slice(0, numOutputs)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
