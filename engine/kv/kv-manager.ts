/** [engine/kv] The pages of requests: found in the prefix cache, taken, shared by forks, copied before they are written, given back. No order of requests. */
import type { PageCopy, Request } from "../core.ts";
import { BlockHasher } from "./block-hash.ts";
import { PagePool, RESERVED_PAGE } from "./page-pool.ts";
import { PrefixCache } from "./prefix-cache.ts";

/** What the pages of a model keep. */
export type KvGroup =
  /** Keys and values of all positions. */
  | { readonly kind: "full" }
  /** Of the last `window` positions; pages that all layers have left behind are freed. */
  | { readonly kind: "window"; readonly window: number }
  /** A page is the state of a whole sequence, which cannot be shared. */
  | { readonly kind: "state" };

export interface KvOptions {
  /** The reserved one included. */
  readonly numPages: number;
  /** Positions of a page. */
  readonly pageSize: number;
  readonly group: KvGroup;
  /** Requests find the pages of others with the same beginning. */
  readonly prefixCaching: boolean;
}

/** Pages at the beginning of a request that need not be computed. */
export interface PrefixMatch {
  readonly pages: readonly number[];
  readonly positions: number;
}

const NO_MATCH: PrefixMatch = { pages: [], positions: 0 };

export class KvManager {
  readonly pageSize: number;
  readonly #pool: PagePool;
  readonly #cache = new PrefixCache();
  readonly #group: KvGroup;
  readonly #caching: boolean;
  #hasher: BlockHasher;
  #queried = 0;
  #hits = 0;

  constructor({ numPages, pageSize, group, prefixCaching }: KvOptions) {
    this.pageSize = pageSize;
    this.#group = group;
    this.#caching = prefixCaching && group.kind !== "state";
    this.#pool = new PagePool(numPages, pageSize, (page) => this.#cache.forget(page));
    this.#hasher = new BlockHasher(pageSize);
  }

  /** Pages that requests can use. */
  get numUsable(): number {
    return this.#pool.numPages - 1;
  }

  /** Pages that nobody holds; some of them still have content that is found again. */
  get numFree(): number {
    return this.#pool.numFree;
  }

