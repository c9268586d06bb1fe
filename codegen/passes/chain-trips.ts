/** [codegen/passes] Trips of two chained dots as the warpgroups that multiply make them: the second dot of a trip runs under the next one. Used by chain-programs. */
import { invariant } from "../../dsl/index.ts";
import type { DotOperand, SDot, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledResults } from "../ir/visit-scheduled.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { pairedLayout, wgmmaOperandA } from "../layout/mma-layout.ts";
import { type ChainScope, type CopyRing, flatTurns, freshTurns } from "./chain-parts.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { type FullPart, fullPart, type Piece } from "./full-part.ts";
import { onlyIf } from "./ring-buffers.ts";
import { advance, type Turn, WARPS_IN_GROUP } from "./role-parts.ts";
import { type SplitTrip, splitTrip } from "./split-trip.ts";
import { programOf, type Walk } from "./walk-programs.ts";

/** What a trip hands to the next one: what the loop carries, and the second dot that it leaves to it. */
export interface State {
  /** Carried values but the sum, in the loop's order. */
  readonly plain: readonly SValue[];
  readonly sum: SValue;
  /** Operand of the second dot; absent before the first trip. */
  readonly left?: SValue;
  readonly turns: readonly [Turn, Turn];
}

/** The second dot that a trip finds under way: of the trip before, or of the program before, whose end then follows it. */
export interface Pending {
  readonly state: State;
  readonly end?: (ops: SOp[], sum: SValue) => void;
}

/** Rows of a program, where the role then stands in their ring, and the words that came along. */
export interface Rows {
  /** In registers; absent where every trip reads them from shared memory. */
  readonly pairs?: SValue;
  readonly turn: Turn;
  /** Number of the block's next program. */
  readonly next: SValue;
  readonly pids: readonly SValue[];
}

export class ChainTrips {
  readonly scope: ChainScope;
  readonly trip: SplitTrip;
  readonly full: FullPart | undefined;

  constructor(scope: ChainScope) {
    this.scope = scope;
    this.trip = splitTrip(scope.parts.loop, scope.build);
    this.full = fullPart(scope.kernel, scope.parts.loop, this.trip.middle);
  }

  /** Carried values of the loop but the sum. */
  plain<T>(list: readonly T[]): T[] {
    const [, ...carried] = this.scope.parts.loop.body.params;
    return list.filter((_, i) => carried[i]?.id !== this.trip.sum.id);
  }

  sum<T>(list: readonly T[]): T {
    const [, ...carried] = this.scope.parts.loop.body.params;
    const found = list.find((_, i) => carried[i]?.id === this.trip.sum.id);
    invariant(found !== undefined, () => "a chain without its sum");
    return found;
  }

  /** Results of the loop, in its order. */
  results(plain: readonly SValue[], sum: SValue): readonly SValue[] {
    const left = [...plain];
    const [, ...carried] = this.scope.parts.loop.body.params;
    return carried.map((param) => (param.id === this.trip.sum.id ? sum : (left.shift() ?? param)));
  }

  /** The state before the first trip of a program. */
  begin(by: Renaming, turns: readonly [Turn, Turn]): State {
    const inits = this.scope.parts.loop.inits.map((value) => renamed(by, value));
    return { plain: this.plain(inits), sum: this.sum(inits), turns };
  }

