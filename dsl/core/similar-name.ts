/** [dsl/core] Which known name was meant by one that is not: for the remedies of messages. */
import { DTYPE_NAMES, dtypeSpelled } from "./dtype.ts";

/** Names shorter than this differ from most others by a letter: another case is taken for the same, and two letters that begin alike. */
const SHORTEST = 3;

/**
 * @param name as it was written
 * @param known in order of preference where several are as near
 * @returns the nearest within a third of the letters, or the one of which `name` is the last part (`swap` of `schedule.swap`); undefined where none is that near
 */
export function similarName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    if (candidate === name) continue;
    const isSame = plain(candidate) === plain(name) || candidate.endsWith(`.${name}`);
    const distance = isSame ? 0 : editDistance(name, candidate);
    const most = Math.floor(Math.max(name.length, candidate.length) / SHORTEST);
    const isNear =
      distance === 0 || (name.length >= SHORTEST ? distance <= most : isPair(name, candidate));
    if (!isNear || distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** The beginning of a remedy, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const similar = similarName(name, known);
  return similar === undefined ? "" : `did you mean '${similar}'? Else `;
}

/** As `didYouMean`, for dtypes, which other libraries spell otherwise (`int32`). */
export function didYouMeanDType(name: string, known: readonly string[] = DTYPE_NAMES): string {
  const spelled = dtypeSpelled(name);
  const isMeant = spelled !== undefined && known.includes(spelled);
  return isMeant ? `did you mean '${spelled}'? Else ` : didYouMean(name, known);
}

/** `BW` for `BM`: two letters of which the first says as much as it can. */
function isPair(a: string, b: string): boolean {
  return a.length === 2 && b.length === 2 && a[0] === b[0];
}

/** `max_num_seqs`, `max-num-seqs` and `maxNumSeqs` are spellings of one name. */
function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/**
 * Letters that must be put in, left out, changed, or swapped with their neighbour.
 * @source the restricted Damerau-Levenshtein distance (optimal string alignment)
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
