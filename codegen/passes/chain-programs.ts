/**
 * [codegen/passes] How the warpgroups of two chained dots go from program to program: one after the other, or, where every program has a trip, with the
 * first trip of the next one begun before the last dot of this one is over. Used by specialize-chain.
 */
import { invariant } from "../../dsl/index.ts";
import type { SBlock, SOp, SValue } from "../ir/scheduled.ts";
import { isEffect, readsOf, scheduledResults, walkScheduled } from "../ir/visit-scheduled.ts";
import {
  flatTurns,
  freshTurns,
  type ProgramEnd,
  programLoop,
  roleStart,
  turnsOf,
} from "./chain-parts.ts";
import { type ChainTrips, flatState, type State } from "./chain-trips.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { isTensorCopy, placeOps, type Turn } from "./role-parts.ts";
import type { Walk } from "./walk-programs.ts";

/** Whether the loop makes a trip in every program. */
export function alwaysRuns({ scope }: ChainTrips): boolean {
  const definitions = new Map<number, SOp>();
  walkScheduled(scope.kernel.body, (op) => {
    for (const { id } of scheduledResults(op)) definitions.set(id, op);
  });
  const least = (value: SValue, depth = 0): number => {
    const op = definitions.get(value.id);
    if (op?.kind === "const") return op.value;
    if (op?.kind !== "binary" || depth > 8) return Number.NEGATIVE_INFINITY;
    const [a, b] = [least(op.a, depth + 1), least(op.b, depth + 1)];
    if (op.fn === "max") return Math.max(a, b);
    return op.fn === "min" ? Math.min(a, b) : Number.NEGATIVE_INFINITY;
  };
  const { lo, hi } = scope.parts.loop;
  const start = definitions.get(lo.id);
  if (start?.kind === "const") return least(hi) > start.value;
  const isBehind = (value: SValue): boolean => {
    const op = definitions.get(value.id);
    if (op?.kind !== "binary") return false;
    if (op.fn === "max") return isBehind(op.a) || isBehind(op.b);
    if (op.fn !== "add") return false;
    const more = op.a.id === lo.id ? op.b : op.b.id === lo.id ? op.a : undefined;
    return more !== undefined && least(more) > 0;
  };
  return isBehind(hi);
}

/** Each program by itself. */
export function programsApart(trips: ChainTrips, walk: Walk): SBlock {
  const { zero } = walk;
  const turns = [zero, zero, zero, zero, zero, zero];
  const role = roleStart(trips.scope);
  programLoop(role, trips.scope, walk, turns, (ops, program, flat) =>
    apart(trips, ops, program, turnsOf(flat), walk),
  );
  return { params: [], ops: role, yields: [] };
}

function apart(
  trips: ChainTrips,
  ops: SOp[],
  program: SValue,
  turns: readonly Turn[],
  walk: Walk,
): ProgramEnd {
  const { build: b, parts, loc } = trips.scope;
  const { before, loop, after } = parts;
  const [rowTurn, first, second] = turns;
  invariant(
    rowTurn !== undefined && first !== undefined && second !== undefined,
    () => "a role stands in three rings",
  );
  const by: Renaming = new Map();
  const rows = trips.rows(ops, rowTurn, program, walk);
  ops.push(...placeOps(before, rows.pids, by));
  const [lo, hi] = trips.bounds(by);
  const some = b.compare(ops, "lt", lo, hi, "some");
  const inside: SOp[] = [];
  const begin = trips.begin(by, [first, second]);
  const begun = trips.start(inside, begin, rows.pairs, by);
  const state = trips.others(inside, begun, rows.pairs, by);
  const { sum, turn } = trips.last(inside, state);
  const ends = freshTurns(b, 2);
  const none = trips.results(begin.plain, begin.sum);
  const unread: SOp[] = [];
  if (!trips.scope.keepsRows) trips.giveRowsBack(unread);
  ops.push({
    kind: "if",
    results: [...loop.results, ...flatTurns(ends)],
    cond: some,
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    then: {
      params: [],
      ops: inside,
      yields: [...trips.results(state.plain, sum), ...flatTurns([state.turns[0], turn])],
    },
    else: { params: [], ops: unread, yields: [...none, ...flatTurns([first, second])] },
    loc,
  });
  ops.push(...placeOps(after, rows.pids, by));
  return { next: rows.next, yields: flatTurns([rows.turn, ...ends]) };
}

