/** [codegen/passes] The role that copies: boxes of each trip into the next slot of the ring. The role that multiplies is in specialize-warps.ts. */
import { invariant } from "../../dsl/index.ts";
import { backwardSlice } from "../analysis/backward-slice.ts";
import { findEarly } from "../analysis/early-loads.ts";
import type { SBlock, SCopy, SDot, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  scheduledOperands,
  scheduledResults,
} from "../ir/visit-scheduled.ts";
import { cloneOps, type Renaming } from "./clone-scheduled.ts";
import { onlyIf } from "./ring-buffers.ts";
import {
  advance,
  isOperand,
  isTensorCopy,
  placeOps,
  type RoleScope,
  roleOf,
  type Turn,
} from "./role-parts.ts";
import { type Program, programOf, type Walk } from "./walk-programs.ts";

/** What the addresses of a program's copies are made of, outside and inside of the loop. */
interface Slices {
  readonly outside: readonly SOp[];
  readonly inside: readonly SOp[];
}

/** The buffer of the dot's second operand in the source: by custom the weight, which the launch before does not write. */
function weightBuffer({ a, b, result }: SDot): string | undefined {
  const [rows] = result.type.axes;
  const isSwapped = b.kind === "shared" && b.axes.some((axis) => axis.name === rows?.name);
  const weight = isSwapped ? a : b;
  return weight.kind === "shared" ? weight.ref.buffer : undefined;
}

/** Tensors that a block reads before it waits for the launch before: the driver sees to it that no launch which may still run writes them. */
export function earlyTensors(ops: readonly SOp[]): readonly string[] {
  const roles = ops.find((op) => op.kind === "roles");
  if (roles?.kind !== "roles") return findEarly(ops).tensors;
  const end = roles.producer.ops.findIndex((op) => op.kind === "wait_previous");
  const names = roles.producer.ops
    .slice(0, Math.max(0, end))
    .flatMap((op) => (op.kind === "for" ? op.body.ops.filter(isTensorCopy) : []))
    .map(({ tensor }) => tensor);
  return [...new Set(names)];
}

class CopyRole {
  readonly #scope: RoleScope;
  readonly #slices: Slices;
  /** Copies that may be ahead of the wait for the launch before; none in clusters, whose blocks share them. */
  readonly #early: readonly SCopy[];

  constructor(scope: RoleScope) {
    const { before, loop, copies, dot } = scope.parts;
    this.#scope = scope;
    const needed = new Set<number>();
    const need = (value: SValue): void => void needed.add(value.id);
    for (const copy of copies) for (const value of scheduledOperands(copy)) need(value);
    const inside = backwardSlice(
      loop.body.ops.filter((op) => !isTensorCopy(op) && op.kind !== "dot"),
      needed,
    );
    [loop.lo, loop.hi, loop.step].forEach(need);
    if (scope.lateEnd !== undefined) need(scope.lateEnd);
    this.#slices = { inside, outside: backwardSlice(before, needed) };
    const weight = weightBuffer(dot);
    this.#early =
      scope.dependent && !scope.cluster ? copies.filter((copy) => copy.into.buffer === weight) : [];
  }

  role(walk: Walk): SBlock {
    const ops: SOp[] = [];
    if (this.#early.length > 0) this.#copyAhead(ops, walk);
    return roleOf(this.#scope, walk, ops, (body, program, turn) =>
      this.#copyProgram(body, program, turn, walk),
    );
  }

  /** The kernel's ops for one program, with values of their own: ids are unique in a kernel. */
  #clone(list: readonly SOp[], pids: readonly SValue[], by: Renaming): readonly SOp[] {
    return cloneOps(placeOps(list, pids, by), by, this.#scope.build);
  }

  /** The copy into the slot, with the values of this copy of its ops. */
  #into(copy: SCopy, slot: SValue, by: Renaming, halves: Pick<SCopy, "halves"> = {}): SCopy {
    const { ring } = this.#scope;
    const moved = mapScheduledOperands(copy, (value) => by.get(value.id) ?? value);
    invariant(isTensorCopy(moved), () => "renaming made another op of a copy");
    const into = { buffer: copy.into.buffer, slot };
    return { ...moved, into, signal: { buffer: ring.full, slot }, ...halves };
  }