  #wait(ring: CopyRing, { slot, parity }: Turn): SOp {
    return { kind: "mbarrier_wait", on: { buffer: ring.full, slot }, parity, loc: this.scope.loc };
  }

  #giveBack(ring: CopyRing, { slot }: Turn): SOp {
    return { kind: "mbarrier_arrive", on: { buffer: ring.empty, slot }, loc: this.scope.loc };
  }

  /** The rows of the first dot are there, in registers or in shared memory, and the words that come along. */
  rows(ops: SOp[], turn: Turn, program: SValue, walk: Walk): Rows {
    const { build: b, rows, loc, work, keepsRows } = this.scope;
    ops.push(this.#wait(rows, turn));
    const { pids } = programOf(ops, b, walk, program);
    const follows = b.binary(ops, "add", program, walk.blocks, "next");
    const words = [follows, ...pids].map((same, word) => {
      const result = b.like(same);
      ops.push({ kind: "fetch", result, from: { buffer: work }, word, same, loc });
      return result;
    });
    const pairs = keepsRows ? this.#loadRows(ops, turn) : undefined;
    const [next = follows, ...place] = words;
    const rest = { turn: advance(b, ops, rows.stages, turn), next, pids: place };
    return pairs === undefined ? rest : { pairs, ...rest };
  }

  /** The rows go to registers, where they stay for all trips; their place is free for the next program's. */
  #loadRows(ops: SOp[], { slot }: Turn): SValue {
    const { build: b, rows, kernel, loc } = this.scope;
    const { a, axis } = this.trip.first;
    invariant(a.kind === "shared", () => "the rows of a chain do not come from shared memory");
    const [m, k] = a.axes;
    const buffer = kernel.shared.find(({ name }) => name === a.ref.buffer);
    invariant(m !== undefined && k !== undefined && buffer !== undefined, () => "rows of two axes");
    const layout = wgmmaOperandA(m, k, kernel.numWarps / WARPS_IN_GROUP);
    const { dtype } = a;
    const boxed = inPanels(layout, axis, buffer.axes);
    const tile: SValue = { ...b.scalar("rows"), type: { dtype, axes: buffer.axes }, layout: boxed };
    const whole: SValue = { ...b.scalar("rows"), type: { dtype, axes: a.axes }, layout };
    const word = { name: `${axis}_pair`, size: k.size / 2 };
    const pairs: SValue = {
      ...b.scalar("row_pairs"),
      type: { dtype: "u32", axes: [m, word] },
      layout: pairedLayout(layout, axis, word),
    };
    ops.push(
      { kind: "shared_load", result: tile, from: { buffer: buffer.name }, width: 2, loc },
      { kind: "relabel", result: whole, x: tile, loc },
      { kind: "pack_pairs", result: pairs, x: whole, axis, loc },
      { kind: "mbarrier_arrive", on: { buffer: rows.empty, slot }, warps: true, loc },
    );
    return pairs;
  }

  /** Rows that lie in shared memory are read for the last time in the last trip: behind its first dot their place is free. */
  giveRowsBack(ops: SOp[]): void {
    const { build: b, rows, loc } = this.scope;
    const on = { buffer: rows.empty, slot: b.constant(ops, 0, "zero") };
    ops.push({ kind: "mbarrier_arrive", on, warps: true, loc });
  }

  #rowsRead(ops: SOp[], iv: SValue, by: Renaming): void {
    const { build: b, loc, keepsRows } = this.scope;
    if (keepsRows) return;
    const [, hi, stride] = this.bounds(by);
    const isLast = b.compare(ops, "ge", b.binary(ops, "add", iv, stride, "n"), hi, "last");
    const inside: SOp[] = [];
    this.giveRowsBack(inside);
    ops.push(onlyIf(isLast, inside, loc));
  }

  #second(ops: SOp[], { sum, left, turns }: State): SValue {
    const { build: b, columns } = this.scope;
    const { second } = this.trip;
    const { a, b: columnsOf } = second;
    invariant(
      a.kind === "register" && columnsOf.kind === "shared" && left !== undefined,
      () => "operands of a chain",
    );
    const result = b.like(second.result);
    const { slot } = turns[1];
    const dot: SDot = {
      ...second,
      result,
      a: { ...a, value: left },
      b: { ...columnsOf, ref: { buffer: columnsOf.ref.buffer, slot } },
      acc: sum,
    };
    ops.push(this.#wait(columns[1], turns[1]), dot);
    return result;
  }

  /** @param behind a bool that is at hand, where what stands before is to run under the dot */
  #landed(ops: SOp[], turn: Turn, sum: SValue, behind?: SValue): Turn {
    const { build: b, columns, loc } = this.scope;
    const after = behind === undefined ? {} : { behind };
    ops.push(
      { kind: "dot_wait", pending: 0, done: [sum], ...after, loc },
      this.#giveBack(columns[1], turn),
    );
    return advance(b, ops, columns[1].stages, turn);
  }

  /** The second dot that the last trip left. */
  last(ops: SOp[], state: State): { readonly sum: SValue; readonly turn: Turn } {
    const sum = this.#second(ops, state);
    return { sum, turn: this.#landed(ops, state.turns[1], sum) };
  }

  #first(ops: SOp[], pairs: SValue | undefined, turn: Turn, by: Renaming): SValue {
    const { build: b, columns } = this.scope;
    const { first, middle } = this.trip;
    const { a, b: shared, instruction, acc } = first;
    invariant(
      a.kind === "shared" && shared.kind === "shared" && instruction.kind === "wgmma",
      () => "operands of a chain",
    );
    const start = middle.filter((op) => op.kind === "const" && op.result.id === acc.id);
    ops.push(...cloneOps(start, by, b), this.#wait(columns[0], turn));
    const result = b.like(first.result);
    by.set(first.result.id, result);
    const rows: DotOperand =
      pairs === undefined
        ? a
        : { kind: "register", value: pairs, pairs: { dtype: a.dtype, axes: a.axes } };
    ops.push({
      ...first,
      result,
      a: rows,
      b: { ...shared, ref: { buffer: shared.ref.buffer, slot: turn.slot } },
      acc: renamed(by, acc),
      instruction: { ...instruction, fresh: true },
    });
    return result;
  }

  /**
   * One trip; a second dot that is pending runs while this trip's first is awaited and what follows it is computed.
   * @param isFull whether no mask is needed, as far as known
   */
  one(
    ops: SOp[],
    iv: SValue,
    state: State,
    pairs: SValue | undefined,
    outer: Renaming,
    isFull: boolean | SValue,
    pending?: Pending,
  ): State {
    const { build: b, parts, columns, loc } = this.scope;
    const { second, middle, feed, late, sum } = this.trip;
    const [counter, ...carried] = parts.loop.body.params;
    const by: Renaming = new Map(outer);
    if (counter !== undefined) by.set(counter.id, iv);
    for (const [i, param] of this.plain(carried).entries())
      by.set(param.id, state.plain[i] ?? param);
    const result = this.#first(ops, pairs, state.turns[0], by);
    const added = pending === undefined ? undefined : this.#second(ops, pending.state);
    ops.push({ kind: "dot_wait", pending: added === undefined ? 0 : 1, done: [result], loc });
    ops.push(this.#giveBack(columns[0], state.turns[0]));
    const next = advance(b, ops, columns[0].stages, state.turns[0]);
    this.#rowsRead(ops, iv, outer);
    this.#middle(ops, middle, by, isFull);
    // Products of bytes are short: exponentials run under them, not behind. For that the branch of each warp that rescales is at hand.
    const isByte = feed.some((op) => op.kind === "pack_quads");
    const branch = isByte ? late.find((op) => op.kind === "if" && op.warp === true) : undefined;
    const behind = branch?.kind === "if" ? renamed(by, branch.cond) : undefined;
    const [, before] = state.turns;
    const turn = added === undefined ? before : this.#landed(ops, before, added, behind);
    ops.push(...cloneOps(feed, by, b));
    if (added !== undefined) pending?.end?.(ops, added);
    by.set(sum.id, pending?.end === undefined ? (added ?? state.sum) : state.sum);
    ops.push(...cloneOps(late, by, b));
    invariant(second.a.kind === "register", () => "the second dot reads no registers");
    return {
      plain: this.plain(parts.loop.body.yields).map((value) => renamed(by, value)),
      sum: renamed(by, second.acc),
      left: renamed(by, second.a.value),
      turns: [next, turn],
    };
  }

  /** What runs between the dots: without the selects that full trips do not need, or with a branch around them. */
  #middle(ops: SOp[], middle: readonly SOp[], by: Renaming, isFull: boolean | SValue): void {
    const { build: b, loc } = this.scope;
    const selects = isFull === false ? undefined : this.full?.selects;
    for (const op of middle) {
      const taken = "result" in op ? selects?.get(op.result.id) : undefined;
      if (taken === undefined || op.kind !== "select") ops.push(...cloneOps([op], by, b));
      else if (isFull === true) by.set(op.result.id, renamed(by, taken));
      else if (isFull !== false) {
        const result = b.like(op.result);
        const cut = cloneOps([op], by, b);
        const yields = cut.flatMap(scheduledResults);
        by.set(op.result.id, result);
        const whole = { params: [], ops: [], yields: [renamed(by, taken)] };
        const masked = { params: [], ops: cut, yields };
        // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
        ops.push({ kind: "if", results: [result], cond: isFull, then: whole, else: masked, loc });
      }
    }
  }

  /** Bounds of the loop for a program. */
  bounds(by: Renaming): readonly [SValue, SValue, SValue] {
    const { lo, hi, step: stride } = this.scope.parts.loop;
    return [renamed(by, lo), renamed(by, hi), renamed(by, stride)];
  }

  /** The first trip of a program. */
  start(
    ops: SOp[],
    state: State,
    pairs: SValue | undefined,
    by: Renaming,
    pending?: Pending,
  ): State {
    const [lo] = this.bounds(by);
    const isWhole = this.full?.covers(ops, this.scope.build, lo, by) ?? false;
    return this.one(ops, lo, state, pairs, by, isWhole, pending);
  }

  /** The trips of a program behind its first. */
  others(ops: SOp[], before: State, pairs: SValue | undefined, by: Renaming): State {
    const { build: b } = this.scope;
    const [lo, hi, stride] = this.bounds(by);
    const from = b.binary(ops, "add", lo, stride, "n");
    const pieces =
      this.full === undefined
        ? [{ from, to: hi, isFull: false }]
        : this.full.pieces(ops, b, { from, to: hi, stride, by });
    let state = before;
    for (const piece of pieces) state = this.#loop(ops, piece, stride, state, pairs, by);
    return state;
  }

  /** Values of its own for everything in a state. */
  fresh(state: State): State {
    const { build: b } = this.scope;
    const [first, second] = freshTurns(b, 2);
    invariant(first !== undefined && second !== undefined, () => "two turns");
    return {
      plain: state.plain.map((value) => b.like(value)),
      sum: b.like(state.sum),
      ...(state.left === undefined ? {} : { left: b.like(state.left) }),
      turns: [first, second],
    };
  }

  #loop(
    ops: SOp[],
    { from, to, isFull }: Piece,
    stride: SValue,
    state: State,
    pairs: SValue | undefined,
    by: Renaming,
  ): State {
    const { build: b, parts } = this.scope;
    const [inside, after] = [this.fresh(state), this.fresh(state)];
    const iv = b.scalar(parts.loop.body.params[0]?.name ?? "n");
    const body: SOp[] = [];
    const next = this.one(body, iv, inside, pairs, by, isFull, { state: inside });
    ops.push({
      kind: "for",
      results: flatState(after),
      lo: from,
      hi: to,
      step: stride,
      inits: flatState(state),
      body: { params: [iv, ...flatState(inside)], ops: body, yields: flatState(next) },
      loc: parts.loop.loc,
    });
    return after;
  }
}

/** All values of a state, in the order in which loops and branches carry them. */
export function flatState({ plain, sum, left, turns }: State): readonly SValue[] {
  return [...plain, sum, ...(left === undefined ? [] : [left]), ...flatTurns(turns)];
}

/** The layout of whole rows for a buffer that holds them in panels: the same registers. */
function inPanels(
  layout: RegisterLayout,
  axis: string,
  axes: RegisterLayout["axes"],
): RegisterLayout {
  const panel = axes.find((one) => !layout.axes.some(({ name }) => name === one.name));
  if (panel === undefined) return layout;
  const part = axes.find(({ name }) => name === axis)?.size ?? 1;
  const reg = layout.reg.flatMap((iter) => {
    if (iter.axis !== axis || iter.stride * iter.extent <= part) return [iter];
    const inside = part / iter.stride;
    const far = { extent: iter.extent / inside, axis: panel.name, stride: 1 };
    return [{ ...iter, extent: inside }, far];
  });
  return { ...layout, axes, reg };
}