/** A program that has begun: its state, its rows where registers hold them, where the role stands in their ring, and the program that follows. */
interface Begun {
  readonly state: State;
  readonly pairs?: SValue;
  readonly rowTurn: Turn;
  readonly next: SValue;
  /** What the program's other trips and its end read of what stands before the loop. */
  readonly live: readonly SValue[];
}

function ofRows(pairs: SValue | undefined): readonly SValue[] {
  return pairs === undefined ? [] : [pairs];
}

function withRows(pairs: SValue | undefined): { readonly pairs?: SValue } {
  return pairs === undefined ? {} : { pairs };
}

function flat({ state, pairs, rowTurn, next, live }: Begun): readonly SValue[] {
  return [...flatState(state), ...ofRows(pairs), ...flatTurns([rowTurn]), next, ...live];
}

/** The ops before the loop that are the same for all programs, the others, and what is read of those behind the first trip. */
interface Before {
  readonly common: readonly SOp[];
  readonly own: readonly SOp[];
  readonly live: readonly SValue[];
}

function splitBefore({ scope, full }: ChainTrips): Before {
  const { before, loop, after } = scope.parts;
  const own: SOp[] = [];
  const common: SOp[] = [];
  const made = new Map<number, SValue>();
  for (const op of before) {
    // What has an effect has it in every program.
    const isOwn =
      op.kind === "pid" ||
      op.kind === "atomic" ||
      isEffect(op) ||
      readsOf(op).some(({ id }) => made.has(id));
    (isOwn ? own : common).push(op);
    if (isOwn) for (const value of scheduledResults(op)) made.set(value.id, value);
  }
  const { lo, hi, step, body } = loop;
  const inside = [...body.ops.filter((op) => !isTensorCopy(op)), ...after].flatMap(readsOf);
  const read = [lo, hi, step, ...inside, ...body.yields, ...(full?.values ?? [])];
  const ids = new Set(read.map(({ id }) => id));
  return { common, own, live: [...made.values()].filter(({ id }) => ids.has(id)) };
}

class Overlapped {
  readonly #trips: ChainTrips;
  readonly #walk: Walk;
  readonly #before: Before;

  constructor(trips: ChainTrips, walk: Walk) {
    this.#trips = trips;
    this.#walk = walk;
    this.#before = splitBefore(trips);
  }

  role(): SBlock {
    const { scope } = this.#trips;
    const ops = roleStart(scope);
    ops.push(...placeOps(this.#before.common, [], new Map()));
    const begun = this.#entry(ops);
    programLoop(ops, scope, this.#walk, flat(begun), (body, _, carried) => {
      const now = this.#carried(begun, carried);
      return { next: now.next, yields: flat(this.#program(body, now)) };
    });
    return { params: [], ops, yields: [] };
  }

  /** The same of the values that a loop carries. */
  #carried({ state, pairs: rows }: Begun, values: readonly SValue[]): Begun {
    const { plain } = state;
    const [sum, left, ...rest] = values.slice(plain.length);
    const kept = ofRows(rows).length;
    const pairs = kept === 0 ? undefined : rest[4];
    const tail = rest.slice(4 + kept);
    const [first, second] = turnsOf(rest.slice(0, 4));
    const [rowTurn] = turnsOf(tail.slice(0, 2));
    const next = tail[2];
    invariant(
      sum !== undefined && left !== undefined && next !== undefined,
      () => "values of a program",
    );
    invariant(
      first !== undefined && second !== undefined && rowTurn !== undefined,
      () => "three turns",
    );
    const own: State = { plain: values.slice(0, plain.length), sum, left, turns: [first, second] };
    return { state: own, ...withRows(pairs), rowTurn, next, live: tail.slice(3) };
  }

  #fresh({ state, pairs, next, live }: Begun): Begun {
    const { build: b } = this.#trips.scope;
    const [rowTurn] = freshTurns(b, 1);
    invariant(rowTurn !== undefined, () => "a turn");
    return {
      state: this.#trips.fresh(state),
      ...withRows(pairs && b.like(pairs)),
      rowTurn,
      next: b.like(next),
      live: live.map((value) => b.like(value)),
    };
  }

  /** What stands for a program where none follows: values carried on for nothing would take registers. @param next kept where it is given */
  #blanks(ops: SOp[], results: Begun, next?: SValue): readonly SValue[] {
    const { build: b, loc } = this.#trips.scope;
    return flat(results).map((value) => {
      if (next !== undefined && value.id === results.next.id) return next;
      const result = b.like(value);
      ops.push({ kind: "const", result, value: 0, loc });
      return result;
    });
  }

