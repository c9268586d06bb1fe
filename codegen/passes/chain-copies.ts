/** [codegen/passes] The role that copies for two chained dots: the rows of a program, then the columns of each trip, those of the second dot a trip behind. */
import { invariant } from "../../dsl/index.ts";
import { backwardSlice } from "../analysis/backward-slice.ts";
import type { SBlock, SOp, SValue } from "../ir/scheduled.ts";
import { mapScheduledOperands, scheduledOperands } from "../ir/visit-scheduled.ts";
import {
  type ChainScope,
  type CopyRing,
  flatTurns,
  freshTurns,
  programLoop,
  roleStart,
  step,
  turnsOf,
} from "./chain-parts.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { isTensorCopy, placeOps, type Turn } from "./role-parts.ts";
import { type Program, programOf, type Walk } from "./walk-programs.ts";

class ChainCopies {
  readonly #scope: ChainScope;
  /** What addresses and bounds are made of, outside of the loop. */
  readonly #outside: readonly SOp[];
  /** The same inside of it, for each ring of columns. */
  readonly #inside: ReadonlyMap<CopyRing, readonly SOp[]>;

  constructor(scope: ChainScope) {
    const { parts, rows, columns } = scope;
    this.#scope = scope;
    const needed = new Set<number>();
    const { lo, hi, step: by, body } = parts.loop;
    for (const value of [lo, hi, by, ...scheduledOperands(rows.copy)]) needed.add(value.id);
    const own = body.ops.filter((op) => !isTensorCopy(op) && op.kind !== "dot");
    this.#inside = new Map(
      columns.map((ring) => {
        const wanted = new Set(scheduledOperands(ring.copy).map(({ id }) => id));
        const slice = backwardSlice(own, wanted);
        for (const id of wanted) needed.add(id);
        return [ring, slice] as const;
      }),
    );
    this.#outside = backwardSlice(parts.before, needed);
  }

  role(walk: Walk): SBlock {
    const { build: b, loc, work } = this.#scope;
    const ops = roleStart(this.#scope);
    const { first, blocks, zero } = walk;
    const turns = [zero, zero, zero, zero, zero, zero];
    if (work === undefined) {
      const loop = programLoop(this.#scope, walk, turns, (inner, program, flat) => {
        const at = programOf(inner, b, walk, program);
        const after = this.#program(inner, at, turnsOf(flat), undefined);
        return { next: program, yields: flatTurns(after) };
      });
      return { params: [], ops: [...ops, loop], yields: [] };
    }
    // Two programs of each block need no counter; then it is asked a program ahead.
    const second = b.binary(ops, "add", first, blocks, "next");
    const rest = b.binary(ops, "add", blocks, blocks, "counted");
    ops.push(
      programLoop(this.#scope, walk, [second, ...turns], (inner, program, [next, ...flat]) => {
        invariant(next !== undefined, () => "a program that follows");
        const asked = b.scalar("asked");
        inner.push({ kind: "next_program", result: asked, first: rest, after: next, blocks, loc });
        const at = programOf(inner, b, walk, program);
        const after = this.#program(inner, at, turnsOf(flat), next);
        return { next, yields: [asked, ...flatTurns(after)] };
      }),
      { kind: "programs_done", blocks, loc },
    );
    return { params: [], ops, yields: [] };
  }

  /** One box into the next slot of its ring, when those who read the slot before are done. */
  #copy(ops: SOp[], ring: CopyRing, turn: Turn, by: Renaming, along: readonly SOp[] = []): Turn {
    const { build: b, loc } = this.#scope;
    const free = b.binary(ops, "xor", turn.parity, b.constant(ops, 1, "one"), "free");
    const { slot } = turn;
    const moved = mapScheduledOperands(ring.copy, (value) => renamed(by, value));
    invariant(isTensorCopy(moved), () => "renaming made another op of a copy");
    const full = { buffer: ring.full, slot };
    ops.push(
      { kind: "mbarrier_wait", on: { buffer: ring.empty, slot }, parity: free, loc },
      ...along,
      { kind: "mbarrier_expect", on: full, bytes: ring.bytes, loc },
      { ...moved, into: { buffer: ring.copy.into.buffer, slot }, signal: full },
    );
    return step(b, ops, ring, turn);
  }

  /** The columns of the trip whose counter is `iv`. */
  #columns(ops: SOp[], ring: CopyRing, turn: Turn, iv: SValue, outer: Renaming): Turn {
    const by: Renaming = new Map(outer);
    const [counter] = this.#scope.parts.loop.body.params;
    if (counter !== undefined) by.set(counter.id, iv);
    ops.push(...cloneOps(this.#inside.get(ring) ?? [], by, this.#scope.build));
    return this.#copy(ops, ring, turn, by);
  }

  /** @param following number of the block's next program, which goes along with the rows */
  #program(
    ops: SOp[],
    { pids }: Program,
    turns: readonly Turn[],
    following: SValue | undefined,
  ): readonly Turn[] {
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
    const along: readonly SOp[] =
      work === undefined || following === undefined
        ? []
        : [{ kind: "post", into: { buffer: work }, value: following, loc }];
    const nextRow = this.#copy(ops, rows, rowTurn, by, along);
    const some = b.compare(ops, "lt", lo, hi, "some");
    const trips: SOp[] = [];
    const begun = this.#columns(trips, first, firstTurn, lo, by);
    const at = freshTurns(b, 2);
    const [atFirst, atSecond] = at;
    const [iv, before] = [b.scalar("n"), b.scalar("before")];
    const body: SOp[] = [];
    invariant(atFirst !== undefined && atSecond !== undefined, () => "two turns");
    const next = [
      this.#columns(body, first, atFirst, iv, by),
      this.#columns(body, second, atSecond, before, by),
    ];
    const ends = freshTurns(b, 2);
    const [endFirst, endSecond] = ends;
    const last = b.scalar("before");
    trips.push({
      kind: "for",
      results: [...flatTurns(ends), last],
      lo: b.binary(trips, "add", lo, stride, "n"),
      hi,
      step: stride,
      inits: [...flatTurns([begun, secondTurn]), lo],
      body: {
        params: [iv, ...flatTurns(at), before],
        ops: body,
        yields: [...flatTurns(next), iv],
      },
      loc,
    });
    invariant(endFirst !== undefined && endSecond !== undefined, () => "two turns");
    const done = [endFirst, this.#columns(trips, second, endSecond, last, by)];
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
    return [nextRow, ...after];
  }
}

/** The role of the thread that copies, over all programs of its block. */
export function chainCopies(scope: ChainScope, walk: Walk): SBlock {
  return new ChainCopies(scope).role(walk);
}