  /** Tokens that were looked for in the prefix cache and that were found there, since the start. A preempted request counts once. */
  get prefixCounts(): { readonly queried: number; readonly hits: number } {
    return { queried: this.#queried, hits: this.#hits };
  }

  /** True where several requests may go on from one prompt's pages. */
  get canFork(): boolean {
    return this.#group.kind !== "state";
  }

  /** Positions that a request can have when it is alone. @param chunk most that one step computes */
  maxPositions(chunk: number): number {
    const all = this.numUsable * this.pageSize;
    if (this.#group.kind !== "window") return all;
    const pages = this.#pool.pagesFor(this.#group.window + chunk) + 1;
    return pages <= this.numUsable ? Number.POSITIVE_INFINITY : all;
  }

  /** Pages that a request holds at most for so many positions. @param chunk most that one step computes */
  pagesFor(positions: number, chunk: number): number {
    const all = this.#pool.pagesFor(positions);
    if (this.#group.kind !== "window") return all;
    return Math.min(all, this.#pool.pagesFor(this.#group.window + chunk) + 1);
  }

  /** The longest computed beginning. At least one token is left to compute, as its result is needed; prompt log-probabilities need all. */
  match(request: Request): PrefixMatch {
    if (!this.#caching || request.needsWholePrompt) return NO_MATCH;
    const names = this.#namesOf(request, Math.floor((request.total - 1) / this.pageSize));
    const pages = names.map((name) => this.#cache.pageOf(name));
    const end = this.#matchEnd(pages);
    const first = this.#firstNeeded(end * this.pageSize);
    const found = pages.slice(0, end).map((page, i) => (i < first ? RESERVED_PAGE : (page ?? 0)));
    return { pages: found, positions: end * this.pageSize };
  }

  /**
   * A request's first pages: those that were matched and new ones up to `end` positions.
   * @param spare pages that must stay free besides
   * @returns false, with nothing changed, where there are not enough
   */
  admit(request: Request, match: PrefixMatch, end: number, spare: number): boolean {
    const held = match.pages.filter((page) => page !== RESERVED_PAGE);
    const revived = held.filter((page) => this.#pool.references(page) === 0).length;
    const fresh = this.#pool.pagesFor(end) - match.pages.length;
    if (!this.#pool.canTake(fresh + revived + spare)) return false;
    this.#pool.share(held);
    request.pages.push(...match.pages, ...this.#pool.take(fresh));
    request.computed = match.positions;
    request.retired = match.positions;
    return true;
  }

  /** Counts a request's first admission in the figures of the prefix cache. */
  count(request: Request): void {
    if (!this.#caching || request.needsWholePrompt) return;
    this.#queried += request.promptIds.length;
    this.#hits += request.numCachedTokens;
  }

  /** True where a request still holds all that is needed to go on from the last of `positions` again. */
  canForkFrom(parent: Request, positions: number): boolean {
    const first = this.#firstNeeded(positions - 1);
    const needed = parent.pages.slice(first, this.#pool.pagesFor(positions));
    const count = this.#pool.pagesFor(positions) - first;
    return this.canFork && needed.length === count && !needed.includes(RESERVED_PAGE);
  }

  /** A child goes on from the pages of a parent that has computed `positions` of the tokens of both. */
  fork(parent: Request, child: Request, positions: number): void {
    const pages = parent.pages.slice(0, this.#pool.pagesFor(positions));
    this.#pool.share(pages.filter((page) => page !== RESERVED_PAGE));
    child.pages.push(...pages);
    child.computed = positions - 1; // the last position is computed again: its logits are the child's to sample from
    child.retired = positions - 1;
  }

  /**
   * Makes [computed, end) of a request writable: pages behind its window go, a shared page is replaced by a copy, new pages are taken.
   * @param copies gets the copy that must come before the step
   * @returns false where pages are missing; call again when there are more
   */
  reserve(request: Request, end: number, copies: PageCopy[]): boolean {
    this.#leaveWindow(request);
    const at = Math.floor(request.computed / this.pageSize);
    const page = request.pages[at];
    const mustCopy = page !== undefined && this.#isShared(page);
    const missing = Math.max(0, this.#pool.pagesFor(end) - request.pages.length);
    if (!this.#pool.canTake(missing + (mustCopy ? 1 : 0))) return false;
    if (mustCopy) {
      const [to = RESERVED_PAGE] = this.#pool.take(1);
      copies.push({ from: page, to });
      request.pages[at] = to;
      this.#pool.release([page]);
    }
    if (missing > 0) request.pages.push(...this.#pool.take(missing));
    return true;
  }

  /** Names the pages whose positions are all computed, so that others find them. */
  publish(request: Request): void {
    if (!this.#caching) return;
    const full = Math.floor(request.retired / this.pageSize);
    if (full <= request.numPublished) return;
    const names = this.#namesOf(request, full);
    for (let i = request.numPublished; i < full; i++) {
      const [name, page] = [names[i], request.pages[i]];
      if (name !== undefined && page !== undefined && page !== RESERVED_PAGE)
        this.#cache.publish(name, page);
    }
    request.numPublished = full;
  }

  /** Gives all pages back. What they hold can be found until they are taken again. */
  release(request: Request): void {
    this.#pool.release(request.pages.splice(0).filter((page) => page !== RESERVED_PAGE));
    request.computed = 0;
    request.retired = 0;
    request.numPublished = 0;
  }

  /** Nothing that was computed so far is found by requests that come from now on. */
  resetCache(): void {
    this.#cache.clear();
    this.#hasher = new BlockHasher(this.pageSize);
  }

  /** @param holders every request that holds pages @throws InternalError where the books do not add up */
  checkIntegrity(holders: Iterable<Request>): void {
    this.#pool.checkIntegrity(Array.from(holders, ({ pages }) => pages));
    this.#cache.checkIntegrity();
  }

  #isShared(page: number): boolean {
    return page !== RESERVED_PAGE && (this.#pool.references(page) > 1 || this.#cache.has(page));
  }

  /** First page that a step from `position` on still reads. */
  #firstNeeded(position: number): number {
    if (this.#group.kind !== "window") return 0;
    return Math.max(0, Math.floor((position - this.#group.window) / this.pageSize));
  }

  #leaveWindow(request: Request): void {
    if (this.#group.kind !== "window") return;
    const first = this.#firstNeeded(request.computed);
    const left: number[] = [];
    for (let i = first - 1; i >= 0; i--) {
      const page = request.pages[i] ?? RESERVED_PAGE;
      if (page === RESERVED_PAGE) break;
      left.unshift(page);
      request.pages[i] = RESERVED_PAGE;
    }
    this.#pool.release(left);
  }

  /** Pages of the longest usable match. Behind a window only those that it covers must be there. */
  #matchEnd(pages: readonly (number | undefined)[]): number {
    const missing = pages.indexOf(undefined);
    if (this.#group.kind !== "window") return missing < 0 ? pages.length : missing;
    for (let end = pages.length; end > 0; end--) {
      const first = this.#firstNeeded(end * this.pageSize);
      const gap = pages.lastIndexOf(undefined, end - 1);
      if (gap < first) return end;
      end = gap + 1; // nothing that ends behind the gap can do
    }
    return 0;
  }

  /** Names of the first pages; they are kept with the request, as its tokens never change. */
  #namesOf(request: Request, count: number): readonly string[] {
    const names = request.pageNames;
    if (names.hasher !== this.#hasher) {
      names.hasher = this.#hasher;
      names.list.length = 0;
    }
    while (names.list.length < count) {
      const index = names.list.length;
      const first = index * this.pageSize;
      const tokens = Int32Array.from({ length: this.pageSize }, (_, i) =>
        request.tokenAt(first + i),
      );
      names.list.push(this.#hasher.next(names.list.at(-1), tokens, index, request.scope));
    }
    return names.list.length === count ? names.list : names.list.slice(0, count);
  }
}
