/** [codegen/passes] Puts barriers and waits where one thread reads what another wrote, or writes what another may still read. Runs after allocate-shared. */
import { DTYPES } from "../../dsl/index.ts";
import type { SBlock, ScheduledKernel, SharedBuffer, SIndex, SOp } from "../ir/scheduled.ts";
import { mapScheduledRegions, ownerOf, sharedAccesses } from "../ir/visit-scheduled.ts";
import { layoutKey, replicationOf } from "../layout/register-layout.ts";

/** An access since the last barrier. `place` tells which thread touches which element of a tensor, where that is one thread each. */
interface Pending {
  readonly resource: string;
  readonly mode: "read" | "write";
  /** For a copy under way: groups closed since it was started. */
  readonly group?: number;
  readonly atomic: boolean;
  readonly place?: string;
  /** An arrival at a counter: one thread releases what all threads of the block did to tensors. */
  readonly arrives?: true;
}

/** Accesses since the last barrier, by their text, so that equal ones count once. */
type State = ReadonlyMap<string, Pending>;

interface Needed {
  readonly barrier: boolean;
  readonly wait: boolean;
}

const NOTHING: State = new Map();
/** More groups than any pipeline keeps open; older ones count as this old. */
const OLDEST = 16;

function keyOf(p: Pending): string {
  return `${p.mode} ${p.resource} ${p.group ?? ""} ${p.atomic} ${p.place ?? ""} ${p.arrives ?? ""}`;
}

function stateOf(list: readonly Pending[]): State {
  return new Map(list.map((pending) => [keyOf(pending), pending]));
}

function join(a: State, b: State): State {
  return b.size === 0 ? a : new Map([...a, ...b]);
}

function sameState(a: State, b: State): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** Element → thread map of a global access, or undefined where several threads touch one element. */
function placeOf(op: Extract<SOp, { kind: "load" | "store" | "atomic" }>): string | undefined {
  const { layout } = op.kind === "load" ? op.result : op.value;
  if (layout === undefined || replicationOf(layout) > 1) return undefined;
  const index = (at: SIndex): string => {
    if (at.kind === "at") return `${at.value.id}`;
    if (at.kind === "pages") return `p${at.entries.map(({ id }) => id).join("+")}`;
    return at.kind === "gather" ? `g${at.index.id}` : `${at.start.id}+${at.axis.name}`;
  };
  return `${op.at.map(index).join()} ${layoutKey(layout)}`;
}

class BarrierInserter {
  readonly #buffers: ReadonlyMap<string, SharedBuffer>;
  /** Tensors that the kernel both reads and writes, or writes more than once. */
  readonly #tracked: ReadonlySet<string>;

