/** [codegen/analysis/protocol] Tiles while threads are replayed: who fills and who reads them, and whether the one may happen during the other. */
import type { Clock } from "./clocks.ts";
import { formatPlace, type ProtocolEvent, type ProtocolSystem, unitOf } from "./events.ts";
import type { At } from "./faults.ts";
import type { Here, ReportFault } from "./mbarriers.ts";

/** When a copy's bytes are there: with a phase of an mbarrier, or with an event of the thread that copies. */
type Landing =
  | { readonly kind: "phase"; readonly barrier: number; readonly phase: number }
  | { readonly kind: "event"; position: number };

/**
 * What was written last to a tile: by a thread, its part of it; by tensor copies, of whichever threads, all that one phase of an mbarrier counts.
 */
interface Part extends At {
  readonly event: ProtocolEvent;
  /** All copies that make it, the newest last. */
  readonly copies: readonly At[];
  /** How manieth of the writer's fillings of the tile it is. */
  readonly filling: number;
  readonly landing: Landing;
}

interface Access extends At {
  readonly event: ProtocolEvent;
  readonly filling: number;
  readonly isRead: boolean;
  /** Position of the event of its thread that ends it. */
  end: number;
}

interface Tile {
  /** Slots of the same buffer in the same block. */
  readonly ring: number;
  /** By writer. */
  readonly parts: (Part | undefined)[];
  /** Filling that each thread read last. */
  readonly seen: number[];
  accesses: Access[];
}

interface Thread {
  /** For each ring and copying thread, the newest copy that was read. */
  readonly newestRead: Map<number, number[]>;
  /** Reads of dots in flight, oldest first. */
  readonly dots: Access[][];
  /** Copies since the last commit, then the groups that were not waited for, oldest first. */
  open: Part[];
  readonly groups: Part[][];
}

function newThread(): Thread {
  return { newestRead: new Map(), dots: [], open: [], groups: [] };
}

const NEVER = Number.POSITIVE_INFINITY;

/** Tile that an event fills, as one of the writers of its buffer. */
function filledBy(event: ProtocolEvent): number | undefined {
  if (event.kind === "tensor_copy" || event.kind === "async_copy") return event.tile;
  return event.kind === "write" && event.part ? event.tiles[0] : undefined;
}

/** Number of the ring of each tile. */
function ringsOf({ tiles }: ProtocolSystem): readonly number[] {
  const keys = tiles.map(({ buffer, block = 0 }) => `${block} ${buffer}`);
  return keys.map((key) => keys.indexOf(key));
}

/** Writers of each ring: threads, and for tensor copies the number behind the last thread. */
function writersOf(
  { instances }: ProtocolSystem,
  rings: readonly number[],
): readonly (readonly number[])[] {
  const writers: number[][] = rings.map(() => []);
  instances.forEach(({ events }, instance) => {
    for (const event of events) {
      const found = writers[rings[filledBy(event) ?? -1] ?? -1];
      const writer = event.kind === "tensor_copy" ? instances.length : instance;
      if (found !== undefined && !found.includes(writer)) found.push(writer);
    }
  });
  return writers;
}

export class Tiles {
  readonly #system: ProtocolSystem;
  readonly #report: ReportFault;
  readonly #tiles: readonly Tile[];
  readonly #threads: readonly Thread[];
  readonly #writers: readonly (readonly number[])[];

  constructor(system: ProtocolSystem, report: ReportFault) {
    this.#system = system;
    this.#report = report;
    const rings = ringsOf(system);
    this.#tiles = rings.map((ring) => ({ ring, parts: [], seen: [], accesses: [] }));
    this.#threads = system.instances.map(newThread);
    this.#writers = writersOf(system, rings);
  }

  #name(tile: number): string {
    return formatPlace(this.#system.tiles[tile]);
  }

