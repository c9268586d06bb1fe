/** [engine] Device side of choosing tokens: logits of some rows, sampling, log-probabilities. Reads results back once. */
import {
  embedding,
  logProbabilities,
  sample,
  topLogProbabilities,
} from "../dsl/kernels/catalogue.ts";
import { readTensor, type Tensor } from "../runtime/index.ts";
import { topOfRow } from "./all-logprobs.ts";
import type { Request, StepEntry, TokenLogprobs } from "./core.ts";
import type { Decoder } from "./layers/decoder.ts";
import { StepScope } from "./layers/scope.ts";
import type { LogitAdjuster } from "./logit-adjuster.ts";
import { kernelTemperature } from "./sampling.ts";
import { adjustsLogits } from "./token-rules.ts";

/** Rows whose logits are held at once; bounds the memory of prompt log-probabilities. */
const ROWS_AT_ONCE = 256;

/** Alternatives that are found on the device. */
const MOST_BY_KERNEL = 64;

/** A position whose row scores one token. */
export interface ScoreRequest {
  /** Row of the hidden states. */
  readonly row: number;
  readonly target: number;
}

/** Whether the kernel that samples decides alone, and nothing but its token is asked for. */
export function samplesPlainly({ params }: Request): boolean {
  return params.logprobs === undefined && !adjustsLogits(params);
}

/**
 * One sampled token for each entry; -1 where none may come. Log-probabilities are of the logits as the model gives them.
 * @param rows row of the hidden states of each
 * @param last `[entries or more]` i32: gets the tokens, for the step that is queued next
 */
export async function sampleTokens(
  model: Decoder,
  scope: StepScope,
  hidden: Tensor,
  entries: readonly StepEntry[],
  rows: readonly number[],
  last: Tensor,
  adjuster: LogitAdjuster,
): Promise<{
  readonly tokens: readonly number[];
  readonly logprobs: readonly (TokenLogprobs | undefined)[];
}> {
  const count = entries.length;
  const requests = entries.map(({ request }) => request);
  const logits = model.logits(scope, pickRows(scope, hidden, rows));
  const token = scope.empty("i32", [count]);
  const adjusted = adjuster.apply(scope, logits, entries);
  const floats = (pick: (request: Request) => number) =>
    scope.from(Float32Array.from(requests, pick));
  const ints = (pick: (request: Request) => number) => scope.from(Int32Array.from(requests, pick));
  const args = {
    logits: adjusted.logits,
    temperature: floats(({ params }) => kernelTemperature(params)),
    topK: ints(({ params }) => params.topK),
    topP: floats(({ params }) => params.topP),
    minP: floats(({ params }) => params.minP),
    seed: ints(({ seed }) => seed),
    position: scope.from(Int32Array.from(entries, (entry) => entry.start + entry.count)),
    token,
  };
  scope.device.launch(sample, args, scope.options.alongVocabulary);
  adjusted.count(token);
  scope.device.copy(token.buffer, token.byteOffset, last.buffer, last.byteOffset, 4 * count);
  const width = Math.max(-1, ...requests.map(({ params }) => params.logprobs ?? -1));
  const scored = width < 0 ? undefined : launchScores(scope, logits, token, count, width);
  const tokens = Array.from(await readTensor(token));
  const logprobs = scored === undefined ? [] : await readScores(scored, tokens);
  return {
    tokens,
    logprobs: requests.map(({ params }, i) => {
      const entry = params.logprobs === undefined ? undefined : logprobs[i];
      return entry && withTop(entry, params.logprobs ?? 0);
    }),
  };
}

/**
 * Log-probabilities of given tokens at given rows, in the order asked. All of it is queued when the call returns, but where so many alternatives are
 * asked for that logits are read.
 * @param scope of what is read
 * @param width alternatives per row
 */
