/** [codegen/analysis/protocol] What one op does to barriers and tiles, as events. Control flow is walked by walk-role.ts. */
import { DTYPES, formatSpan } from "../../../dsl/index.ts";
import type { SCopy, ScheduledKernel, SDot, SharedRef, SOp, SValue } from "../../ir/scheduled.ts";
import type { SDotWait, SMbarrierArrive, SRoles, SSendTile } from "../../ir/scheduled-roles.ts";
import { type EffectOp, sharedAccesses } from "../../ir/visit-scheduled.ts";
import type { Misuse, ProtocolEvent } from "./events.ts";
import type { Resources } from "./resources.ts";

/** Warps of a warpgroup, which one walk stands for. */
const WARPS_IN_GROUP = 4;
const THREADS_IN_GROUP = 128;

/** Accumulators of asynchronous dots, the same ones through a loop. */
export interface Accumulators {
  /** Position of their newest dot among the dots of the thread. */
  last: number;
  ready: boolean;
}

/** Values as far as they are known where an op stands. */
export interface Scope {
  readonly number: (value: SValue) => number | undefined;
  readonly accumulators: (value: SValue) => Accumulators | undefined;
  /** Told why the list of events cannot be completed. */
  readonly giveUp: (message: string) => void;
}

export class EventList {
  readonly events: ProtocolEvent[] = [];
  /** Loops around the op that comes next. */
  trip = "";
  readonly #kernel: ScheduledKernel;
  readonly #resources: Resources;
  readonly #scope: Scope;
  readonly #rank: number;
  #dots = 0;
  #landed = 0;
  /** Accumulators that may not be read. */
  #unready = 0;

  constructor(kernel: ScheduledKernel, resources: Resources, scope: Scope, rank: number) {
    this.#rank = rank;
    this.#kernel = kernel;
    this.#resources = resources;
    this.#scope = scope;
  }

  /** Events of an op without blocks that is no wgmma dot. */
  add(op: SOp, inRole: boolean): void {
    const { events, trip } = this;
    switch (op.kind) {
      case "mbarrier_init": {
        const { first = 0, count = 0 } = this.#resources.barrierSlots.get(op.barrier) ?? {};
        const own = first + this.#rank * this.#resources.barriers.length;
        for (let barrier = own; barrier < own + count; barrier++)
          events.push({ kind: "init", op, trip, barrier, arrivals: op.arrivals });
        return;
      }
      case "cluster_barrier":
        events.push({ kind: "meet", op, trip, among: "cluster" });
        return;
      case "barrier":
        events.push({ kind: "meet", op, trip, among: inRole ? "consumers" : "block" });
        return;
      case "mbarrier_wait": {
        const barrier = this.#barrier(op, op.on);
        const parity = this.#scope.number(op.parity);
        if (parity === undefined)
          this.#scope.giveUp(`the parity at ${formatSpan(op.loc.span)} is not known`);
        else if (barrier !== undefined) events.push({ kind: "wait", op, trip, barrier, parity });
        return;
      }
      case "mbarrier_arrive": {
        const barrier = this.#barrier(op, op.on);
        if (barrier === undefined) return;
        this.#arrive(op, barrier);
        return;
      }
      case "send_tile":
        this.#send(op);
        return;
      case "mbarrier_expect": {
        const barrier = this.#barrier(op, op.on);
        const { bytes } = op;
        if (barrier !== undefined) events.push({ kind: "expect", op, trip, barrier, bytes });
        return;
      }
      case "commit":
        events.push({ kind: "commit", op, trip });
        return;
      case "wait":
        events.push({ kind: "copy_wait", op, trip, pending: op.pending });
        return;
      case "dot_wait":
        this.#dotWait(op);
        return;
      case "wait_previous":
      case "programs_done":
      case "post":
        return;
      case "copy":
        this.#copy(op);
        return;
      case "store":
      case "shared_store":
        this.#accesses(op, inRole);
        return;
      default:
        // An op of a new kind that defines nothing must have its events above.
        op satisfies Exclude<SOp, EffectOp> | SRoles;
        this.#accesses(op, inRole);
    }
  }

