/** [engine/kv] The pool of KV pages: which are free, who holds how many. Counts only; the bytes live in the model runner. */
import { InternalError } from "../../dsl/index.ts";

/** Page 0 is never given out: it takes the writes of padding rows. */
export const RESERVED_PAGE = 0;

/**
 * Pages with reference counts and a free list linked through two arrays, so that a page can leave the middle of it in O(1).
 * Freed pages go to the tail; the least recently freed is taken first.
 */
export class PagePool {
  readonly numPages: number;
  readonly pageSize: number;
  readonly #references: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Index of the list's sentinel. */
  readonly #head: number;
  #numFree: number;

  /**
   * @param numPages pages of the cache, the reserved one included; ≥ 2
   * @param pageSize positions a page holds
   */
  constructor(numPages: number, pageSize: number) {
    this.numPages = numPages;
    this.pageSize = pageSize;
    this.#references = new Int32Array(numPages);
    this.#references[RESERVED_PAGE] = 1;
    this.#head = numPages;
    this.#next = new Int32Array(numPages + 1);
    this.#previous = new Int32Array(numPages + 1);
    this.#next[this.#head] = this.#head;
    this.#previous[this.#head] = this.#head;
    this.#numFree = 0;
    for (let page = 1; page < numPages; page++) this.#append(page);
  }

  get numFree(): number {
    return this.#numFree;
  }

  /** Share of the usable pages that are held, 0 to 1. */
  get usage(): number {
    return 1 - this.#numFree / Math.max(1, this.numPages - 1);
  }

  pagesFor(positions: number): number {
    return Math.ceil(positions / this.pageSize);
  }

  canTake(count: number): boolean {
    return count <= this.#numFree;
  }

  /** Takes `count` pages off the head of the free list. Ask `canTake` first. */
  take(count: number): number[] {
    if (!this.canTake(count)) throw broken(`${count} pages taken of ${this.#numFree} free`);
    const pages: number[] = [];
    for (let i = 0; i < count; i++) {
      const page = this.#next[this.#head] ?? -1;
      this.#unlink(page);
      this.#references[page] = 1;
      pages.push(page);
    }
    return pages;
  }

  /** One more holder of each page. */
  share(pages: readonly number[]): void {
    for (const page of pages) {
      if ((this.#references[page] ?? 0) === 0) throw broken(`free page ${page} shared`);
      this.#references[page] = (this.#references[page] ?? 0) + 1;
    }
  }

  /** Gives pages back, last first, so that the end of a sequence is reused before its beginning. */
  release(pages: readonly number[]): void {
    for (let i = pages.length - 1; i >= 0; i--) {
      const page = pages[i] ?? -1;
      const references = this.#references[page] ?? 0;
      if (references <= 0 || page === RESERVED_PAGE)
        throw broken(`page ${page} released without a holder`);
      this.#references[page] = references - 1;
      if (references === 1) this.#append(page);
    }
  }

  references(page: number): number {
    return this.#references[page] ?? 0;
  }

  /** Free pages and held pages add up, and the list is whole. Run when the engine is idle. */
  checkIntegrity(): void {
    let listed = 0;
    for (
      let page = this.#next[this.#head] ?? -1;
      page !== this.#head;
      page = this.#next[page] ?? -1
    ) {
      if (this.#references[page] !== 0) throw broken(`page ${page} is free and held`);
      if (++listed > this.numPages) throw broken("the free list has a cycle");
    }
    const held = this.#references.reduce((n, references) => n + (references > 0 ? 1 : 0), 0);
    if (listed !== this.#numFree || listed + held !== this.numPages) {
      throw broken(
        `${listed} listed, ${this.#numFree} counted free, ${held} held of ${this.numPages}`,
      );
    }
  }

  #append(page: number): void {
    const last = this.#previous[this.#head] ?? this.#head;
    this.#next[last] = page;
    this.#previous[page] = last;
    this.#next[page] = this.#head;
    this.#previous[this.#head] = page;
    this.#numFree++;
  }

  #unlink(page: number): void {
    const next = this.#next[page] ?? this.#head;
    const previous = this.#previous[page] ?? this.#head;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#numFree--;
  }
}

function broken(what: string): InternalError {
  return new InternalError({
    code: "TW9002",
    message: `internal error: page pool: ${what}`,
    remedy: "this is a bug in tilewright; please report it",
  });
}