  #expect(slot: SValue): SOp {
    const { ring, loc } = this.#scope;
    return { kind: "mbarrier_expect", on: { buffer: ring.full, slot }, bytes: ring.bytes, loc };
  }

  /** Value of the loop's counter behind the trips that fit into an empty ring. */
  #endAhead(ops: SOp[], by: Renaming): SValue {
    const { build: b, parts, ring } = this.#scope;
    const { lo, hi, step } = parts.loop;
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const slots = b.constant(ops, ring.stages, "stages");
    const most = b.binary(ops, "mul", use(step), slots, "t");
    return b.binary(ops, "min", use(hi), b.binary(ops, "add", use(lo), most, "t"), "ahead");
  }

  /** The weights of the first program's trips, as many as the ring takes, before the launch before has ended. */
  #copyAhead(ops: SOp[], walk: Walk): void {
    const { build: b, parts, loc } = this.#scope;
    const { lo, step, body } = parts.loop;
    const by: Renaming = new Map();
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const { pids } = programOf(ops, b, walk, walk.first);
    ops.push(...this.#clone(this.#slices.outside, pids, by));
    const hasProgram = b.compare(ops, "lt", walk.first, walk.total, "some");
    const end = b.select(ops, hasProgram, this.#endAhead(ops, by), use(lo), "ahead");
    const counter = this.#counter(body.params[0] ?? lo, by);
    const slot = b.scalar("slot");
    const trip: SOp[] = [this.#expect(slot), ...this.#clone(this.#slices.inside, pids, by)];
    for (const copy of this.#early) trip.push(this.#into(copy, slot, by));
    const next = b.binary(trip, "add", slot, b.constant(trip, 1, "one"), "slot");
    const block = { params: [counter, slot], ops: trip, yields: [next] };
    const ends = { lo: use(lo), hi: end, step: use(step) };
    ops.push({
      kind: "for",
      results: [b.scalar("slot")],
      ...ends,
      inits: [walk.zero],
      body: block,
      loc,
    });
  }

  /**
   * Every second program of a block walks its trips from the last to the first, over what the one before left in the cache. Only sums that
   * do not ask in which order they come.
   * @returns what a counter and its mirrored one add up to
   */
  #backwards(
    ops: SOp[],
    index: SValue,
    { first, blocks }: Walk,
    [lo, hi, step]: readonly [SValue, SValue, SValue],
  ): { readonly isBack: SValue; readonly sum: SValue } | undefined {
    const { build: b, parts } = this.#scope;
    const [, ...carried] = parts.loop.body.params;
    if (!carried.some(({ id }) => id === parts.dot.acc.id) || !this.#scope.backwards)
      return undefined;
    const one = b.constant(ops, 1, "one");
    const turn = b.binary(ops, "floordiv", b.binary(ops, "sub", index, first, "t"), blocks, "turn");
    const isBack = b.compare(ops, "eq", b.binary(ops, "and", turn, one, "t"), one, "is_back");
    const most = b.binary(ops, "sub", b.binary(ops, "sub", hi, lo, "t"), one, "t");
    const trips = b.binary(ops, "mul", b.binary(ops, "floordiv", most, step, "t"), step, "t");
    return { isBack, sum: b.binary(ops, "add", b.binary(ops, "add", lo, lo, "t"), trips, "ends") };
  }

  /** For what is copied beside the operands: trips that only make bursts whole take it from the first, as their product is 0 whatever it is. */
  #real(ops: SOp[], by: Renaming, lo: SValue): Renaming {
    const { build: b, parts, lateEnd } = this.#scope;
    const iv = parts.loop.body.params[0];
    const hasMore = parts.copies.some(({ into }) => !isOperand(parts.dot, into.buffer));
    const place = iv === undefined ? undefined : by.get(iv.id);
    if (lateEnd === undefined || iv === undefined || place === undefined || !hasMore) return by;
    const isReal = b.compare(ops, "lt", place, by.get(lateEnd.id) ?? lateEnd, "real");
    return new Map(by).set(iv.id, b.select(ops, isReal, place, lo, iv.name));
  }

  #counter(iv: SValue, by: Renaming): SValue {
    const counter = this.#scope.build.like(iv);
    by.set(iv.id, counter);
    return counter;
  }

  /** Copies of the program's trips, each into the next slot when the consumers are done with it. */
  #copyProgram(ops: SOp[], { pids, index, peer }: Program, turn: Turn, walk: Walk): Turn {
    const { build: b, parts, ring, loc } = this.#scope;
    const { loop, copies } = parts;
    const by: Renaming = new Map();
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    ops.push(...this.#clone(this.#slices.outside, pids, by));
    const theirs: Renaming = new Map();
    if (peer !== undefined) ops.push(...this.#clone(this.#slices.outside, peer.pids, theirs));
    const halves = copies.map((copy) =>
      peer === undefined
        ? {}
        : { halves: { rank: peer.rank, same: this.#isSame(ops, copy, by, theirs) } },
    );
    const [lo, hi, step] = [use(loop.lo), use(loop.hi), use(loop.step)];
    let ahead: SValue | undefined;
    if (this.#early.length > 0) {
      const isFirst = b.compare(ops, "eq", index, walk.first, "first");
      ahead = b.select(ops, isFirst, this.#endAhead(ops, by), lo, "ahead");
    }
    const iv = loop.body.params[0] ?? loop.lo;
    const counter = this.#counter(iv, by);
    const back = this.#backwards(ops, index, walk, [lo, hi, step]);
    const at = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const body: SOp[] = [];
    if (back !== undefined) {
      const mirrored = b.binary(body, "sub", back.sum, counter, "back");
      by.set(iv.id, b.select(body, back.isBack, mirrored, counter, iv.name));
    }
    const free = b.binary(body, "xor", at.parity, b.constant(body, 1, "one"), "free");
    const on = { buffer: ring.empty, slot: at.slot };
    const begin: readonly SOp[] = [
      { kind: "mbarrier_wait", on, parity: free, loc },
      this.#expect(at.slot),
    ];
    const inside = this.#clone(this.#slices.inside, pids, by);
    const real = this.#real(body, by, lo);
    const besides = this.#clone(real === by ? [] : this.#slices.inside, pids, real);
    const moved = copies.map((copy, i) => {
      const own = isOperand(parts.dot, copy.into.buffer) ? by : real;
      return this.#into(copy, at.slot, own, halves[i]);
    });
    if (ahead === undefined) body.push(...begin, ...inside, ...besides, ...moved);
    else {
      const isLate = b.compare(body, "ge", counter, ahead, "late");
      const weights = new Set(this.#early.map(({ into }) => into.buffer));
      const early = moved.filter(({ into }) => weights.has(into.buffer));
      const others = moved.filter(({ into }) => !weights.has(into.buffer));
      body.push(...inside, ...besides, onlyIf(isLate, [...begin, ...early], loc), ...others);
    }
    const next = advance(b, body, ring.stages, at);
    const after = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    ops.push({
      kind: "for",
      results: [after.slot, after.parity],
      lo,
      hi,
      step,
      inits: [turn.slot, turn.parity],
      body: { params: [counter, at.slot, at.parity], ops: body, yields: [next.slot, next.parity] },
      loc,
    });
    return after;
  }

  /** Whether both blocks of the cluster copy the same box in each trip. */
  #isSame(ops: SOp[], copy: SCopy, own: Renaming, theirs: Renaming): SValue {
    const b = this.#scope.build;
    const defined = new Set(this.#slices.outside.flatMap(scheduledResults).map(({ id }) => id));
    let differs = b.constant(ops, 0, "zero");
    for (const value of scheduledOperands(copy)) {
      const [mine, other] = [own.get(value.id), theirs.get(value.id)];
      if (!defined.has(value.id) || mine === undefined || other === undefined) continue;
      const bits = b.binary(ops, "xor", mine, other, "t");
      differs = b.binary(ops, "or", differs, bits, "differs");
    }
    return b.compare(ops, "eq", differs, b.constant(ops, 0, "zero"), "same");
  }
}

/** The role of the thread that copies, over all programs of its block. */
export function copyRole(scope: RoleScope, walk: Walk): SBlock {
  return new CopyRole(scope).role(walk);
}