  /** A dot that runs on while its thread goes on. @returns its accumulators */
  addAsyncDot(op: SDot): Accumulators {
    for (const { value } of [op.a, op.b].filter((operand) => operand.kind === "register"))
      this.#checkRead(op, value);
    const tiles = this.#tilesOf(op, [op.a, op.b]);
    this.events.push({ kind: "read", op, trip: this.trip, tiles, async: true });
    const isFresh = op.instruction.kind === "wgmma" && op.instruction.fresh === true;
    const carried = isFresh ? undefined : this.#scope.accumulators(op.acc);
    const accumulators = carried ?? { last: 0, ready: true };
    if (accumulators.ready) this.#unready++;
    accumulators.ready = false;
    accumulators.last = this.#dots++;
    return accumulators;
  }

  /** Accumulators among the operands must be there. */
  checkReads(op: SOp, values: readonly SValue[]): void {
    if (this.#unready === 0 || op.kind === "dot_wait") return;
    for (const value of values) this.#checkRead(op, value);
  }

  #checkRead(op: SOp, value: SValue): void {
    const accumulators = this.#scope.accumulators(value);
    if (accumulators === undefined || accumulators.ready) return;
    const seen =
      accumulators.last < this.#landed
        ? `the dot_wait before it does not list ${value.name} as done`
        : "no dot_wait since the dot lets it finish";
    this.#misuse(op, {
      rule: "accumulator",
      act: `${op.kind} reads ${value.name}`,
      message: `the accumulators ${value.name} are read while a dot may still add to them`,
      seen,
      expected: `a dot_wait that covers the dot and lists ${value.name} as done`,
    });
  }

  #dotWait(op: SDotWait): void {
    const { events, trip } = this;
    events.push({ kind: "dot_wait", op, trip, pending: op.pending });
    this.#landed = Math.max(this.#landed, this.#dots - op.pending);
    for (const value of op.done) {
      const accumulators = this.#scope.accumulators(value);
      if (accumulators === undefined || accumulators.ready) continue;
      if (accumulators.last >= this.#landed) {
        this.#misuse(op, {
          rule: "accumulator",
          act: `dot_wait ${op.pending} done ${value.name}`,
          message: `a dot_wait says that ${value.name} is done while a dot may still add to it`,
          seen: `${op.pending} dots may be in flight after it, the newest for ${value.name}`,
          expected: "a dot_wait 0",
        });
      }
      accumulators.ready = true;
      this.#unready--;
    }
  }

  #arrive(op: SMbarrierArrive, own: number): void {
    const { events, trip } = this;
    const { rank, everywhere, warps } = op;
    const isBoth = everywhere === true && this.#kernel.cluster !== undefined;
    const both = isBoth ? { remote: this.#peerBarrier(own) } : {};
    const barrier = rank === undefined || rank === this.#rank ? own : this.#peerBarrier(own);
    const warpsOrOne = warps === true ? WARPS_IN_GROUP : 1;
    const count = rank === undefined ? warpsOrOne : THREADS_IN_GROUP;
    for (let i = 0; i < count; i++) events.push({ kind: "arrive", op, trip, barrier, ...both });
  }

  #send(op: SSendTile): void {
    const own = this.#tile(op, { buffer: op.into });
    if (own === undefined) return;
    const tile = op.rank === this.#rank ? own : this.#peerTile(own);
    this.events.push({ kind: "write", op, trip: this.trip, tiles: [tile], part: true });
  }

  #copy(op: SCopy): void {
    const { events, trip } = this;
    const tile = this.#tile(op, op.into);
    if (op.via === "tma") {
      const barrier = op.signal === undefined ? undefined : this.#barrier(op, op.signal);
      if (tile === undefined || barrier === undefined) return;
      this.#tensorCopy(op, tile, barrier);
      return;
    }
    if (tile === undefined) return;
    if (op.via === "cp.async") events.push({ kind: "async_copy", op, trip, tile });
    else events.push({ kind: "write", op, trip, tiles: [tile], part: true });
  }

  /** One copy, or half of it to each block of the cluster. */
  #tensorCopy(op: SCopy, tile: number, barrier: number): void {
    const { events, trip } = this;
    const isShared = op.halves === undefined ? 0 : this.#scope.number(op.halves.same);
    if (isShared === undefined)
      this.#scope.giveUp(`whether blocks share ${op.tensor} is not known`);
    const all = this.#boxBytes(op);
    const bytes = isShared === 1 ? all / 2 : all;
    events.push({ kind: "tensor_copy", op, trip, tile, bytes, barrier });
    if (isShared !== 1) return;
    const theirs = { tile: this.#peerTile(tile), barrier: this.#peerBarrier(barrier) };
    events.push({ kind: "tensor_copy", op, trip, bytes, ...theirs });
  }

  /** The same barrier of the cluster's other block. */
  #peerBarrier(barrier: number): number {
    const { length } = this.#resources.barriers;
    return barrier < length ? barrier + length : barrier - length;
  }

  #peerTile(tile: number): number {
    const { length } = this.#resources.tiles;
    return tile < length ? tile + length : tile - length;
  }

  /** Bytes that the tensor map's box brings, with the zeros past the bounds. */
  #boxBytes(op: SCopy): number {
    const { dtype } = this.#buffer(op.into.buffer) ?? { dtype: "f32" };
    const size = (n: number, index: SCopy["at"][number]): number => {
      if (index.kind === "pages") return n * index.entries.length;
      return index.kind === "span" ? n * index.axis.size : n;
    };
    return (op.at.reduce(size, 1) * DTYPES[dtype].bits) / 8;
  }

  #accesses(op: SOp, inRole: boolean): void {
    const { events, trip } = this;
    if (op.kind === "dot") {
      const tiles = this.#tilesOf(op, [op.a, op.b]);
      if (tiles.length > 0) events.push({ kind: "read", op, trip, tiles, async: false });
    } else if (op.kind === "shared_load") {
      const tile = this.#tile(op, op.from);
      if (tile !== undefined) events.push({ kind: "read", op, trip, tiles: [tile], async: false });
    } else if (op.kind === "take_tile") {
      const tile = this.#tile(op, { buffer: op.from });
      if (tile !== undefined) events.push({ kind: "read", op, trip, tiles: [tile], async: false });
    } else if (op.kind === "shared_store") {
      const tile = this.#tile(op, op.into);
      if (tile !== undefined) events.push({ kind: "write", op, trip, tiles: [tile], part: true });
    }
    const base = this.#rank * this.#resources.tiles.length;
    const covered = sharedAccesses(op).flatMap(({ buffer }) =>
      (this.#resources.covered.get(buffer) ?? []).map((tile) => tile + base),
    );
    if (covered.length > 0) events.push({ kind: "write", op, trip, tiles: covered, part: false });
    // What goes through scratch is written, then all meet, then it is read.
    if (sharedAccesses(op).some(({ mode }) => mode === "scratch"))
      events.push({ kind: "meet", op, trip, among: inRole ? "consumers" : "block" });
  }

  #tilesOf(op: SOp, operands: readonly SDot["a"][]): readonly number[] {
    const tiles = operands.flatMap((operand) =>
      operand.kind === "shared" ? [this.#tile(op, operand.ref)] : [],
    );
    return tiles.filter((tile) => tile !== undefined);
  }

  #buffer(name: string): ScheduledKernel["shared"][number] | undefined {
    return this.#kernel.shared.find((buffer) => buffer.name === name);
  }

  #barrier(op: SOp, ref: SharedRef): number | undefined {
    const barrier = this.#position(op, ref, this.#resources.barrierSlots);
    return barrier === undefined
      ? undefined
      : barrier + this.#rank * this.#resources.barriers.length;
  }

  /** Undefined for buffers that no copy fills. */
  #tile(op: SOp, ref: SharedRef): number | undefined {
    const tile = this.#position(op, ref, this.#resources.tileSlots);
    return tile === undefined ? undefined : tile + this.#rank * this.#resources.tiles.length;
  }

  #position(op: SOp, ref: SharedRef, all: Resources["tileSlots"]): number | undefined {
    const slots = all.get(ref.buffer);
    if (slots === undefined) return undefined;
    const isView = this.#buffer(ref.buffer)?.aliasOf !== undefined;
    if (isView && slots.count === 1) return slots.first;
    const slot = ref.slot === undefined ? 0 : this.#scope.number(ref.slot);
    if (slot === undefined || isView) {
      this.#scope.giveUp(`the slot of ${ref.buffer} at ${formatSpan(op.loc.span)} is not known`);
      return undefined;
    }
    if (slot >= 0 && slot < slots.count) return slots.first + slot;
    this.#misuse(op, {
      rule: "slot",
      act: `${op.kind} uses ${ref.buffer}[${slot}]`,
      message: `${ref.buffer}[${slot}] is outside of its ring`,
      seen: `slot ${slot}`,
      expected: `slot 0 to ${slots.count - 1}, as many as the buffer has`,
    });
    return undefined;
  }

  #misuse(op: SOp, misuse: Misuse): void {
    this.events.push({ kind: "misuse", op, trip: this.trip, misuse });
  }
}
