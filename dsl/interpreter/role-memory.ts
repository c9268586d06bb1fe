/**
 * [dsl/interpreter] Shared memory of a block with roles while a program runs: barriers, what lies in each slot, who knows of it. Roles keep
 * clocks, so a fault shows in whatever order they happen to run.
 */
import type { Diagnostic, ErrorCode } from "../core/errors.ts";
import { formatSpan } from "../core/location.ts";
import type { Op } from "../ir/nodes.ts";

export type RoleName = "producer" | "consumer";
/** What a role knows of itself and the other: numbers of spans between its own arrivals. */
interface Clock {
  producer: number;
  consumer: number;
}
interface Phase {
  arrivals: number;
  expected: number;
  arrived: number;
  readonly known: Clock;
}
interface BarrierState {
  /** Phases that are over. */
  done: number;
  now: Phase;
  /** What one who waits for the last phase that is over learns. */
  released: Clock;
}
interface BarrierRing {
  readonly arrivals: number;
  readonly slots: readonly BarrierState[];
}
interface Filled {
  readonly use: number;
  readonly barrier: BarrierState;
  readonly phase: number;
  readonly site: number;
  /** Where each role learnt that the copy is done. */
  readonly landed: Partial<Record<RoleName, number>>;
}
interface SlotState {
  filled: Filled | undefined;
  /** Where the consumer last read the slot; infinite while a dot that reads it is in flight. */
  read: number;
  readSite: number;
}
/** Slots that an asynchronous dot reads. */
type InFlight = readonly (readonly [ring: string, use: number])[];

type Finding = Pick<Diagnostic, "message" | "seen" | "expected" | "remedy">;
export type ReportAt = (code: ErrorCode, site: number, finding: Finding) => void;

const newPhase = (): Phase => ({
  arrivals: 0,
  expected: 0,
  arrived: 0,
  known: { producer: 0, consumer: 0 },
});

function roundsOver(count: number): string {
  return `${count} round${count === 1 ? " of its barrier is" : "s of its barrier are"} over`;
}

function mod(n: number, by: number): number {
  return ((n % by) + by) % by;
}

function join(into: Clock, other: Clock): void {
  into.producer = Math.max(into.producer, other.producer);
  into.consumer = Math.max(into.consumer, other.consumer);
}