  #hasLanded({ instance, landing }: Part, clock: Clock): boolean {
    if (landing.kind === "event") return (clock[instance] ?? 0) > landing.position;
    return (clock[this.#system.instances.length + landing.barrier] ?? 0) > landing.phase;
  }

  /** The accesses that may still be going on must be over: they read or wrote what the tile held. */
  #checkAccesses(tile: number, here: Here, filling: number): void {
    const { accesses } = this.#tiles[tile] ?? { accesses: [] };
    const isFill = here.event.kind !== "write" || here.event.part;
    const running = accesses.find(
      ({ instance, isRead, filling: held, end }) =>
        (isRead || isFill) && held < filling && (here.clock[instance] ?? 0) <= end,
    );
    if (running === undefined) return;
    const who = this.#system.instances[running.instance]?.name;
    this.#report({
      rule: "free",
      at: here,
      event: here.event,
      others: [running],
      message: `${this.#name(tile)} may be filled while it is still ${running.isRead ? "read" : "used"}`,
      seen:
        running.end === NEVER
          ? `no dot_wait ends the read of ${who}`
          : `nothing orders the end of the read of ${who} before this`,
      expected: "the tile given back by everyone who reads it, after the read is over",
    });
  }

  fill(tile: number, here: Here, landing: Landing): void {
    const state = this.#tiles[tile];
    const { instance, position, event } = here;
    if (state === undefined) return;
    const writer = landing.kind === "phase" ? this.#threads.length : instance;
    const last = state.parts[writer];
    const isMore =
      last?.landing.kind === "phase" &&
      landing.kind === "phase" &&
      last.landing.barrier === landing.barrier &&
      last.landing.phase === landing.phase;
    const before = last?.filling ?? -1;
    const filling = isMore ? before : before + 1;
    this.#checkAccesses(tile, here, filling);
    if (last !== undefined && !isMore) this.#checkLost(tile, last, here);
    const copy: At = { instance, position };
    const copies = isMore ? [...last.copies, copy] : [copy];
    const part: Part = { instance, position, event, copies, filling, landing };
    state.parts[writer] = part;
    // Others who fill their part later must still find who reads what the tile held.
    state.accesses = state.accesses.filter((a) => a.filling >= before || a.end === NEVER);
    if (event.kind === "async_copy") this.#threads[instance]?.open.push(part);
  }

  /** What the tile held must have come, and by a tensor copy for someone. */
  #checkLost(tile: number, last: Part, here: Here): void {
    const { accesses } = this.#tiles[tile] ?? { accesses: [] };
    const wasRead = accesses.some(({ isRead, filling }) => isRead && filling === last.filling);
    const isLost = last.landing.kind === "phase" && !wasRead;
    if (!isLost && this.#hasLanded(last, here.clock)) return;
    this.#report({
      rule: "free",
      at: here,
      event: here.event,
      others: [last],
      message: `${this.#name(tile)} may be filled again before its content was read`,
      seen: isLost
        ? "no read of what the copy before brings comes first for sure"
        : "the copy before may still be under way",
      expected: "a read of each filling, then the next",
    });
  }

  /** A write of other bytes that lie where the tile does. */
  overwrite(tile: number, here: Here): void {
    const state = this.#tiles[tile];
    if (state === undefined) return;
    const newest = Math.max(-1, ...state.parts.map((part) => part?.filling ?? -1));
    this.#checkAccesses(tile, here, newest + 1);
    for (const part of state.parts) if (part !== undefined) this.#checkLost(tile, part, here);
    const { instance, position, event } = here;
    state.accesses.push({
      instance,
      position,
      event,
      filling: newest,
      isRead: false,
      end: position,
    });
  }

  read(tiles: readonly number[], here: Here, isAsync: boolean): void {
    const thread = this.#threads[here.instance];
    if (thread === undefined) return;
    const reads: Access[] = [];
    for (const tile of tiles) this.#read(tile, here, thread, isAsync, reads);
    if (isAsync) thread.dots.push(reads);
  }

  #read(tile: number, here: Here, thread: Thread, isAsync: boolean, reads: Access[]): void {
    const state = this.#tiles[tile];
    if (state === undefined) return;
    const seen = state.seen[here.instance] ?? -1;
    let filling = -1;
    for (const writer of this.#writers[state.ring] ?? []) {
      const part = state.parts[writer];
      if (part === undefined) this.#reportEmpty(tile, here);
      else if (!this.#hasLanded(part, here.clock)) this.#reportUnlanded(tile, part, here, seen);
      else this.#checkOrder(tile, part, here, thread);
      filling = Math.max(filling, part?.filling ?? -1);
    }
    state.seen[here.instance] = filling;
    const { instance, position, event } = here;
    const end = isAsync ? NEVER : position;
    const access: Access = { instance, position, event, filling, isRead: true, end };
    state.accesses.push(access);
    reads.push(access);
  }

  #reportEmpty(tile: number, here: Here): void {
    this.#report({
      rule: "filled",
      at: here,
      event: here.event,
      message: `${this.#name(tile)} is read though nothing need have been copied to it`,
      seen: "no copy that is sure to have begun",
      expected: "a wait for the copy before the read",
    });
  }

  #reportUnlanded(tile: number, part: Part, here: Here, seen: number): void {
    const isEarlier = part.filling - 1 > seen;
    const name = this.#name(tile);
    const reader: At & { readonly event: ProtocolEvent } = here;
    this.#report(
      isEarlier
        ? {
            rule: "free",
            at: part,
            event: part.event,
            others: [reader],
            message: `${name} may be filled while it is still read`,
            seen: `nothing keeps the copy back until ${this.#system.instances[here.instance]?.name} has read what is there`,
            expected: "the tile given back by everyone who reads it, after the read is over",
          }
        : {
            rule: "filled",
            at: here,
            event: here.event,
            others: [part],
            message: `${name} may be read before the copy's bytes are there`,
            seen: "no wait that is sure to return only after the copy",
            expected:
              part.landing.kind === "phase"
                ? `a wait for the ${unitOf(this.#system)} that counts the copy's bytes, then the read`
                : "a wait of each thread for its copies, then a barrier, then the read",
          },
    );
  }

  /** Copies of one thread are read in the order in which it makes them. */
  #checkOrder(tile: number, part: Part, here: Here, { newestRead }: Thread): void {
    const { ring = 0 } = this.#tiles[tile] ?? {};
    const newest = newestRead.get(ring) ?? [];
    newestRead.set(ring, newest);
    for (const { instance, position } of part.copies) {
      if (position >= (newest[instance] ?? -1)) {
        newest[instance] = position;
        continue;
      }
      this.#report({
        rule: "order",
        at: here,
        event: here.event,
        others: [part],
        message: `${this.#name(tile)} holds older content than was read before`,
        seen: "a read of a later copy comes before this one",
        expected: "tiles read in the order in which they are copied",
      });
      return;
    }
  }

  commit(instance: number): void {
    const thread = this.#threads[instance];
    if (thread === undefined) return;
    thread.groups.push(thread.open);
    thread.open = [];
  }

  copyWait(pending: number, { instance, position }: At): void {
    const { groups } = this.#threads[instance] ?? { groups: [] };
    while (groups.length > pending)
      for (const { landing } of groups.shift() ?? [])
        if (landing.kind === "event") landing.position = position;
  }

  dotWait(pending: number, { instance, position }: At): void {
    const { dots } = this.#threads[instance] ?? { dots: [] };
    while (dots.length > pending) for (const read of dots.shift() ?? []) read.end = position;
  }

  /** Nothing may be under way where the block ends. */
  checkEnd(end: (at: At) => Here): void {
    this.#tiles.forEach(({ parts, accesses }, tile) => {
      for (const part of parts) {
        if (part === undefined) continue;
        const isRead = accesses.some((a) => a.isRead && a.filling === part.filling);
        if (part.landing.kind === "phase" ? isRead : part.landing.position !== NEVER) continue;
        this.#report({
          rule: "drained",
          at: part,
          event: part.event,
          message: `the copy to ${this.#name(tile)} may be under way when the block ends`,
          seen: "nobody waits for it",
          expected: "every copy waited for and read",
        });
      }
    });
    for (const { dots } of this.#threads) {
      const [access] = dots.flat();
      if (access === undefined) continue;
      const { event } = end(access);
      this.#report({
        rule: "drained",
        at: access,
        event,
        message: "a dot may be in flight when the block ends",
        seen: "no dot_wait after it",
        expected: "a dot_wait 0 behind the last dot",
      });
    }
  }
}
