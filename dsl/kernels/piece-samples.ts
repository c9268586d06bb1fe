/** [dsl/kernels] Problems of the kernels that share out the line of keys, and its pieces counted out one by one. No kernel is defined here. */
import { dimOf, type Problem, type Sequence } from "./define-kernel-entry.ts";
import { pagesNeeded, sequencesOf } from "./paged-samples.ts";

/** What one program has of one sequence. */
export interface Piece {
  /** Row of the partial results. */
  readonly number: number;
  readonly sequence: number;
  /** Positions from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
}

export interface DecodeDims {
  readonly hkv: number;
  readonly g: number;
  readonly d: number;
  readonly page: number;
  /** Programs of a kv head. */
  readonly programs: number;
}

export function decodeProblem(
  name: string,
  seed: number,
  lens: readonly number[],
  { hkv, g, d, page, programs }: DecodeDims,
  rest: Partial<Problem> = {},
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const dims = {
    S: lens.length,
    HKV: hkv,
    G: g,
    D: d,
    PAGE: page,
    NB: pagesNeeded(sequences, page),
    MAXB: Math.ceil(Math.max(0, ...lens) / page) + 1,
    P: lens.length + programs,
  };
  return { name, seed, sequences, dims, ...rest };
}

/** The same for a merge, which has no pages. */
export function mergeProblem(...args: Parameters<typeof decodeProblem>): Omit<Problem, "dtypes"> {
  const { dims, ...rest } = decodeProblem(...args);
  const { PAGE: _page, NB: _pages, MAXB: _most, ...own } = dims;
  return { ...rest, dims: own };
}

/** First position that a problem's window leaves of a sequence. */
export function windowStart(problem: Problem, length: number): number {
  const window = problem.options?.["window"] ?? 0;
  return window > 0 ? Math.max(0, length - window) : 0;
}

/** Tokens that are attended to, over all sequences. */
export function attendedTokens(problem: Problem): number {
  return sequencesOf(problem).reduce(
    (n, { length }) => n + length - windowStart(problem, length),
    0,
  );
}

/** Walks the line block by block, dealing it out to the shares. @param defaults config of the kernel */
export function piecesOf(
  problem: Problem,
  defaults: Readonly<Record<string, number | boolean>>,
): readonly Piece[] {
  const { BN = 1, LEAST = 1 } = { ...defaults, ...problem.config };
  const block = Number(BN);
  const line = sequencesOf(problem).flatMap(({ length }, sequence) => {
    const start = windowStart(problem, length);
    const begin = Math.floor(start / block);
    return Array.from({ length: Math.ceil(length / block) - begin }, (_, i) => ({
      sequence,
      first: Math.max(start, (begin + i) * block),
      end: Math.min(length, (begin + i + 1) * block),
    }));
  });
  const programs = dimOf(problem, "P") - dimOf(problem, "S");
  const shares = Math.max(1, Math.min(programs, Math.floor(line.length / Number(LEAST))));
  const isSpread = dimOf(problem, "S") > 1 && programs % dimOf(problem, "S") === 0;
  const [each, longer] = [Math.floor(line.length / shares), line.length % shares];
  const start = (share: number): number =>
    isSpread ? Math.floor((share * line.length) / shares) : share * each + Math.min(share, longer);
  const pieces: Piece[] = [];
  let share = 0;
  line.forEach(({ sequence, first, end }, i) => {
    while (start(share + 1) <= i) share += 1;
    const last = pieces.at(-1);
    const number = sequence + share;
    if (i > 0 && last?.number === number) pieces[pieces.length - 1] = { ...last, end };
    else pieces.push({ number, sequence, first, end });
  });
  return pieces;
}

/**
 * The list of `mlaShares`, from the pieces: of each share its sequences from the first to before the last + 1, blocks before the first one, and
 * its own on the line; then the lengths.
 */
export function sharesOf(
  problem: Problem,
  defaults: Readonly<Record<string, number | boolean>>,
  programs: number,
): readonly number[] {
  const block = Number({ ...defaults, ...problem.config }["BN"] ?? 1);
  const lengths = sequencesOf(problem).map(({ length }) => length);
  const before = (sequence: number): number =>
    lengths.slice(0, sequence).reduce((sum, length) => sum + Math.ceil(length / block), 0);
  const pieces = piecesOf(problem, defaults);
  const shares = Array.from({ length: programs }, (_, share) => {
    const own = pieces.filter(({ number, sequence }) => number - sequence === share);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [0, 0, 0, 0, 0];
    const lo = before(first.sequence) + first.first / block;
    const hi = before(last.sequence) + Math.ceil(last.end / block);
    return [first.sequence, last.sequence + 1, before(first.sequence), lo, hi];
  });
  return [...shares.flat(), ...lengths];
}
