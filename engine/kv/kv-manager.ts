/** [engine/kv] The pages of requests: found in the prefix cache, taken, shared by forks, copied before they are written, given back. No order of requests. */
import type { PageCopy, Request } from "../core.ts";
import { BlockHasher } from "./block-hash.ts";
import { mostPages, mostPositions, pagedGroups } from "./page-counts.ts";
import { type KvGroup, PageGroup } from "./page-group.ts";
import { PagePool, RESERVED_PAGE } from "./page-pool.ts";

export interface KvOptions {
  /** The reserved one included. Groups of positions share them. */
  readonly numPages: number;
  /** Positions of a page. */
  readonly pageSize: number;
  /** Layers by what they keep; each group has a page table of its own. */
  readonly groups: readonly KvGroup[];
  /** Pages of states beside those of positions, the reserved one included; not read in a model of states alone, whose pages they are. */
  readonly numStates?: number;
  /** Requests find the pages of others with the same beginning. Not where states are kept. */
  readonly prefixCaching: boolean;
}

/** Pages at the beginning of a request that need not be computed. */
export interface PrefixMatch {
  /** One list a group. */
  readonly tables: readonly (readonly number[])[];
  readonly positions: number;
}

/** A copy that a step must take along, and for whom. */
interface PendingCopy extends PageCopy {
  readonly request: Request;
}

const NO_MATCH: PrefixMatch = { tables: [], positions: 0 };
/** Positions of a page that holds a state. */
const WHOLE_SEQUENCE = Number.MAX_SAFE_INTEGER;
const isHeld = (page: number) => page !== RESERVED_PAGE;

export class KvManager {
  readonly pageSize: number;
  /** True where several requests may go on from one prompt's pages. */
  readonly canFork: boolean;
  readonly #pool: PagePool;
  readonly #groups: readonly PageGroup[];
  /** Those of positions. */
  readonly #paged: readonly PageGroup[];
  readonly #shape: Pick<KvOptions, "groups" | "pageSize">;
  readonly #caching: boolean;
  #copies: PendingCopy[] = [];
  #hasher: BlockHasher;
  #queried = 0;
  #hits = 0;

