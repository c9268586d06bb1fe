/** [engine/kv] Layers that share a page table: what its pages hold, and which of them a step still reads. Which pages are whose is in kv-manager.ts. */
import { type PagePool, RESERVED_PAGE } from "./page-pool.ts";
import { PrefixCache } from "./prefix-cache.ts";

/** What the pages of a group of layers keep. */
export type KvGroup =
  /** Keys and values of all positions. */
  | { readonly kind: "full" }
  /** Of the last `window` positions; pages that all of its layers have left behind are freed. */
  | { readonly kind: "window"; readonly window: number }
  /** A page is the state of a whole sequence, which cannot be shared. */
  | { readonly kind: "state" };

export class PageGroup {
  readonly pool: PagePool;
  /** Names of its pages: what one group computed is of no use to another. */
  readonly cache = new PrefixCache();
  readonly #window: number | undefined;

  /** @param pool where its pages come from; those of a state hold a whole sequence */
  constructor(group: KvGroup, pool: PagePool) {
    this.pool = pool;
    this.#window = group.kind === "window" ? group.window : undefined;
  }

  /** Entries of its table for so many positions; those of pages that were left behind count. */
  pagesFor(positions: number): number {
    return this.pool.pagesFor(positions);
  }

  /** First page that a step from `position` on still reads. */
  firstNeeded(position: number): number {
    if (this.#window === undefined) return 0;
    return Math.max(0, Math.floor((position - this.#window) / this.pool.pageSize));
  }

  /** Takes the pages out of a table that a step from `position` on does not read. @returns them, in order */
  leave(table: number[], position: number): readonly number[] {
    const left: number[] = [];
    for (let i = this.firstNeeded(position) - 1; i >= 0; i--) {
      const page = table[i] ?? RESERVED_PAGE;
      if (page === RESERVED_PAGE) break;
      left.unshift(page);
      table[i] = RESERVED_PAGE;
    }
    return left;
  }

  /**
   * Pages of the longest beginning that can be gone on from.
   * @param found pages that were found by name, undefined where there is none
   * @param most pages that the beginning may have
   */
  matchEnd(found: readonly (number | undefined)[], most: number): number {
    if (this.#window === undefined) {
      const missing = found.indexOf(undefined);
      return missing < 0 ? most : Math.min(missing, most);
    }
    for (let end = most; end > 0; end--) {
      const gap = found.lastIndexOf(undefined, end - 1);
      if (gap < this.firstNeeded(end * this.pool.pageSize)) return end;
      end = gap + 1; // nothing that ends behind the gap can do
    }
    return 0;
  }

  /** True where others may read the page, so that nobody may write it. */
  isShared(page: number): boolean {
    return page !== RESERVED_PAGE && (this.pool.references(page) > 1 || this.cache.has(page));
  }
}