  /** Blocks without a program begin nothing. */
  #entry(ops: SOp[]): Begun {
    const { build: b, loc } = this.#trips.scope;
    const { first, total, zero } = this.#walk;
    const some = b.compare(ops, "lt", first, total, "some");
    const then: SOp[] = [];
    const at: Turn = { slot: zero, parity: zero };
    const begun = this.#begin(then, first, at, [at, at]);
    const results = this.#fresh(begun);
    const none: SOp[] = [];
    const blanks = this.#blanks(none, results);
    ops.push({
      kind: "if",
      results: flat(results),
      cond: some,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: then, yields: flat(begun) },
      else: { params: [], ops: none, yields: blanks },
      loc,
    });
    return results;
  }

  /** The rows and the first trip of a program, under which the last dot of another one may run. */
  #begin(
    ops: SOp[],
    program: SValue,
    rowTurn: Turn,
    turns: readonly [Turn, Turn],
    pending?: { readonly state: State; readonly end: (ops: SOp[], sum: SValue) => void },
  ): Begun {
    const { build: b } = this.#trips.scope;
    const by: Renaming = new Map();
    const rows = this.#trips.rows(ops, rowTurn, program, this.#walk);
    ops.push(...cloneOps(placeOps(this.#before.own, rows.pids, by), by, b));
    const begin = this.#trips.begin(by, turns);
    const state = this.#trips.start(ops, begin, rows.pairs, by, pending);
    const live = this.#before.live.map((value) => renamed(by, value));
    return { state, ...withRows(rows.pairs), rowTurn: rows.turn, next: rows.next, live };
  }

  /** The other trips of a program; then the first of the next one, or its end. */
  #program(ops: SOp[], { state, pairs, rowTurn, next, live }: Begun): Begun {
    const { build: b, parts, loc } = this.#trips.scope;
    const { total } = this.#walk;
    const by: Renaming = new Map();
    for (const [i, { id }] of this.#before.live.entries()) by.set(id, live[i] ?? next);
    const done = this.#trips.others(ops, state, pairs, by);
    const isMore = b.compare(ops, "lt", next, total, "more");
    const finish = (into: SOp[], sum: SValue): void => {
      const own: Renaming = new Map(by);
      const values = this.#trips.results(done.plain, sum);
      for (const [i, { id }] of parts.loop.results.entries()) own.set(id, values[i] ?? sum);
      into.push(...cloneOps(placeOps(parts.after, [], own), own, b));
    };
    const change: SOp[] = [];
    const begun = this.#begin(change, next, rowTurn, done.turns, { state: done, end: finish });
    const end: SOp[] = [];
    const { sum } = this.#trips.last(end, done);
    finish(end, sum);
    const results = this.#fresh(begun);
    ops.push({
      kind: "if",
      results: flat(results),
      cond: isMore,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: change, yields: flat(begun) },
      else: { params: [], ops: end, yields: this.#blanks(end, results, next) },
      loc,
    });
    return results;
  }
}

/** The first trip of each program begins before the last dot of the program before is over. */
export function programsOverlapped(trips: ChainTrips, walk: Walk): SBlock {
  return new Overlapped(trips, walk).role();
}
