/** [engine] Which sequences of a step of decodes begin with the same pages, and for how long. Knows page tables; nothing of devices. */
import type { Request, StepEntry } from "./core.ts";

/** Sequences whose tables begin with the same pages. */
export interface SharedBeginning {
  readonly requests: readonly Request[];
  /** Positions that all of them share: a multiple of the page size, and before the position that any of them computes. */
  readonly tokens: number;
}

/** From when on a common beginning is worth launches of its own. */
export interface SharingRule {
  /** Sequences, and positions that they share. */
  readonly rows: number;
  readonly tokens: number;
  /** Positions that are not read again, over all of the sequences but one. */
  readonly saved: number;
}

export interface SharedPrefixOptions {
  readonly pageSize: number;
  /** Groups of layers that attend to shared beginnings: their tables must all agree. At least one. */
  readonly groups: readonly number[];
  readonly rule: SharingRule;
}

/** What is known of a table: its first pages are those of a table that once was. Two that are like the same one need no comparison up to there. */
interface Likeness {
  readonly origin: object;
  readonly pages: number;
}

/** Sequences that begin alike. */
interface Kin {
  readonly entries: readonly StepEntry[];
  readonly pages: number;
}

export class SharedPrefixes {
  readonly #options: SharedPrefixOptions;
  /** The requests of the last step that was looked at, and what was found. */
  #requests: readonly Request[] = [];
  #found: readonly SharedBeginning[] = [];
  readonly #likenesses = new WeakMap<Request, Likeness>();

  constructor(options: SharedPrefixOptions) {
    this.#options = options;
  }

  /** Positions, in whole pages, from which on so many sequences that share them are a group. */
  leastTokens(rows: number): number {
    const { pageSize, rule } = this.#options;
    const tokens = Math.max(rule.tokens, Math.ceil(rule.saved / Math.max(1, rows - 1)));
    return Math.ceil(tokens / pageSize) * pageSize;
  }

  /** The table of a request has changed by more than what decodes add to its end. */
  forget(request: Request): void {
    this.#likenesses.delete(request);
    this.#requests = [];
    this.#found = [];
  }

  /**
   * While the same requests decode on, what they share stays as it is: a step adds to the ends of their tables alone.
   * @returns groups without a common member, those that save most first
   */
  find(entries: readonly StepEntry[]): readonly SharedBeginning[] {
    const known = this.#requests;
    const isKnown =
      entries.length === known.length && entries.every(({ request }, i) => request === known[i]);
    if (isKnown) return this.#found;
    this.#requests = entries.map(({ request }) => request);
    this.#found = this.#search(entries);
    return this.#found;
  }

  #search(entries: readonly StepEntry[]): readonly SharedBeginning[] {
    const { pageSize, rule } = this.#options;
    if (entries.length < rule.rows) return [];
    const least = Math.max(1, Math.ceil(rule.tokens / pageSize));
    const found = this.#kin(entries, 0, least).flatMap((kin) => this.#best(kin));
    return found
      .filter((kin) => saved(kin) * pageSize >= rule.saved)
      .sort((a, b) => saved(b) - saved(a))
      .map(({ entries: members, pages }) => ({
        requests: members.map(({ request }) => request),
        tokens: pages * pageSize,
      }));
  }

  /** A group as a whole, or the groups that it falls into where their beginnings part, whichever saves more. */
  #best(kin: Kin): readonly Kin[] {
    if (kin.entries.length <= this.#options.rule.rows) return [kin];
    const parts = this.#kin(kin.entries, kin.pages, kin.pages + 1).flatMap((one) =>
      this.#best(one),
    );
    const apart = parts.reduce((sum, part) => sum + saved(part), 0);
    return apart > saved(kin) ? parts : [kin];
  }

  /**
   * Those that have `least` pages in common or more, by the last of these pages.
   * @param known pages that all of `entries` have in common
   */
  #kin(entries: readonly StepEntry[], known: number, least: number): readonly Kin[] {
    const { pageSize, rule, groups } = this.#options;
    const [first = 0] = groups;
    const byPage = new Map<number, StepEntry[]>();
    for (const entry of entries) {
      const page = entry.request.tables[first]?.[least - 1];
      if (page === undefined || entry.start < least * pageSize) continue;
      const alike = byPage.get(page);
      if (alike === undefined) byPage.set(page, [entry]);
      else alike.push(entry);
    }
    const kin: Kin[] = [];
    for (const alike of byPage.values()) {
      let rest = alike;
      while (rest.length >= rule.rows) {
        const [part, others] = this.#begunLike(rest, known, least);
        if (part.entries.length >= rule.rows) kin.push(part);
        rest = others; // a page may lie behind other pages that hold the same
      }
    }
    return kin;
  }

  /** Those that have `least` pages in common with the first of them, and the others. */
  #begunLike(
    entries: readonly StepEntry[],
    known: number,
    least: number,
  ): readonly [Kin, StepEntry[]] {
    const [first] = entries;
    const kin: StepEntry[] = [];
    const others: StepEntry[] = [];
    let pages = Number.POSITIVE_INFINITY;
    if (first === undefined) return [{ entries: kin, pages: 0 }, others];
    const own = this.#likenesses.get(first.request) ?? { origin: {}, pages };
    this.#likenesses.set(first.request, own);
    for (const entry of entries) {
      const like = this.#likenesses.get(entry.request);
      const alike = like?.origin === own.origin ? Math.min(like.pages, own.pages) : 0;
      const common = this.#common(first, entry, Math.max(known, alike), pages);
      if (common > alike && entry !== first)
        this.#likenesses.set(entry.request, { ...own, pages: Math.min(common, own.pages) });
      if (common < least) others.push(entry);
      else {
        kin.push(entry);
        pages = common;
      }
    }
    return [{ entries: kin, pages }, others];
  }

  /** Whole pages before both positions that are the same in every table, up to `most` of them. */
  #common(a: StepEntry, b: StepEntry, known: number, most: number): number {
    const { pageSize, groups } = this.#options;
    let end = Math.min(most, Math.floor(Math.min(a.start, b.start) / pageSize));
    for (const group of groups) {
      const one = a.request.tables[group] ?? [];
      const other = b.request.tables[group] ?? [];
      end = Math.min(end, one.length, other.length);
      let at = Math.min(known, end);
      while (at < end && one[at] === other[at]) at++;
      end = at;
    }
    return end;
  }
}

/** Positions that a step of these groups need not read again. */
export function savedPositions(groups: readonly SharedBeginning[]): number {
  return groups.reduce((sum, { requests, tokens }) => sum + (requests.length - 1) * tokens, 0);
}

/** Pages that are not read again. */
function saved({ entries, pages }: Kin): number {
  return (entries.length - 1) * pages;
}
