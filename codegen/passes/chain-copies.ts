/** [codegen/passes] The role that copies for two chained dots: the rows of a program, then the columns of each trip, those of the second dot a trip behind. */
import { invariant } from "../../dsl/index.ts";
import { backwardSlice } from "../analysis/backward-slice.ts";
import type { SBlock, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  readsOf,
  scheduledOperands,
  scheduledResults,
} from "../ir/visit-scheduled.ts";
import {
  type ChainScope,
  type CopyRing,
  flatTurns,
  freshTurns,
  programLoop,
  roleStart,
  turnsOf,
} from "./chain-parts.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { eitherOr, onlyIf } from "./ring-buffers.ts";
import { advance, isTensorCopy, placeOps, type Turn } from "./role-parts.ts";
import { programOf, type Walk } from "./walk-programs.ts";

/** Entries of a copy by pages. */
function pagesOf({ at }: CopyRing["copy"]): readonly SValue[] {
  return at.flatMap((index) => (index.kind === "pages" ? index.entries : []));
}

class ChainCopies {
  readonly #scope: ChainScope;
  /** What addresses and bounds are made of, outside of the loop. */
  readonly #outside: readonly SOp[];
  /** The same inside of it, for each ring of columns. */
  readonly #inside: ReadonlyMap<CopyRing, readonly SOp[]>;
  /** Pages of a trip that the columns of both dots come from, and what the second dot's need beside them: its copies are a trip late. */
  readonly #pages: readonly SValue[];
  readonly #beside: readonly SOp[];

  /** Those outside that are the same for every program. */
  readonly #common: readonly SOp[];
  /** What the second dot's columns need of their own program: the next one copies the last of them. */
  readonly #left: readonly SValue[];
  readonly #isOverlapped: boolean;

