/**
 * [codegen/passes] A loop with two dots, the second of what the first gave, between a thread that copies and warpgroups that multiply. The second
 * dot of a trip runs under the work between the dots of the next one. Part of specialize-warps.
 */
import { invariant } from "../../dsl/index.ts";
import type { DotOperand, SBlock, ScheduledKernel, SDot, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledResults } from "../ir/visit-scheduled.ts";
import { pairedLayout, wgmmaOperandA } from "../layout/mma-layout.ts";
import { placeBuffers } from "./allocate-shared.ts";
import { chainCopies } from "./chain-copies.ts";
import {
  type ChainParts,
  type ChainScope,
  type CopyRing,
  chainRole,
  findChain,
  flatTurns,
  freshTurns,
  ringOf,
  step,
} from "./chain-parts.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { type FullPart, fullPart } from "./full-part.ts";
import { hasFeature, type PassContext } from "./pass.ts";
import { barrierRing } from "./ring-buffers.ts";
import { placeOps, type Turn } from "./role-parts.ts";
import { ScalarBuilder } from "./scalar-builder.ts";
import { type SplitTrip, splitTrip } from "./split-trip.ts";
import { type Program, walkPrograms } from "./walk-programs.ts";

const PASS = "specialize-warps";
const WARPS_IN_GROUP = 4;
/** Registers of a thread in each role where two warpgroups multiply. */
const REGISTERS = { producer: 24, consumer: 240 };
/** Most slots that are worth having for the columns of the first dot, and those of the second. */
const SLOTS = [3, 2] as const;
const FEWEST = 2;

/** What a trip hands to the next one: what the loop carries, and the second dot that it leaves to it. */
interface State {
  /** Carried values but the sum, in the loop's order. */
  readonly plain: readonly SValue[];
  readonly sum: SValue;
  /** Operand of the second dot. */
  readonly left: SValue;
  readonly turns: readonly [Turn, Turn];
}

class ChainConsumer {
  readonly #scope: ChainScope;
  readonly #trip: SplitTrip;
  readonly #full: FullPart | undefined;

  constructor(scope: ChainScope) {
    this.#scope = scope;
    this.#trip = splitTrip(scope.parts.loop, scope.build);
    this.#full = fullPart(scope.kernel, scope.parts.loop, this.#trip.middle);
  }

  get hasFullTrips(): boolean {
    return this.#full !== undefined;
  }

  /** Carried values of the loop but the sum. */
  #plain<T>(list: readonly T[]): T[] {
    const [, ...carried] = this.#scope.parts.loop.body.params;
    return list.filter((_, i) => carried[i]?.id !== this.#trip.sum.id);
  }

  #pick<T>(list: readonly T[]): T {
    const [, ...carried] = this.#scope.parts.loop.body.params;
    const found = list.find((_, i) => carried[i]?.id === this.#trip.sum.id);
    invariant(found !== undefined, () => "a chain without its sum");
    return found;
  }

  /** The program itself. */
  program(ops: SOp[], { pids }: Program, turns: readonly Turn[]): readonly Turn[] {
    const { build: b, parts, loc } = this.#scope;
    const { before, loop, after } = parts;
    const [rowTurn, first, second] = turns;
    invariant(
      rowTurn !== undefined && first !== undefined && second !== undefined,
      () => "a role stands in three rings",
    );
    const by: Renaming = new Map();
    ops.push(...placeOps(before, pids, by));
    const rows = this.#rows(ops, rowTurn);
    const use = (value: SValue): SValue => renamed(by, value);
    const [lo, hi] = [use(loop.lo), use(loop.hi)];
    const some = b.compare(ops, "lt", lo, hi, "some");
    const trips: SOp[] = [];
    const inits = loop.inits.map(use);
    const done = this.#trips(trips, inits, rows.pairs, by, [first, second]);
    const ends = freshTurns(b, 2);
    const sums = loop.results.map((_, i) => done.results[i] ?? this.#pick(inits));
    ops.push({
      kind: "if",
      results: [...loop.results, ...flatTurns(ends)],
      cond: some,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: trips, yields: [...sums, ...flatTurns(done.turns)] },
      else: { params: [], ops: [], yields: [...inits, ...flatTurns([first, second])] },
      loc,
    });
    ops.push(...placeOps(after, pids, by));
    return [rows.turn, ...ends];
  }

