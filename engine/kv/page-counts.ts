/** [engine/kv] How many pages a sequence holds at most, by what its groups of layers keep, and how long one may be. Arithmetic only. */
import type { KvGroup } from "./page-group.ts";

/** What counts for the pages of one sequence. */
export interface SequencePages {
  readonly groups: readonly KvGroup[];
  /** Positions of a page. */
  readonly pageSize: number;
  /** Most positions that one step computes. */
  readonly chunk: number;
}

/** Pages for so many positions, over all groups; slots of states beside positions are counted elsewhere. */
export function mostPages(positions: number, { groups, pageSize, chunk }: SequencePages): number {
  const all = Math.ceil(positions / pageSize);
  return pagedGroups(groups).reduce((sum, group) => {
    if (group.kind !== "window") return sum + all;
    return sum + Math.min(all, Math.ceil((group.window + chunk) / pageSize) + 1);
  }, 0);
}

/** Positions of a sequence that is alone with so many pages; infinite where windows alone keep to them. */
export function mostPositions(numPages: number, sequence: SequencePages): number {
  const fits = (pages: number) => mostPages(pages * sequence.pageSize, sequence) <= numPages;
  let [most, tooMany] = [0, numPages + 1];
  if (fits(tooMany)) return Number.POSITIVE_INFINITY;
  while (tooMany - most > 1) {
    const pages = Math.floor((most + tooMany) / 2);
    if (fits(pages)) most = pages;
    else tooMany = pages;
  }
  return most * sequence.pageSize;
}

/** Groups whose pages come from the common pool: those of positions, or of states where there are no others. */
export function pagedGroups(groups: readonly KvGroup[]): readonly KvGroup[] {
  const paged = groups.filter(({ kind }) => kind !== "state");
  return paged.length > 0 ? paged : groups;
}