  constructor({ numPages, pageSize, groups, numStates = 0, prefixCaching }: KvOptions) {
    this.pageSize = pageSize;
    this.canFork = groups.every(({ kind }) => kind !== "state");
    this.#caching = prefixCaching && this.canFork;
    this.#pool = new PagePool(numPages, pageSize, (page) => this.#forget(page));
    this.#hasher = new BlockHasher(pageSize);
    this.#shape = { groups, pageSize };
    const paged = pagedGroups(groups);
    this.#groups = groups.map((group) => {
      const pool = paged.includes(group) ? this.#pool : new PagePool(numStates, WHOLE_SEQUENCE);
      return new PageGroup(group, pool);
    });
    this.#paged = this.#groups.filter(({ pool }) => pool === this.#pool);
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

  /** Positions that a request can have when it is alone. @param chunk most that one step computes */
  maxPositions(chunk: number): number {
    return mostPositions(this.numUsable, { ...this.#shape, chunk });
  }

  /** Pages that a request holds at most for so many positions. @param chunk most that one step computes */
  pagesFor(positions: number, chunk: number): number {
    return mostPages(positions, { ...this.#shape, chunk });
  }

  /**
   * The longest computed beginning, which all groups can go on from. At least one token is left to compute, as its result is needed;
   * prompt log-probabilities need all.
   */
  match(request: Request): PrefixMatch {
    if (!this.#caching || request.needsWholePrompt) return NO_MATCH;
    const names = this.#namesOf(request, Math.floor((request.total - 1) / this.pageSize));
    const found = this.#groups.map(({ cache }) => names.map((name) => cache.pageOf(name)));
    let end = names.length;
    for (let before = -1; before !== end; ) {
      before = end;
      this.#groups.forEach((group, g) => {
        end = group.matchEnd(found[g] ?? [], end);
      });
    }
    const tables = this.#groups.map((group, g) => {
      const first = group.firstNeeded(end * this.pageSize);
      const pages = found[g]?.slice(0, end) ?? [];
      return pages.map((page, i) => (i < first ? RESERVED_PAGE : (page ?? RESERVED_PAGE)));
    });
    return { tables, positions: end * this.pageSize };
  }

  /**
   * A request's first pages: those that were matched and new ones up to `end` positions.
   * @param spare pages that must stay free besides
   * @returns false, with nothing changed, where there are not enough
   */
  admit(request: Request, match: PrefixMatch, end: number, spare: number): boolean {
    const held = match.tables.flatMap((table) => table.filter(isHeld));
    const revived = held.filter((page) => this.#pool.references(page) === 0).length;
    const fresh = this.#groups.map(
      (group, g) => group.pagesFor(end) - (match.tables[g]?.length ?? 0),
    );
    if (!this.#canTake(fresh, revived + spare)) return false;
    this.#pool.share(held);
    this.#groups.forEach(({ pool }, g) => {
      this.#table(request, g).push(...(match.tables[g] ?? []), ...pool.take(fresh[g] ?? 0));
    });
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
    const holds = this.#groups.every((group, g) => {
      const [first, end] = [group.firstNeeded(positions - 1), group.pagesFor(positions)];
      const needed = this.#table(parent, g).slice(first, end);
      return needed.length === end - first && needed.every(isHeld);
    });
    return this.canFork && holds;
  }

  /** Pages that a fork takes at once, for its last position. */
  get pagesOfFork(): number {
    return this.#paged.length;
  }

  /** A child goes on from the pages of a parent that has computed `positions` of the tokens of both. */
  fork(parent: Request, child: Request, positions: number): void {
    this.#groups.forEach((group, g) => {
      const pages = this.#table(parent, g).slice(0, group.pagesFor(positions));
      group.pool.share(pages.filter(isHeld));
      this.#table(child, g).push(...pages);
    });
    parent.writableTo = 0;
    child.computed = positions - 1; // the last position is computed again: its logits are the child's to sample from
    child.retired = positions - 1;
  }

  /** Each target goes on from the pages of its source, all at once: what a target had may be what another one goes on from. */
  rebase(moves: readonly { readonly target: Request; readonly source: Request }[]): void {
    const taken = moves.map(({ source }) => {
      source.writableTo = 0;
      const { computed, retired, numPublished, pageNames } = source;
      const names = { hasher: pageNames.hasher, list: [...pageNames.list] };
      const tables = this.#groups.map((_, g) => [...this.#table(source, g)]);
      for (const table of tables) this.#pool.share(table.filter(isHeld));
      return { computed, retired, numPublished, names, tables };
    });
    for (const { target } of moves) this.release(target);
    moves.forEach(({ target }, i) => {
      const { tables = [], names, ...positions } = taken[i] ?? {};
      tables.forEach((pages, g) => {
        this.#table(target, g).push(...pages);
      });
      target.pageNames.hasher = names?.hasher;
      target.pageNames.list.splice(0, Number.POSITIVE_INFINITY, ...(names?.list ?? []));
      Object.assign(target, positions);
    });
  }

  /**
   * Makes [computed, end) of a request writable: pages behind its windows go, a shared page is replaced by a copy, new pages are taken.
   * @returns false where pages are missing; call again when there are more
   */
  reserve(request: Request, end: number): boolean {
    if (end <= request.writableTo) return true; // what has changed since then changes at the next page
    this.#leaveWindows(request);
    const at = Math.floor(request.computed / this.pageSize);
    const missing = this.#groups.map((group, g) =>
      Math.max(0, group.pagesFor(end) - this.#table(request, g).length),
    );
    const copied = this.#paged.filter((group) =>
      group.isShared(this.#tableOf(request, group)[at] ?? RESERVED_PAGE),
    );
    if (!this.#canTake(missing, copied.length)) return false;
    for (const group of copied) this.#copyOnWrite(request, this.#tableOf(request, group), at);
    missing.forEach((count, g) => {
      if (count > 0) this.#table(request, g).push(...(this.#groups[g]?.pool.take(count) ?? []));
    });
    request.writableTo = request.pages.length * this.pageSize;
    return true;
  }

  /** Copies that the next step must take along, in order. They are its own from now on. */
  takeCopies(): readonly PageCopy[] {
    const copies = this.#copies.map(({ from, to }) => ({ from, to }));
    this.#copies = [];
    return copies;
  }

  /** Names the pages whose positions are all computed, so that others find them. */
  publish(request: Request): void {
    if (!this.#caching) return;
    const full = Math.floor(request.retired / this.pageSize);
    if (full <= request.numPublished) return;
    const names = this.#namesOf(request, full);
    this.#groups.forEach(({ cache }, g) => {
      const table = this.#table(request, g);
      for (let i = request.numPublished; i < full; i++) {
        const [name, page = RESERVED_PAGE] = [names[i], table[i]];
        if (name !== undefined && isHeld(page)) cache.publish(name, page);
      }
    });
    request.numPublished = full;
  }

  /** Gives all pages back. What they hold can be found until they are taken again. */
  release(request: Request): void {
    if (this.#copies.length > 0) this.#copies = this.#copies.filter((c) => c.request !== request);
    const pages = byPosition(this.#paged.map((group) => this.#tableOf(request, group)));
    this.#pool.release(pages.filter(isHeld));
    this.#groups.forEach(({ pool }, g) => {
      const table = this.#table(request, g).splice(0);
      if (pool !== this.#pool) pool.release(table);
    });
    request.computed = 0;
    request.retired = 0;
    request.numPublished = 0;
    request.writableTo = 0;
  }

  /** Nothing that was computed so far is found by requests that come from now on. */
  resetCache(): void {
    for (const { cache } of this.#groups) cache.clear();
    this.#hasher = new BlockHasher(this.pageSize);
  }

  /** @param holders every request that holds pages @throws InternalError where the books do not add up */
  checkIntegrity(holders: Iterable<Request>): void {
    const all = [...holders];
    for (const pool of new Set([this.#pool, ...this.#groups.map((group) => group.pool)])) {
      const own = this.#groups.filter((group) => group.pool === pool);
      pool.checkIntegrity(
        all.flatMap((request) => own.map((group) => this.#tableOf(request, group))),
      );
    }
    for (const { cache } of this.#groups) cache.checkIntegrity();
  }

  /** Where a pool that groups share has room for what each of them wants, and `more`. */
  #canTake(wanted: readonly number[], more: number): boolean {
    let paged = more;
    const fits = this.#groups.every(({ pool }, g) => {
      if (pool !== this.#pool) return pool.canTake(wanted[g] ?? 0);
      paged += wanted[g] ?? 0;
      return true;
    });
    return fits && this.#pool.canTake(paged);
  }

  #copyOnWrite(request: Request, table: number[], at: number): void {
    const [from = RESERVED_PAGE] = [table[at]];
    const [to = RESERVED_PAGE] = this.#pool.take(1);
    this.#copies.push({ request, from, to });
    table[at] = to;
    this.#pool.release([from]);
  }

  /** Pages that steps in flight fill stay until they are named. */
  #leaveWindows(request: Request): void {
    for (const group of this.#paged) {
      const left = group.leave(this.#tableOf(request, group), request.retired);
      if (left.length > 0) group.pool.release(left);
    }
  }

  /** The page gets another content. */
  #forget(page: number): void {
    for (const { cache } of this.#groups) cache.forget(page);
  }

  #table(request: Request, group: number): number[] {
    const { tables } = request;
    while (tables.length <= group) tables.push([]);
    return tables[group] ?? [];
  }

  #tableOf(request: Request, group: PageGroup): number[] {
    return this.#table(request, this.#groups.indexOf(group));
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

/** Entries of tables of one length, beginnings before ends. */
function byPosition(tables: readonly (readonly number[])[]): readonly number[] {
  const [first] = tables;
  if (first === undefined || tables.length === 1) return first ?? [];
  return first.flatMap((_, i) => tables.map((table) => table[i] ?? RESERVED_PAGE));
}