  constructor(scope: ChainScope, isOverlapped: boolean) {
    const { parts, rows, columns } = scope;
    this.#scope = scope;
    this.#isOverlapped = isOverlapped;
    const needed = new Set<number>();
    const { lo, hi, step: by, body } = parts.loop;
    for (const value of [lo, hi, by, ...scheduledOperands(rows.copy)]) needed.add(value.id);
    const inner = body.ops.filter((op) => !isTensorCopy(op) && op.kind !== "dot");
    this.#inside = new Map(
      columns.map((ring) => {
        const wanted = new Set(scheduledOperands(ring.copy).map(({ id }) => id));
        const slice = backwardSlice(inner, wanted);
        for (const id of wanted) needed.add(id);
        return [ring, slice] as const;
      }),
    );
    this.#outside = backwardSlice(parts.before, needed);
    const [early, late] = columns;
    const isEarly = new Set(pagesOf(early.copy).map(({ id }) => id));
    this.#pages = pagesOf(late.copy).filter(({ id }) => isEarly.has(id));
    const given = new Set(this.#pages.map(({ id }) => id));
    const beside = scheduledOperands(late.copy).filter(({ id }) => !given.has(id));
    this.#beside = backwardSlice(inner, new Set(beside.map(({ id }) => id)), given);
    const own = new Set<number>();
    const isOwn = (op: SOp): boolean =>
      op.kind === "pid" || op.kind === "load" || readsOf(op).some(({ id }) => own.has(id));
    this.#common = this.#outside.filter((op) => {
      if (!isOwn(op)) return true;
      for (const { id } of scheduledResults(op)) own.add(id);
      return false;
    });
    const [counter] = body.params;
    if (counter !== undefined) own.add(counter.id);
    const [, second] = columns;
    const reads = [
      ...(this.#inside.get(second) ?? []).flatMap(readsOf),
      ...scheduledOperands(second.copy),
    ];
    const left = reads.filter(({ id }) => own.has(id));
    this.#left = [...new Map(left.map((value) => [value.id, value])).values()];
  }

  role(walk: Walk): SBlock {
    const { build: b, loc, counted } = this.#scope;
    const ops = roleStart(this.#scope);
    const { first, blocks, zero } = walk;
    const turns = [zero, zero, zero, zero, zero, zero];
    const left = this.#isOverlapped ? this.#left.map(() => zero) : [];
    // Two programs of each block need no counter; then it is asked a program ahead.
    const second = b.binary(ops, "add", first, blocks, "next");
    const rest = b.binary(ops, "add", blocks, blocks, "counted");
    const inits = [second, ...turns, ...left];
    const ends = programLoop(ops, this.#scope, walk, inits, (inner, program, carried) => {
      const [next, ...flat] = carried;
      invariant(next !== undefined, () => "a program that follows");
      const asked = b.scalar("asked");
      const follows: SOp = counted
        ? { kind: "next_program", result: asked, first: rest, after: next, blocks, loc }
        : { kind: "binary", fn: "add", result: asked, a: next, b: blocks, loc };
      inner.push(follows);
      const { pids } = programOf(inner, b, walk, program);
      const at = { pids, program, next, first };
      const own = { turns: turnsOf(flat.slice(0, 6)), left: flat.slice(6) };
      const after = this.#program(inner, at, own);
      return { next, yields: [asked, ...flatTurns(after.turns), ...after.left] };
    });
    if (this.#isOverlapped) this.#lastColumns(ops, ends.slice(1), walk);
    if (counted) ops.push({ kind: "programs_done", blocks, loc });
    return { params: [], ops, yields: [] };
  }

  /** The columns that the last program left, if there was a program. */
  #lastColumns(ops: SOp[], flat: readonly SValue[], { first, total }: Walk): void {
    const { build: b, loc } = this.#scope;
    const [, , turn] = turnsOf(flat.slice(0, 6));
    const inside: SOp[] = [];
    const by: Renaming = new Map();
    inside.push(...cloneOps(placeOps(this.#common, [], by), by, b));
    if (turn !== undefined) this.#copyLeft(inside, turn, by, flat.slice(6));
    ops.push(onlyIf(b.compare(ops, "lt", first, total, "some"), inside, loc));
  }

  /** The second dot's columns that a program has left, by what it has left of its own. */
  #copyLeft(ops: SOp[], turn: Turn, common: Renaming, left: readonly SValue[]): Turn {
    const { build: b, columns } = this.#scope;
    const [, second] = columns;
    const by: Renaming = new Map(common);
    for (const [i, { id }] of this.#left.entries()) {
      const value = left[i];
      if (value !== undefined) by.set(id, value);
    }
    ops.push(...cloneOps(this.#inside.get(second) ?? [], by, b));
    return this.#copy(ops, second, turn, by);
  }

  /**
   * One box into the next slot of its ring, when those who read the slot before are done.
   * @param along ops that the signal of the slot orders, too
   * @param wanted where it does not hold, the slot is signalled without the box
   */
  #copy(
    ops: SOp[],
    ring: CopyRing,
    turn: Turn,
    by: Renaming,
    { along = [], wanted }: { readonly along?: readonly SOp[]; readonly wanted?: SValue } = {},
  ): Turn {
    const { build: b, loc } = this.#scope;
    const free = b.binary(ops, "xor", turn.parity, b.constant(ops, 1, "one"), "free");
    const { slot } = turn;
    const moved = mapScheduledOperands(ring.copy, (value) => renamed(by, value));
    invariant(isTensorCopy(moved), () => "renaming made another op of a copy");
    const full = { buffer: ring.full, slot };
    ops.push(
      { kind: "mbarrier_wait", on: { buffer: ring.empty, slot }, parity: free, loc },
      ...along,
    );
    const box: readonly SOp[] = [
      { kind: "mbarrier_expect", on: full, bytes: ring.bytes, loc },
      { ...moved, into: { buffer: ring.copy.into.buffer, slot }, signal: full },
    ];
    const none: SOp = { kind: "mbarrier_expect", on: full, bytes: 0, loc };
    ops.push(...(wanted === undefined ? box : [eitherOr(wanted, box, [none], loc)]));
    return advance(b, ops, ring.stages, turn);
  }

  /**
   * The columns of the trip whose counter is `iv`.
   * @param pages those of that trip, where they are known
   */
  #columns(
    ops: SOp[],
    ring: CopyRing,
    turn: Turn,
    { iv, by: outer, pages }: Trip,
  ): { readonly turn: Turn; readonly pages: readonly SValue[] } {
    const by: Renaming = new Map(outer);
    const [counter] = this.#scope.parts.loop.body.params;
    if (counter !== undefined) by.set(counter.id, iv);
    for (const [i, value] of (pages ?? []).entries()) {
      const { id } = this.#pages[i] ?? {};
      if (id !== undefined) by.set(id, value);
    }
    const needed = pages === undefined ? this.#inside.get(ring) : this.#beside;
    ops.push(...cloneOps(needed ?? [], by, this.#scope.build));
    const after = this.#copy(ops, ring, turn, by);
    return { turn: after, pages: this.#pages.map((value) => renamed(by, value)) };
  }

  #program(
    ops: SOp[],
    { pids, program, next, first: begin }: Place,
    { turns, left }: Standing,
  ): Standing {
    const { build: b, parts, rows, columns, loc, work } = this.#scope;
    const [first, second] = columns;
    const [rowTurn, firstTurn, secondTurn] = turns;
    invariant(
      rowTurn !== undefined && firstTurn !== undefined && secondTurn !== undefined,
      () => "a role stands in three rings",
    );
    const by: Renaming = new Map();
    ops.push(...cloneOps(placeOps(this.#outside, pids, by), by, b));
    const [lo, hi, stride] = [parts.loop.lo, parts.loop.hi, parts.loop.step].map((value) =>
      renamed(by, value),
    );
    invariant(
      lo !== undefined && hi !== undefined && stride !== undefined,
      () => "a loop without bounds",
    );
    const along = [next, ...pids].map((value, word): SOp => {
      return { kind: "post", into: { buffer: work }, word, value, loc };
    });
    // Rows that every trip reads are free late, when the first columns may long be on their way.
    const isLate = this.#isOverlapped && !this.#scope.keepsRows;
    const trips: SOp[] = this.#isOverlapped ? ops : [];
    const some = b.compare(ops, "lt", lo, hi, "some");
    // And rows that no trip reads are not copied.
    const riding =
      this.#scope.keepsRows || this.#isOverlapped ? { along } : { along, wanted: some };
    const early = isLate ? undefined : this.#copy(ops, rows, rowTurn, by, riding);
    const begun = this.#columns(trips, first, firstTurn, { iv: lo, by });
    const free = this.#isOverlapped
      ? this.#ofLast(ops, b.compare(ops, "ne", program, begin, "later"), secondTurn, { by, left })
      : secondTurn;
    const nextRow = early ?? this.#copy(ops, rows, rowTurn, by, riding);
    const bounds = [lo, hi, stride] as const;
    const { ends, last, pages } = this.#others(trips, bounds, [begun.turn, free], {
      by,
      pages: begun.pages,
    });
    const [endFirst, endSecond] = ends;
    invariant(endFirst !== undefined && endSecond !== undefined, () => "two turns");
    if (this.#isOverlapped) {
      const [counter] = parts.loop.body.params;
      const kept = this.#left.map((value) =>
        value.id === counter?.id ? last : renamed(by, value),
      );
      return { turns: [nextRow, endFirst, endSecond], left: kept };
    }
    const { turn: end } = this.#columns(trips, second, endSecond, { iv: last, by, pages });
    const done = [endFirst, end];
    const after = freshTurns(b, 2);
    ops.push({
      kind: "if",
      results: flatTurns(after),
      cond: some,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: trips, yields: flatTurns(done) },
      else: { params: [], ops: [], yields: flatTurns([firstTurn, secondTurn]) },
      loc,
    });
    return { turns: [nextRow, ...after], left: [] };
  }

  /** The columns that the program before left, behind the first of this one: in the order in which they are read. */
  #ofLast(
    ops: SOp[],
    isLater: SValue,
    turn: Turn,
    { by, left }: { readonly by: Renaming; readonly left: readonly SValue[] },
  ): Turn {
    const { build: b, loc } = this.#scope;
    const inside: SOp[] = [];
    const moved = this.#copyLeft(inside, turn, by, left);
    const [after] = freshTurns(b, 1);
    invariant(after !== undefined, () => "a turn");
    ops.push({
      kind: "if",
      results: flatTurns([after]),
      cond: isLater,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: inside, yields: flatTurns([moved]) },
      else: { params: [], ops: [], yields: flatTurns([turn]) },
      loc,
    });
    return after;
  }

  /** The trips behind the first: the first dot's columns of each, the second's of the one before, whose pages are known. */
  #others(
    ops: SOp[],
    [lo, hi, stride]: readonly [SValue, SValue, SValue],
    begun: readonly Turn[],
    { by, pages }: { readonly by: Renaming; readonly pages: readonly SValue[] },
  ): {
    readonly ends: readonly Turn[];
    readonly last: SValue;
    readonly pages: readonly SValue[];
  } {
    const { build: b, columns, loc } = this.#scope;
    const [first, second] = columns;
    const at = freshTurns(b, 2);
    const [atFirst, atSecond] = at;
    invariant(atFirst !== undefined && atSecond !== undefined, () => "two turns");
    const [iv, before] = [b.scalar("n"), b.scalar("before")];
    const known = pages.map((value) => b.like(value));
    const body: SOp[] = [];
    const early = this.#columns(body, first, atFirst, { iv, by });
    const late = this.#columns(body, second, atSecond, { iv: before, by, pages: known });
    const ends = freshTurns(b, 2);
    const last = b.scalar("before");
    const left = pages.map((value) => b.like(value));
    ops.push({
      kind: "for",
      results: [...flatTurns(ends), last, ...left],
      lo: b.binary(ops, "add", lo, stride, "n"),
      hi,
      step: stride,
      inits: [...flatTurns(begun), lo, ...pages],
      body: {
        params: [iv, ...flatTurns(at), before, ...known],
        ops: body,
        yields: [...flatTurns([early.turn, late.turn]), iv, ...early.pages],
      },
      loc,
    });
    return { ends, last, pages: left };
  }
}

/** Which trip columns are of. */
interface Trip {
  readonly iv: SValue;
  readonly by: Renaming;
  readonly pages?: readonly SValue[];
}

/** Which program it is, and the block's first and next ones. */
interface Place {
  readonly pids: readonly SValue[];
  readonly program: SValue;
  readonly next: SValue;
  readonly first: SValue;
}

/** Where the role stands in its rings, and the address of columns that a program has left to the next one. */
interface Standing {
  readonly turns: readonly Turn[];
  readonly left: readonly SValue[];
}

/**
 * The role of the thread that copies, over all programs of its block.
 * @param isOverlapped every program has a trip, and the next one's first columns come before the last of this one
 */
export function chainCopies(scope: ChainScope, walk: Walk, isOverlapped: boolean): SBlock {
  return new ChainCopies(scope, isOverlapped).role(walk);
}