  constructor(kernel: ScheduledKernel) {
    this.#buffers = new Map(kernel.shared.map((buffer) => [buffer.name, buffer]));
    this.#tracked = new Set(
      kernel.params.flatMap((p) => (p.kind === "tensor" && p.access !== "in" ? [p.name] : [])),
    );
  }

  #aliases(a: string, b: string): boolean {
    if (a === b) return true;
    const [first, second] = [this.#buffers.get(a), this.#buffers.get(b)];
    if (first?.byteOffset === undefined || second?.byteOffset === undefined) return false;
    const end = (buffer: SharedBuffer): number =>
      (buffer.byteOffset ?? 0) +
      (buffer.layout.stageElements * buffer.stages * DTYPES[buffer.dtype].bits) / 8;
    return first.byteOffset < end(second) && second.byteOffset < end(first);
  }

  /** What an op touches, in the order in which it does. */
  #accesses(op: SOp): readonly Pending[] {
    const plain = { atomic: false };
    const shared = sharedAccesses(op).flatMap(({ buffer, mode }): Pending[] => {
      const resource = ownerOf([...this.#buffers.values()], buffer);
      if (mode === "sync") return [];
      if (mode === "read") return [{ resource, mode, ...plain }];
      const group = op.kind === "copy" && op.via === "cp.async" ? { group: 0 } : {};
      return [{ resource, mode: "write", ...plain, ...group }];
    });
    if (op.kind === "copy" && this.#tracked.has(op.tensor)) {
      return [{ resource: `tensor ${op.tensor}`, mode: "read", ...plain }, ...shared];
    }
    if (op.kind !== "load" && op.kind !== "store" && op.kind !== "atomic") return shared;
    if (!this.#tracked.has(op.tensor)) return shared;
    const place = placeOf(op);
    const arrives = op.kind === "atomic" && op.fn === "arrive";
    const global: Pending = {
      resource: `tensor ${op.tensor}`,
      mode: op.kind === "load" ? "read" : "write",
      atomic: op.kind === "atomic",
      ...(place === undefined ? {} : { place }),
      ...(arrives ? { arrives } : {}),
    };
    return [global, ...shared];
  }

  #conflicts(before: Pending, now: Pending): boolean {
    if (now.arrives) return before.resource.startsWith("tensor ");
    if (before.mode === "read" && now.mode === "read") return false;
    if (before.atomic && now.atomic) return false;
    if (!this.#aliases(before.resource, now.resource)) return false;
    return before.place === undefined || before.place !== now.place;
  }

  #need(state: State, accesses: readonly Pending[], rings: ReadonlySet<string>): Needed {
    let barrier = false;
    let wait = false;
    for (const now of accesses) {
      for (const before of state.values()) {
        if (rings.has(now.resource) && rings.has(before.resource)) continue;
        if (!this.#conflicts(before, now)) continue;
        barrier = true;
        wait ||= before.group !== undefined;
      }
    }
    return { barrier, wait };
  }

  /** State after `op` itself; its regions are the caller's affair. */
  #after(state: State, op: SOp, accesses: readonly Pending[], rings: ReadonlySet<string>): State {
    if (op.kind === "barrier" || op.kind === "cluster_barrier") return afterBarrier(state, false);
    if (op.kind === "commit") return committed(state);
    if (op.kind === "wait") return landed(state, op.pending);
    if (accesses.length === 0) return state;
    const scratch = sharedAccesses(op).find((access) => access.mode === "scratch");
    const next = new Map(scratch === undefined ? state : afterBarrier(state, false));
    for (const access of accesses) {
      // The barrier of the exchange is behind the arrival.
      if (scratch !== undefined && access.arrives) continue;
      const isScratch = scratch !== undefined && scratch.buffer === access.resource;
      // A ring's copies are waited for by the pipeline itself; what its loop still reads counts.
      const isRing = rings.has(access.resource) || this.#isRing(access.resource);
      if (isRing && access.mode === "write") continue;
      const { resource } = access;
      const settled: Pending = { resource, mode: "read", atomic: false };
      const left = isScratch || isRing ? settled : access;
      next.set(keyOf(left), left);
    }
    return next;
  }

  #isRing(resource: string): boolean {
    return (this.#buffers.get(resource)?.stages ?? 1) > 1;
  }

  /** Buffers that a pipelined loop fills for later trips: its own wait and barrier order them. */
  #ringsOf(op: SOp): ReadonlySet<string> {
    if (op.kind !== "for" || op.body.ops[0]?.kind !== "wait") return new Set();
    return new Set([...this.#buffers.values()].filter((b) => b.stages > 1).map((b) => b.name));
  }

  #regions(
    op: SOp,
    state: State,
    outerRings: ReadonlySet<string>,
  ): { readonly op: SOp; readonly state: State } {
    const rings = new Set([...outerRings, ...this.#ringsOf(op)]);
    switch (op.kind) {
      case "if": {
        const yes = this.block(op.then, state, rings);
        const no = this.block(op.else, state, rings);
        const blocks = [yes.block, no.block];
        let i = 0;
        const next = mapScheduledRegions(op, (block) => blocks[i++] ?? block);
        return { op: next, state: join(yes.state, no.state) };
      }
      case "for":
      case "while": {
        const run = (from: State) => {
          const cond = op.kind === "while" ? this.block(op.cond, from, rings) : undefined;
          const body = this.block(op.body, cond?.state ?? from, rings);
          return { cond, body };
        };
        let entry = state;
        let trip = run(entry);
        for (let next = join(entry, trip.body.state); !sameState(next, entry); ) {
          entry = next;
          trip = run(entry);
          next = join(entry, trip.body.state);
        }
        const blocks =
          trip.cond === undefined ? [trip.body.block] : [trip.cond.block, trip.body.block];
        let i = 0;
        const next = mapScheduledRegions(op, (block) => blocks[i++] ?? block);
        return { op: next, state: join(trip.cond?.state ?? entry, trip.body.state) };
      }
      case "roles": {
        // The producer meets the others at mbarriers alone.
        const consumer = this.block(op.consumer, state, rings);
        return { op: { ...op, consumer: consumer.block }, state: consumer.state };
      }
      default:
        return { op, state };
    }
  }

  block(
    block: SBlock,
    from: State,
    rings: ReadonlySet<string>,
  ): { readonly block: SBlock; readonly state: State } {
    const ops: SOp[] = [];
    let state = from;
    for (const op of block.ops) {
      const accesses = this.#accesses(op);
      const need = this.#need(state, accesses, rings);
      if (need.wait) {
        ops.push({ kind: "commit", loc: op.loc }, { kind: "wait", pending: 0, loc: op.loc });
      }
      if (need.barrier) {
        ops.push({ kind: "barrier", loc: op.loc });
        state = afterBarrier(state, need.wait);
      }
      const inner = this.#regions(op, state, rings);
      ops.push(inner.op);
      state = this.#after(inner.state, op, accesses, rings);
    }
    return { block: { ...block, ops }, state };
  }
}

/** A barrier settles everything but copies that are still under way. */
function afterBarrier(state: State, waited: boolean): State {
  if (waited) return NOTHING;
  return new Map([...state].filter(([, pending]) => pending.group !== undefined));
}

function committed(state: State): State {
  return stateOf(
    [...state.values()].map((pending) =>
      pending.group === undefined
        ? pending
        : { ...pending, group: Math.min(OLDEST, pending.group + 1) },
    ),
  );
}

/** Copies of all but the newest `newest` groups have arrived, but other threads see them only after a barrier. */
function landed(state: State, newest: number): State {
  return stateOf(
    [...state.values()].map((pending) => {
      if (pending.group === undefined || pending.group <= newest) return pending;
      const { group: _, ...arrived } = pending;
      return arrived;
    }),
  );
}

/** Inserts `barrier`, and `commit` with `wait` for copies that are not part of a pipeline; no copy outlives the kernel. */
export function insertBarriers(kernel: ScheduledKernel): ScheduledKernel {
  const { block, state } = new BarrierInserter(kernel).block(kernel.body, NOTHING, new Set());
  const loc = block.ops.at(-1)?.loc;
  const isPending = [...state.values()].some((pending) => pending.group !== undefined);
  if (!isPending || loc === undefined) return { ...kernel, body: block };
  const drain: readonly SOp[] = [
    { kind: "commit", loc },
    { kind: "wait", pending: 0, loc },
  ];
  return { ...kernel, body: { ...block, ops: [...block.ops, ...drain] } };
}
