/** [dsl/kernels] What the attention kernels share: paged caches with poison, and naive attention over them. No kernel is defined here. */
import type { DType } from "../core/dtype.ts";
import {
  dimOf,
  dtypeOf,
  type HostTensor,
  type Problem,
  type ReferenceCall,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  editable,
  elementAt,
  hostTensor,
  permutation,
  type RandomSource,
  roundTo,
} from "./sample-data.ts";

/** Entries of a page table that no kernel may read. */
export const POISON_PAGE = 0x7fffffff;

export interface PagedCache {
  readonly kCache: HostTensor;
  readonly vCache: HostTensor;
  /** `[S, MAXB]`; entries past a sequence's last page are `POISON_PAGE`. */
  readonly table: HostTensor;
}

export function sequencesOf(problem: Problem): readonly Sequence[] {
  return problem.sequences ?? [];
}

/** Pages that the sequences take, and a few that nobody owns. */
export function pagesNeeded(sequences: readonly Sequence[], page: number): number {
  return sequences.reduce((n, { length }) => n + Math.ceil(length / page), 0) + 3;
}

/**
 * Caches in which every sequence owns shuffled pages. Slots past a sequence's length and pages without an owner hold NaN,
 * as do positions that `firstRead` puts before the window.
 * @param firstRead first position of a sequence that is ever attended to
 */
export function pagedCache(
  problem: Problem,
  random: RandomSource,
  firstRead: (sequence: Sequence) => number,
): PagedCache {
  const sequences = sequencesOf(problem);
  const dtype = problem.dtypes["C"] ?? dtypeOf(problem, "T");
  const [pages, page] = [dimOf(problem, "NB"), dimOf(problem, "PAGE")];
  const [heads, d, maxb] = [dimOf(problem, "HKV"), dimOf(problem, "D"), dimOf(problem, "MAXB")];
  const free = [...permutation(random, pages)];
  const table = editable(hostTensor("i32", [sequences.length, maxb], () => POISON_PAGE));
  const k = editable(hostTensor(dtype, [pages, page, heads, d], () => Number.NaN));
  const v = editable(hostTensor(dtype, [pages, page, heads, d], () => Number.NaN));
  sequences.forEach((sequence, s) => {
    for (let b = 0; b * page < sequence.length; b++) table.set(free.pop() ?? 0, s, b);
    for (let t = firstRead(sequence); t < sequence.length; t++) {
      const block = table.data[s * maxb + Math.floor(t / page)] ?? 0;
      for (let i = 0; i < heads * d; i++) {
        k.set(random.normal(), block, t % page, Math.floor(i / d), i % d);
        v.set(random.normal(), block, t % page, Math.floor(i / d), i % d);
      }
    }
  });
  const shape = [pages, page, heads, d];
  return {
    kCache: { dtype, shape, data: k.data },
    vCache: { dtype, shape, data: v.data },
    table: { dtype: "i32", shape: [sequences.length, maxb], data: table.data },
  };
}

export interface AttentionRow {
  /** Normalised output, `[D]`; zeros where nothing is attended to. */
  readonly output: readonly number[];
  /** log2 of the sum of exponentials of the scaled scores; -infinity where nothing is attended to. */
  readonly logSum: number;
}

export interface ScoreOptions {
  /** Each score s counts as softcap · tanh(s / softcap); 0 for none. */
  readonly softcap?: number;
  /** A score that takes its share of the softmax and gives no value. */
  readonly sink?: number;
  /** Elements of a value, where they are others than those of a query. */
  readonly columns?: number;
}

/**
 * softmax(scale · q·k) · v over positions [first, end) of one sequence, in double precision.
 * @param keyAt `(position, d)` → key
 * @param valueAt `(position, d)` → value
 */
export function attendNaively(
  query: readonly number[],
  first: number,
  end: number,
  scale: number,
  keyAt: (position: number, d: number) => number,
  valueAt: (position: number, d: number) => number,
  { softcap = 0, sink = Number.NEGATIVE_INFINITY, columns = query.length }: ScoreOptions = {},
): AttentionRow {
  const scores: number[] = [];
  for (let t = first; t < end; t++) {
    const score = scale * query.reduce((total, q, d) => total + q * keyAt(t, d), 0);
    scores.push(softcap === 0 ? score : softcap * Math.tanh(score / softcap));
  }
  if (scores.length === 0) {
    return { output: Array.from({ length: columns }, () => 0), logSum: Number.NEGATIVE_INFINITY };
  }
  const largest = Math.max(...scores, sink);
  const weights = scores.map((score) => Math.exp(score - largest));
  const total = weights.reduce((a, b) => a + b, Math.exp(sink - largest));
  const output = Array.from(
    { length: columns },
    (_, d) => weights.reduce((sum, w, i) => sum + w * valueAt(first + i, d), 0) / total,
  );
  return { output, logSum: (largest + Math.log(total)) * Math.LOG2E };
}

/** Reader of one kv head of one sequence through its page table. */
export function pagedReader(
  cache: HostTensor,
  table: HostTensor,
  sequence: number,
  head: number,
): (position: number, d: number) => number {
  const page = cache.shape[1] ?? 1;
  return (position, d) => {
    const block = elementAt(table, sequence, Math.floor(position / page));
    return elementAt(cache, block, position % page, head, d);
  };
}

/** Scale of cached values: some number where the cache has 8 bits. */
export function valueScale(problem: Problem): number {
  return problem.dtypes["C"] === "f8e4m3" ? 0.75 : 1;
}

/** Element d of the value at a position of a sequence. */
export function valueReader(
  call: ReferenceCall,
  sequence: number,
  head: number,
): (position: number, d: number) => number {
  const valueAt = pagedReader(tensorOf(call, "vCache"), tensorOf(call, "table"), sequence, head);
  // Kernels that multiply pages as they are take none.
  const scale = call.scalars["vScale"] ?? 1;
  return (position, d) => scale * valueAt(position, d);
}

/** The problem's SOFTCAP; 0 where it names none, the default of the attention kernels. */
export function softcapOf(problem: Problem): number {
  return Number(problem.config?.["SOFTCAP"] ?? 0);
}

/** 1/√D as the engine passes it. */
export function attentionScale(d: number): number {
  return roundTo("f32", 1 / Math.sqrt(d));
}

/** Error model of attention outputs: averages of values, with probabilities rounded to the activations' dtype. */
export function attentionTolerance(dtype: DType, length: number) {
  return { kind: "rounding" as const, length, inner: dtype, scale: 4 };
}