export async function scoreTokens(
  model: Decoder,
  scope: StepScope,
  hidden: Tensor,
  asked: readonly ScoreRequest[],
  width: number,
): Promise<TokenLogprobs[]> {
  const reads: Promise<TokenLogprobs[]>[] = [];
  for (let first = 0; first < asked.length; first += ROWS_AT_ONCE) {
    const chunk = asked.slice(first, first + ROWS_AT_ONCE);
    const rows = chunk.map(({ row }) => row);
    const targets = chunk.map(({ target }) => target);
    const own = new StepScope(scope.device); // the logits of a chunk are freed before the next
    try {
      const logits = model.logits(own, pickRows(own, hidden, rows));
      const target = scope.from(Int32Array.from(targets));
      const read = readScores(launchScores(scope, logits, target, chunk.length, width), targets);
      read.catch(() => {}); // heard of below, unless a later chunk fails first
      reads.push(read);
      if (width > MOST_BY_KERNEL) await read;
    } finally {
      own.close();
    }
  }
  return (await Promise.all(reads)).flat();
}

interface Scored {
  readonly logprob: Tensor;
  readonly rank: Tensor;
  readonly top:
    | { readonly ids: Tensor; readonly logprobs: Tensor; readonly width: number }
    /** Too many for the kernel, which takes a round for each: the logits are read. */
    | { readonly logits: Tensor; readonly width: number }
    | undefined;
}

function launchScores(
  scope: StepScope,
  logits: Tensor,
  target: Tensor,
  rows: number,
  width: number,
): Scored {
  const logprob = scope.empty("f32", [rows]);
  const rank = scope.empty("i32", [rows]);
  const options = scope.options.alongVocabulary;
  scope.device.launch(logProbabilities, { logits, target, logprob, rank }, options);
  const k = Math.min(width, logits.shape[1] ?? 0);
  if (k <= 0) return { logprob, rank, top: undefined };
  if (k > MOST_BY_KERNEL) return { logprob, rank, top: { logits, width: k } };
  const ids = scope.empty("i32", [rows, k]);
  const logprobs = scope.empty("f32", [rows, k]);
  scope.device.launch(topLogProbabilities, { logits, ids, logprobs }, options);
  return { logprob, rank, top: { ids, logprobs, width: k } };
}

async function readScores(
  { logprob, rank, top }: Scored,
  tokens: readonly number[],
): Promise<TokenLogprobs[]> {
  const [values, ranks, topOf] = await Promise.all([
    readTensor(logprob),
    readTensor(rank),
    readTop(top),
  ]);
  return tokens.map((tokenId, i) => ({
    tokenId,
    logprob: values[i] ?? 0,
    rank: ranks[i] ?? 0,
    top: topOf(i),
  }));
}

/** @returns the alternatives of a row */
async function readTop(top: Scored["top"]): Promise<(row: number) => TokenLogprobs["top"]> {
  if (top === undefined) return () => [];
  const { width } = top;
  if ("logits" in top) {
    const logits = Float32Array.from(await readTensor(top.logits));
    const size = top.logits.shape[1] ?? 0;
    return (row) => topOfRow(logits.subarray(row * size, (row + 1) * size), width);
  }
  const [ids, tops] = await Promise.all([readTensor(top.ids), readTensor(top.logprobs)]);
  return (row) =>
    Array.from({ length: width }, (_, j) => {
      const at = row * width + j;
      return { tokenId: ids[at] ?? -1, logprob: tops[at] ?? 0 };
    });
}

/** With no more alternatives than were asked for: one launch serves the widest request. */
export function withTop(entry: TokenLogprobs, width: number): TokenLogprobs {
  return entry.top.length <= width ? entry : { ...entry, top: entry.top.slice(0, width) };
}

/** @returns `[rows.length, H]` */
export function pickRows(scope: StepScope, hidden: Tensor, rows: readonly number[]): Tensor {
  const isAll = rows.length === hidden.shape[0] && rows.every((row, i) => row === i);
  if (isAll) return hidden;
  const y = scope.empty(hidden.dtype, [rows.length, hidden.shape[1] ?? 0]);
  scope.device.launch(embedding, { ids: scope.from(Int32Array.from(rows)), table: hidden, y });
  return y;
}