  #wait(ring: CopyRing, { slot, parity }: Turn): SOp {
    return { kind: "mbarrier_wait", on: { buffer: ring.full, slot }, parity, loc: this.#scope.loc };
  }

  #giveBack(ring: CopyRing, { slot }: Turn): SOp {
    return { kind: "mbarrier_arrive", on: { buffer: ring.empty, slot }, loc: this.#scope.loc };
  }

  /** The rows of the first dot go to registers, where they stay for all trips; their place is free for the next program's. */
  #rows(ops: SOp[], turn: Turn): { readonly pairs: DotOperand; readonly turn: Turn } {
    const { build: b, rows, kernel, loc } = this.#scope;
    const { a, axis } = this.#trip.first;
    invariant(a.kind === "shared", () => "the rows of a chain do not come from shared memory");
    const [m, k] = a.axes;
    const buffer = kernel.shared.find(({ name }) => name === a.ref.buffer);
    invariant(m !== undefined && k !== undefined && buffer !== undefined, () => "rows of two axes");
    const groups = kernel.numWarps / WARPS_IN_GROUP;
    const layout = wgmmaOperandA(m, k, groups);
    const part = buffer.axes.at(-1)?.size ?? k.size;
    const boxed = buffer.axes.length === 2 ? layout : inPanels(layout, axis, part, buffer.axes);
    const tile: SValue = {
      ...b.scalar("rows"),
      type: { dtype: a.dtype, axes: buffer.axes },
      layout: boxed,
    };
    const whole: SValue = { ...b.scalar("rows"), type: { dtype: a.dtype, axes: a.axes }, layout };
    const word = { name: `${axis}_pair`, size: k.size / 2 };
    const paired = pairedLayout(layout, axis, word);
    const axes = [m, word];
    const pairs: SValue = {
      ...b.scalar("row_pairs"),
      type: { dtype: "u32", axes },
      layout: paired,
    };
    ops.push(
      this.#wait(rows, turn),
      { kind: "shared_load", result: tile, from: { buffer: buffer.name }, width: 2, loc },
      { kind: "relabel", result: whole, x: tile, loc },
      { kind: "pack_pairs", result: pairs, x: whole, axis, loc },
      { kind: "mbarrier_arrive", on: { buffer: rows.empty, slot: turn.slot }, warps: true, loc },
    );
    return {
      pairs: { kind: "register", value: pairs, pairs: { dtype: a.dtype, axes: a.axes } },
      turn: step(b, ops, rows, turn),
    };
  }

  #second(ops: SOp[], { sum, left, turns }: State): SValue {
    const { build: b, columns } = this.#scope;
    const { second } = this.#trip;
    const { a, b: columnsOf } = second;
    invariant(a.kind === "register" && columnsOf.kind === "shared", () => "operands of a chain");
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

  /** One trip; the second dot of the one before runs while this one's first is awaited and what follows it is computed. */
  #one(
    ops: SOp[],
    iv: SValue,
    state: Omit<State, "left"> & { readonly left?: SValue },
    rows: DotOperand,
    outer: Renaming,
    isFull: boolean | SValue,
  ): State {
    const { build: b, parts, columns, loc } = this.#scope;
    const { first, second, middle, late, sum } = this.#trip;
    const [counter, ...carried] = parts.loop.body.params;
    const by: Renaming = new Map(outer);
    if (counter !== undefined) by.set(counter.id, iv);
    for (const [i, param] of this.#plain(carried).entries())
      by.set(param.id, state.plain[i] ?? param);
    const start = middle.filter((op) => op.kind === "const" && op.result.id === first.acc.id);
    ops.push(...cloneOps(start, by, b), this.#wait(columns[0], state.turns[0]));
    const result = b.like(first.result);
    by.set(first.result.id, result);
    const { b: shared, instruction } = first;
    invariant(shared.kind === "shared" && instruction.kind === "wgmma", () => "a dot of a chain");
    const at = { buffer: shared.ref.buffer, slot: state.turns[0].slot };
    ops.push({
      ...first,
      result,
      a: rows,
      b: { ...shared, ref: at },
      acc: renamed(by, first.acc),
      instruction: { ...instruction, fresh: true },
    });
    const { left } = state;
    const added = left === undefined ? undefined : this.#second(ops, { ...state, left });
    const pending = added === undefined ? 0 : 1;
    ops.push({ kind: "dot_wait", pending, done: [result], loc });
    ops.push(this.#giveBack(columns[0], state.turns[0]));
    const next = step(b, ops, columns[0], state.turns[0]);
    this.#middle(
      ops,
      middle.filter((op) => !start.includes(op)),
      by,
      isFull,
    );
    let turn = state.turns[1];
    if (added !== undefined) {
      ops.push({ kind: "dot_wait", pending: 0, done: [added], loc });
      ops.push(this.#giveBack(columns[1], turn));
      turn = step(b, ops, columns[1], turn);
    }
    by.set(sum.id, added ?? state.sum);
    ops.push(...cloneOps(late, by, b));
    invariant(second.a.kind === "register", () => "the second dot reads no registers");
    return {
      plain: this.#plain(parts.loop.body.yields).map((value) => renamed(by, value)),
      sum: renamed(by, second.acc),
      left: renamed(by, second.a.value),
      turns: [next, turn],
    };
  }

  /** What runs between the dots: without the selects that full trips do not need, or with a branch around them. */
  #middle(ops: SOp[], middle: readonly SOp[], by: Renaming, isFull: boolean | SValue): void {
    const { build: b, loc } = this.#scope;
    const selects = isFull === false ? undefined : this.#full?.selects;
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

  /** The first trip, loops over the others, the last second dot. */
  #trips(
    ops: SOp[],
    inits: readonly SValue[],
    rows: DotOperand,
    by: Renaming,
    turns: readonly [Turn, Turn],
  ): { readonly results: readonly SValue[]; readonly turns: readonly Turn[] } {
    const { build: b, parts, columns, loc } = this.#scope;
    const { loop } = parts;
    const [lo, hi, stride] = [loop.lo, loop.hi, loop.step].map((value) => renamed(by, value));
    invariant(
      lo !== undefined && hi !== undefined && stride !== undefined,
      () => "a loop without bounds",
    );
    const begin = { plain: this.#plain(inits), sum: this.#pick(inits), turns };
    const isWhole = this.#full?.covers(ops, b, lo, by) ?? false;
    let state = this.#one(ops, lo, begin, rows, by, isWhole);
    const from = b.binary(ops, "add", lo, stride, "n");
    const pieces =
      this.#full === undefined
        ? [{ from, to: hi, isFull: false }]
        : this.#full.pieces(ops, b, { from, to: hi, stride, by });
    for (const piece of pieces) state = this.#loop(ops, piece, stride, state, rows, by);
    const result = this.#second(ops, state);
    ops.push({ kind: "dot_wait", pending: 0, done: [result], loc });
    ops.push(this.#giveBack(columns[1], state.turns[1]));
    const last = step(b, ops, columns[1], state.turns[1]);
    const plain = [...state.plain];
    const [, ...carried] = loop.body.params;
    const results = carried.map((param) =>
      param.id === this.#trip.sum.id ? result : (plain.shift() ?? param),
    );
    return { results, turns: [state.turns[0], last] };
  }

  #loop(
    ops: SOp[],
    { from, to, isFull }: { readonly from: SValue; readonly to: SValue; readonly isFull: boolean },
    stride: SValue,
    state: State,
    rows: DotOperand,
    by: Renaming,
  ): State {
    const { build: b, parts } = this.#scope;
    const carry = (): State => {
      const [first, second] = freshTurns(b, 2);
      invariant(first !== undefined && second !== undefined, () => "two turns");
      return {
        plain: state.plain.map((value) => b.like(value)),
        sum: b.like(state.sum),
        left: b.like(state.left),
        turns: [first, second],
      };
    };
    const flat = ({ plain, sum, left, turns }: State): readonly SValue[] => [
      ...plain,
      sum,
      left,
      ...flatTurns(turns),
    ];
    const [inside, after] = [carry(), carry()];
    const iv = b.scalar(parts.loop.body.params[0]?.name ?? "n");
    const body: SOp[] = [];
    const next = this.#one(body, iv, inside, rows, by, isFull);
    ops.push({
      kind: "for",
      results: flat(after),
      lo: from,
      hi: to,
      step: stride,
      inits: flat(state),
      body: { params: [iv, ...flat(inside)], ops: body, yields: flat(next) },
      loc: parts.loop.loc,
    });
    return after;
  }
}

/** The layout of whole rows for a buffer that holds them in panels: the same registers. */
function inPanels(
  layout: ReturnType<typeof wgmmaOperandA>,
  axis: string,
  part: number,
  axes: ReturnType<typeof wgmmaOperandA>["axes"],
): ReturnType<typeof wgmmaOperandA> {
  const panel = axes.find((one) => !layout.axes.some(({ name }) => name === one.name));
  const reg = layout.reg.flatMap((iter) => {
    if (iter.axis !== axis || iter.stride * iter.extent <= part) return [iter];
    const inside = part / iter.stride;
    const far = { extent: iter.extent / inside, axis: panel?.name ?? axis, stride: 1 };
    return [{ ...iter, extent: inside }, far];
  });
  return { ...layout, axes, reg };
}

function bodyOf(scope: ChainScope, context: PassContext): SBlock {
  const { kernel, rows, columns, build, loc } = scope;
  const consumers = kernel.numWarps / WARPS_IN_GROUP;
  const ops: SOp[] = [rows, ...columns].flatMap((ring): SOp[] => [
    { kind: "mbarrier_init", barrier: ring.full, arrivals: 1, loc },
    {
      kind: "mbarrier_init",
      barrier: ring.empty,
      arrivals: ring === rows ? kernel.numWarps : consumers,
      loc,
    },
  ]);
  ops.push({ kind: "barrier", loc });
  const walk = walkPrograms(ops, build, false);
  const consumer = new ChainConsumer(scope);
  if (consumer.hasFullTrips) context.remark(PASS, "trips that no mask cuts run without it", loc);
  ops.push({
    kind: "roles",
    producer: chainCopies(scope, walk),
    consumer: chainRole(scope, walk, (inner, program, turns) =>
      consumer.program(inner, program, turns),
    ),
    ...(consumers > 1 ? { registers: REGISTERS } : {}),
    loc,
  });
  return { params: [], ops, yields: [] };
}

function withRings(
  kernel: ScheduledKernel,
  parts: ChainParts,
  slots: readonly [number, number],
  context: PassContext,
): ScheduledKernel {
  const { loc } = parts.loop;
  const rows = ringOf(kernel, parts.rows, 1);
  const [first, second] = parts.columns;
  const columns = [ringOf(kernel, first, slots[0]), ringOf(kernel, second, slots[1])] as const;
  const rings = [rows, ...columns];
  const shared = kernel.shared.map((buffer) => {
    const ring = rings.find(({ copy }) => copy.into.buffer === buffer.name);
    return ring === undefined ? buffer : { ...buffer, stages: ring.stages };
  });
  const barriers = rings.flatMap(({ full, empty, stages }) => [
    barrierRing(full, stages),
    barrierRing(empty, stages),
  ]);
  const build = new ScalarBuilder(kernel, loc);
  const dependent = hasFeature(context, "dependent-launch");
  const scope: ChainScope = { kernel, parts, rows, columns, build, loc, dependent };
  return { ...kernel, body: bodyOf(scope, context), shared: [...shared, ...barriers] };
}

/** The kernel in roles, or undefined where it is no chain. As many slots as the loop asks for and shared memory holds, one more for the first dot. */
export function specializeChain(
  kernel: ScheduledKernel,
  context: PassContext,
): ScheduledKernel | undefined {
  const parts = findChain(kernel);
  if (parts === undefined) return undefined;
  const wanted = Math.max(FEWEST, parts.loop.stages ?? FEWEST);
  const mark = context.remarks.length;
  const limit = context.target.maxSharedBytes;
  const tries: readonly (readonly [number, number])[] = [
    [Math.max(wanted, SLOTS[0]), wanted],
    [wanted, wanted],
    SLOTS,
    [FEWEST, FEWEST],
  ];
  let result = kernel;
  for (const slots of tries) {
    context.dropRemarks(mark);
    result = withRings(kernel, parts, slots, context);
    if (placeBuffers(result).bytes > limit) continue;
    const groups = kernel.numWarps / WARPS_IN_GROUP;
    const who = groups === 1 ? "one warpgroup multiplies" : `${groups} warpgroups multiply`;
    const message = `${who} while one thread copies, ${slots.join(" and ")} slots; the second dot of a trip runs under the next one`;
    context.remark(PASS, message, parts.loop.loc);
    return result;
  }
  return result;
}