export class RoleMemory {
  readonly #report: ReportAt;
  readonly #op: (site: number) => Op;
  readonly #barriers = new Map<string, BarrierRing>();
  readonly #rings = new Map<string, readonly SlotState[]>();
  readonly #clocks: Record<RoleName, Clock> = {
    producer: { producer: 1, consumer: 0 },
    consumer: { producer: 0, consumer: 1 },
  };
  #inFlight: InFlight[] = [];
  /** Waits that are over, and how many of them `run` has seen. */
  readonly #steps: Record<RoleName, number> = { producer: 0, consumer: 0 };
  readonly #seen: Record<RoleName, number> = { producer: -1, consumer: -1 };

  constructor(report: ReportAt, op: (site: number) => Op) {
    this.#report = report;
    this.#op = op;
  }

  ring(name: string, stages: number): void {
    const slot = (): SlotState => ({ filled: undefined, read: 0, readSite: -1 });
    this.#rings.set(name, Array.from({ length: stages }, slot));
  }

  barrier(name: string, stages: number, arrivals: number): void {
    const state = (): BarrierState => ({
      done: 0,
      now: newPhase(),
      released: { producer: 0, consumer: 0 },
    });
    this.#barriers.set(name, { arrivals, slots: Array.from({ length: stages }, state) });
  }

  #place(name: string, use: number): readonly [BarrierRing, BarrierState, number] {
    const ring = this.#barriers.get(name);
    const state = ring?.slots[mod(use, ring.slots.length)];
    if (ring === undefined || state === undefined) throw new Error(`no barrier ${name}`);
    return [ring, state, Math.floor(use / ring.slots.length)];
  }

  #slot(name: string, use: number): SlotState {
    const ring = this.#rings.get(name);
    const slot = ring?.[mod(use, ring.length)];
    if (slot === undefined) throw new Error(`no ring ${name}`);
    return slot;
  }

  /** Whether a role that waits for this use goes on. */
  passes(role: RoleName, name: string, use: number, site: number): boolean {
    const [, state, phase] = this.#place(name, use);
    if (state.done <= phase) return false;
    if (state.done > phase + 1)
      this.#report("TW1316", site, {
        message: `a wait for ${name} comes after the barrier has gone on by a whole round`,
        seen: `a wait for use ${use}, when ${roundsOver(state.done)}`,
        expected: `${phase === 0 ? "1 round" : `${phase + 1} rounds`} over: barriers tell odd rounds from even ones alone`,
        remedy: "wait for every use in turn, and let the other role wait before it arrives again",
      });
    const clock = this.#clocks[role];
    this.#steps[role]++;
    join(clock, state.released);
    for (const slots of this.#rings.values())
      for (const { filled } of slots)
        if (filled?.barrier === state && filled.phase <= phase) filled.landed[role] ??= clock[role];
    return true;
  }

  /** The barrier of a use. `site`: where it must be the one that the barrier is at. */
  #current(name: string, use: number, site?: number): readonly [BarrierRing, BarrierState] {
    const [ring, state, phase] = this.#place(name, use);
    if (state.done !== phase && site !== undefined)
      this.#report("TW1316", site, {
        message: `use ${use} of ${name} is not the one that its barrier is at`,
        seen: `use ${use} (round ${phase}) when ${roundsOver(state.done)}`,
        expected: "each use once, in order",
        remedy: "wait before the use is begun again, and count uses up by one from 0",
      });
    return [ring, state];
  }

  #complete({ arrivals }: BarrierRing, state: BarrierState): void {
    const { now } = state;
    if (now.arrivals < arrivals || now.arrived !== now.expected) return;
    state.done++;
    state.released = now.known;
    state.now = newPhase();
  }

  arrive(role: RoleName, name: string, use: number, site: number, count: number): void {
    this.#arrive(role, name, use, site, { count, bytes: 0 });
  }

  expect(role: RoleName, name: string, use: number, site: number, bytes: number): void {
    this.#arrive(role, name, use, site, { count: 1, bytes });
  }

  #arrive(
    role: RoleName,
    name: string,
    use: number,
    site: number,
    { count, bytes }: { readonly count: number; readonly bytes: number },
  ): void {
    const [ring, state] = this.#current(name, use, site);
    const clock = this.#clocks[role];
    join(state.now.known, clock);
    clock[role]++;
    state.now.arrivals += count;
    state.now.expected += bytes;
    if (state.now.arrivals > ring.arrivals)
      this.#report("TW1316", site, {
        message: `more arrivals at ${name} than its uses have`,
        seen: `${state.now.arrivals} arrivals at use ${use}`,
        expected: `${ring.arrivals}; a consumer counts once for each of its warpgroups`,
        remedy: `declare it with barrier({ arrivals: ${state.now.arrivals} }), or arrive less often`,
      });
    this.#complete(ring, state);
  }

  /** The slot's number, when a copy into it begins. */
  fill(name: string, use: number, barrier: string, bytes: number, site: number): number {
    const slot = this.#slot(name, use);
    const [, { done }, phase] = this.#place(barrier, use);
    const isOver = done > phase;
    const [ring, state] = this.#current(barrier, use, isOver ? undefined : site);
    this.#checkFree(slot, name, use, site);
    slot.filled = { use, barrier: state, phase: state.done, site, landed: {} };
    state.now.arrived += bytes;
    if (isOver || (state.now.arrivals > 0 && state.now.arrived > state.now.expected))
      this.#report("TW1315", site, {
        message: `copies bring more bytes than ${barrier} expects`,
        seen: isOver
          ? `${bytes} bytes more, when use ${use} is over by those that it expected`
          : `${state.now.arrived} bytes in use ${use}, where ${state.now.expected} are expected`,
        expected: "the bytes of all copies of a use, as barrierExpect() says",
        remedy: "add up slotBytes() of every copy of the use in barrierExpect()",
      });
    this.#complete(ring, state);
    return mod(use, this.#rings.get(name)?.length ?? 1);
  }

  #checkFree(slot: SlotState, name: string, use: number, site: number): void {
    const clock = this.#clocks.producer;
    if (slot.read > clock.consumer)
      this.#report("TW1314", site, {
        message: `a copy overwrites a tile of ${name} that may still be read`,
        seen: `use ${use}, whose slot is read at ${this.#at(slot.readSite)}${slot.read === Infinity ? " by a dot in flight" : ""}`,
        expected: "a wait for the consumer to have given the slot back",
        remedy:
          "arrive behind dotWait(), when the dots that read the slot are done, and wait for that arrival before the copy",
      });
    const { filled } = slot;
    if (filled === undefined) return;
    const { producer, consumer } = filled.landed;
    const isKnown = producer !== undefined || (consumer ?? Infinity) <= clock.consumer;
    if (isKnown) return;
    this.#report("TW1314", site, {
      message: `a copy overwrites a slot of ${name} that another copy may still fill`,
      seen: `use ${use}, and use ${filled.use} at ${this.#at(filled.site)}`,
      expected: "a wait for the use before it to be over",
      remedy: "wait for the consumer's arrival at the use before: barrierWait(empty, n - stages)",
    });
  }

  /** The slot's number, when its tile is read. */
  read(name: string, use: number, site: number): number {
    const slot = this.#slot(name, use);
    const { filled } = slot;
    if (filled?.use !== use || filled.landed.consumer === undefined)
      this.#report("TW1313", site, {
        message: `a tile of ${name} is read before it is there`,
        seen:
          filled?.use === use
            ? `use ${use}, without a wait for the copy at ${this.#at(filled.site)}`
            : `use ${use}, whose slot holds ${filled === undefined ? "nothing" : `use ${filled.use}`}`,
        expected: "a wait for the barrier on which the copy's bytes count",
        remedy: "wait before the slot is read: barrierWait(full, n)",
      });
    slot.read = Math.max(slot.read, this.#clocks.consumer.consumer);
    slot.readSite = site;
    return mod(use, this.#rings.get(name)?.length ?? 1);
  }

  startDot(slots: InFlight): void {
    for (const [name, use] of slots) this.#slot(name, use).read = Infinity;
    this.#inFlight.push(slots);
  }

  waitDots(pending: number): void {
    const done = this.#inFlight.splice(0, Math.max(0, this.#inFlight.length - pending));
    const held = new Set(
      this.#inFlight.flatMap((slots) => slots.map(([name, use]) => this.#slot(name, use))),
    );
    for (const [name, use] of done.flat()) {
      const slot = this.#slot(name, use);
      if (!held.has(slot)) slot.read = this.#clocks.consumer.consumer;
    }
  }

  /** Runs both roles until they end. @returns false where neither goes on: an error that says where they wait is reported */
  run(site: number, roles: Readonly<Record<RoleName, Generator<number, void>>>): boolean {
    const waiting = new Map<RoleName, number>();
    const left = new Set<RoleName>(["producer", "consumer"]);
    for (let isMoving = true; isMoving && left.size > 0; ) {
      isMoving = false;
      for (const role of [...left]) {
        const before = waiting.get(role);
        const { done, value } = roles[role].next();
        // A wait that is still not over gives its own place again, with no step in between.
        if (done === true) left.delete(role);
        else waiting.set(role, value);
        isMoving ||= done === true || before === undefined || this.#moved(role);
      }
    }
    if (left.size > 0) this.#deadlock(site, left, waiting);
    return left.size === 0;
  }

  #moved(role: RoleName): boolean {
    const moved = this.#steps[role] !== this.#seen[role];
    this.#seen[role] = this.#steps[role];
    return moved;
  }

  #deadlock(
    site: number,
    left: ReadonlySet<RoleName>,
    waiting: ReadonlyMap<RoleName, number>,
  ): void {
    const places = [...left].map((role) => {
      const op = this.#op(waiting.get(role) ?? site);
      const name = op.kind === "barrier_wait" ? op.barrier : "";
      return `the ${role} waits for ${name} at ${formatSpan(op.loc.span)} (${this.#stateOf(name)})`;
    });
    const ended: RoleName = left.has("producer") ? "consumer" : "producer";
    this.#report("TW1312", site, {
      message:
        left.size === 1
          ? `the ${[...left].join()} waits for what never comes`
          : "the roles wait for each other and never end",
      seen: places.join("; "),
      expected: "for every wait an arrival, and all the bytes that are expected",
      remedy: `${left.size === 1 ? `let the ${ended}, which has ended,` : "let the other role"} arrive at that use as often as the barrier's arrivals say, and expect the bytes that the copies bring`,
    });
  }

  #stateOf(name: string): string {
    const ring = this.#barriers.get(name);
    const open = ring?.slots.find(({ now }) => now.arrivals > 0 || now.arrived !== now.expected);
    if (ring === undefined || open === undefined) return "nobody has arrived";
    const { now } = open;
    const bytes =
      now.expected > 0 || now.arrived > 0 ? `, ${now.arrived} of ${now.expected} bytes` : "";
    return `${now.arrivals} of ${ring.arrivals} arrivals${bytes}`;
  }

  #at(site: number): string {
    return site < 0 ? "?" : formatSpan(this.#op(site).loc.span);
  }
}
