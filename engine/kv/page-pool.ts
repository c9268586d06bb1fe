/** [engine/kv] The pool of KV pages: which are free, who holds how many. Counts only; the bytes live in the model runner. */
import { InternalError } from "../../dsl/index.ts";
import { FreeList } from "./free-list.ts";

/** Page 0 is never given out: it takes the writes of padding rows, and stands for pages that left a sliding window. */
export const RESERVED_PAGE = 0;

/**
 * Pages with reference counts. Freed pages go to the tail of the free list; the least recently freed is taken first, so what a
 * free page still holds stays readable as long as possible.
 */
export class PagePool {
  readonly numPages: number;
  readonly pageSize: number;
  readonly #references: Int32Array;
  readonly #free: FreeList;
  readonly #onTake: (page: number) => void;

  /**
   * @param numPages pages of the cache, the reserved one included; ≥ 2
   * @param pageSize positions a page holds
   * @param onTake hears of each page whose content is given up
   */
  constructor(numPages: number, pageSize: number, onTake: (page: number) => void = () => {}) {
    this.numPages = numPages;
    this.pageSize = pageSize;
    this.#onTake = onTake;
    this.#references = new Int32Array(numPages);
    this.#references[RESERVED_PAGE] = 1;
    this.#free = new FreeList(numPages);
    for (let page = 1; page < numPages; page++) this.#free.append(page);
  }

  get numFree(): number {
    return this.#free.length;
  }

  pagesFor(positions: number): number {
    return Math.ceil(positions / this.pageSize);
  }

  canTake(count: number): boolean {
    return count <= this.numFree;
  }

  /** Takes `count` pages off the head of the free list. Ask `canTake` first. */
  take(count: number): number[] {
    if (!this.canTake(count)) throw broken(`${count} pages taken of ${this.numFree} free`);
    return Array.from({ length: count }, () => {
      const page = this.#free.shift() ?? RESERVED_PAGE;
      this.#references[page] = 1;
      this.#onTake(page);
      return page;
    });
  }

  /** One more holder of each page, with the content that it has. Pages may be free. */
  share(pages: Iterable<number>): void {
    for (const page of pages) {
      const references = this.references(page);
      if (page === RESERVED_PAGE) throw broken("the reserved page shared");
      if (references === 0) this.#free.remove(page);
      this.#references[page] = references + 1;
    }
  }

  /** Gives pages back, last first, so that the end of a sequence is reused before its beginning. */
  release(pages: readonly number[]): void {
    for (let i = pages.length - 1; i >= 0; i--) {
      const page = pages[i] ?? -1;
      const references = this.references(page);
      if (references <= 0 || page === RESERVED_PAGE)
        throw broken(`page ${page} released without a holder`);
      this.#references[page] = references - 1;
      if (references === 1) this.#free.append(page);
    }
  }

  references(page: number): number {
    return this.#references[page] ?? 0;
  }

  /**
   * Free pages and held pages add up, and the list is whole.
   * @param holders pages of everybody who holds some; where given, each count must be theirs
   */
  checkIntegrity(holders?: Iterable<readonly number[]>): void {
    let listed = 0;
    for (const page of this.#free) {
      if (this.#references[page] !== 0) throw broken(`page ${page} is free and held`);
      if (++listed > this.numPages) throw broken("the free list has a cycle");
    }
    const held = this.#references.reduce((n, references) => n + (references > 0 ? 1 : 0), 0);
    if (listed !== this.numFree || listed + held !== this.numPages)
      throw broken(
        `${listed} listed, ${this.numFree} counted free, ${held} held of ${this.numPages}`,
      );
    if (holders !== undefined) this.#checkHolders(holders);
  }

  #checkHolders(holders: Iterable<readonly number[]>): void {
    const counted = new Int32Array(this.numPages);
    counted[RESERVED_PAGE] = 1;
    for (const pages of holders)
      for (const page of pages)
        if (page !== RESERVED_PAGE) counted[page] = (counted[page] ?? 0) + 1;
    const wrong = counted.findIndex((count, page) => count !== this.#references[page]);
    if (wrong >= 0)
      throw broken(
        `page ${wrong} has ${counted[wrong]} holders and ${this.references(wrong)} references`,
      );
  }
}

function broken(what: string): InternalError {
  return new InternalError({
    code: "TW9002",
    message: `internal error: page pool: ${what}`,
    remedy: "this is a bug in tilewright; please report it",
  });
}
