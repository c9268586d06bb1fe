/** [codegen/analysis/protocol] mbarriers while threads are replayed: phases, arrivals, bytes, and what a wait makes sure of. */
import { type Clock, joinClock, raiseClock } from "./clocks.ts";
import {
  formatBarrier,
  formatPhase,
  type ProtocolEvent,
  type ProtocolSystem,
  unitOf,
} from "./events.ts";
import type { At, Fault } from "./faults.ts";

/** A thread where it stands: `clock` counts the event that it is about to be done with. */
export interface Here extends At {
  readonly clock: Clock;
  readonly event: ProtocolEvent;
}

export type ReportFault = (fault: Fault) => void;

interface Contribution extends At {
  readonly event: ProtocolEvent;
}

interface Phase {
  readonly arrivals: Contribution[];
  readonly copies: Contribution[];
  /** Of all contributions together. */
  readonly clock: Clock;
  expected: number;
  landed: number;
}

function newPhase(): Phase {
  return { arrivals: [], copies: [], clock: [], expected: 0, landed: 0 };
}

interface Wait extends At {
  readonly event: ProtocolEvent;
  /** Phases that were over when it returned, at the earliest. */
  readonly phases: number;
}

class Mbarrier {
  init: Contribution | undefined;
  arrivals = 0;
  pending = 0;
  phase: Phase;
  readonly over: Phase[] = [];
  /** Newest wait of each thread. */
  readonly waits: (Wait | undefined)[] = [];

  constructor(phase: Phase) {
    this.phase = phase;
  }
}

/** True where the owner of the clock is sure that the event has happened. */
export function hasSeen(clock: Clock, { instance, position }: At): boolean {
  return (clock[instance] ?? 0) > position;
}

function bytesOf({ event }: { readonly event: ProtocolEvent }): string {
  return event.kind === "tensor_copy" && event.op.kind === "copy"
    ? `${event.op.tensor} ${event.bytes}`
    : "";
}

/**
 * All mbarriers of a block.
 * @source PTX ISA, "mbarrier": phase completion, tx-count, parity of try_wait
 */
export class Mbarriers {
  readonly #system: ProtocolSystem;
  readonly #report: ReportFault;
  readonly #barriers: readonly Mbarrier[];
  readonly #instances: number;
  readonly #uninitialised = new Set<string>();

  constructor(system: ProtocolSystem, report: ReportFault) {
    this.#system = system;
    this.#report = report;
    this.#instances = system.instances.length;
    this.#barriers = system.barriers.map(() => new Mbarrier(newPhase()));
  }

  #at(barrier: number): Mbarrier {
    const found = this.#barriers[barrier];
    if (found === undefined) throw new RangeError(`no barrier ${barrier}`);
    return found;
  }

  name(barrier: number): string {
    return formatBarrier(this.#system, barrier);
  }

  #phase(barrier: number, phase: number): string {
    return formatPhase(this.#system, barrier, phase);
  }

  /** The phase that a contribution counts in now. */
  current(barrier: number): number {
    return this.#at(barrier).over.length;
  }

  init(barrier: number, arrivals: number, here: Here): void {
    const state = this.#at(barrier);
    if (state.init !== undefined)
      this.#report({
        rule: "initialised",
        at: here,
        event: here.event,
        others: [state.init],
        message: `the barrier ${this.name(barrier)} is initialised twice`,
        seen: "an init of a barrier that is in use",
        expected: "one init for each barrier",
      });
    state.init = here;
    state.arrivals = arrivals;
    state.pending = arrivals;
  }

  /** Once for each thread and barrier: it must have seen the init. */
  checkInit(barrier: number, here: Here): void {
    const { init } = this.#at(barrier);
    if (init !== undefined && hasSeen(here.clock, init)) return;
    const key = `${here.instance} ${barrier}`;
    if (this.#uninitialised.has(key)) return;
    this.#uninitialised.add(key);
    this.#report({
      rule: "initialised",
      at: here,
      event: here.event,
      message: `the barrier ${this.name(barrier)} may be used before it is initialised`,
      seen:
        init === undefined
          ? "no init is sure to come before this"
          : "no barrier between its init and this",
      expected: "an mbarrier_init, then a barrier of all who use it, then this",
    });
  }

  /** Phases that the owner of the clock is sure to be over. */
  #known(barrier: number, clock: Clock): number {
    const { over } = this.#at(barrier);
    let known = clock[this.#instances + barrier] ?? 0;
    for (; known < over.length; known++) {
      const phase = over[known];
      if (phase === undefined || phase.copies.length > 0 || phase.expected > 0) break;
      if (!phase.arrivals.every((arrival) => hasSeen(clock, arrival))) break;
    }
    return known;
  }

  /** Phases that must be over for a wait to return, by what its thread is sure of: it returns at once where the parity fits already. */
  #phasesFor(barrier: number, parity: number, clock: Clock): number {
    const known = this.#known(barrier, clock);
    return known % 2 === parity ? known + 1 : known;
  }

  canReturn(barrier: number, parity: number, clock: Clock): boolean {
    return this.#at(barrier).over.length >= this.#phasesFor(barrier, parity, clock);
  }

  /** @returns the phases that are over when it returns */
  wait(barrier: number, parity: number, here: Here): number {
    const state = this.#at(barrier);
    const phases = this.#phasesFor(barrier, parity, here.clock);
    const { instance, position, event } = here;
    const wait: Wait = { instance, position, event, phases };
    const missed = state.over[phases];
    if (missed !== undefined) this.#missed(barrier, wait, missed);
    const last = state.over[phases - 1];
    if (last !== undefined) joinClock(here.clock, last.clock);
    raiseClock(here.clock, this.#instances + barrier, phases);
    state.waits[here.instance] = wait;
    return phases;
  }

  #missed(barrier: number, wait: Wait, phase: Phase): void {
    const { byUse } = this.#system;
    const unit = unitOf(this.#system);
    this.#report({
      rule: "phase",
      at: wait,
      event: wait.event,
      others: [...phase.arrivals, ...phase.copies],
      message: `a wait for ${this.name(barrier)} may miss the ${unit} that it waits for`,
      seen: `${this.#phase(barrier, wait.phases)} may be over before this wait looks: ${byUse === true ? "barriers tell odd rounds from even ones alone" : "the parity is that of a phase to come again"}`,
      expected: `no ${unit} ends before every waiter has seen the one before it`,
    });
  }

  arrive(barrier: number, here: Here, bytes = 0): void {
    const state = this.#at(barrier);
    this.#checkOnePhase(barrier, here, "this arrival");
    const { phase } = state;
    if (state.pending === 0 && state.init !== undefined) {
      this.#report({
        rule: "arrivals",
        at: here,
        event: here.event,
        others: phase.arrivals,
        message: `an arrival at ${this.name(barrier)} is beyond its count`,
        seen: `arrival ${phase.arrivals.length + 1} in ${this.#phase(barrier, state.over.length)}, which still waits for bytes`,
        expected: `${state.arrivals} arrivals a ${unitOf(this.#system)}`,
      });
    }
    state.pending = Math.max(0, state.pending - 1);
    phase.expected += bytes;
    phase.arrivals.push({ instance: here.instance, position: here.position, event: here.event });
    joinClock(phase.clock, here.clock);
    this.#settle(barrier, here);
  }

  /** A copy's bytes, as if they came at once: when they really come is told only by the end of the phase. @returns the phase that counts them */
  land(barrier: number, bytes: number, here: Here): number {
    const state = this.#at(barrier);
    this.#checkOnePhase(barrier, here, "the bytes of this copy");
    const { phase } = state;
    const number = state.over.length;
    phase.landed += bytes;
    phase.copies.push({ instance: here.instance, position: here.position, event: here.event });
    joinClock(phase.clock, here.clock);
    this.#settle(barrier, here);
    return number;
  }

  /** What counts in a phase must come after everything that the phase before counts. */
  #checkOnePhase(barrier: number, here: Here, what: string): void {
    const { over, phase } = this.#at(barrier);
    const before = over.at(-1);
    if (before === undefined || this.#known(barrier, here.clock) >= over.length) return;
    const unseen = before.arrivals.filter((arrival) => !hasSeen(here.clock, arrival));
    const { instance, event } = here;
    const isOwn = phase.arrivals.some((arrival) => arrival.instance === instance);
    // Its companions of the same trip were enough to end the phase.
    const isLate = before.copies.some(
      (copy) => copy.instance === instance && copy.event.trip === event.trip,
    );
    if (event.kind === "tensor_copy" && unseen.length === 0 && isLate && !isOwn) {
      this.#reportLateBytes(barrier, here, event.bytes, before);
      return;
    }
    const names = new Set(unseen.map((arrival) => this.#system.instances[arrival.instance]?.name));
    const later = unseen.length === 0 ? "its bytes come" : `${[...names].join(" or ")} comes`;
    const unit = unitOf(this.#system);
    const [last, next] = [over.length - 1, over.length].map((n) => this.#phase(barrier, n));
    this.#report({
      rule: "arrivals",
      at: here,
      event,
      others: unseen.length === 0 ? before.copies : unseen,
      message: `${what} at ${this.name(barrier)} may count in one ${unit} or in another`,
      seen: `it counts in ${next}, but in ${last} where ${later} later`,
      expected: `${last} over, and known to be, before anything counts in ${next}`,
    });
  }

  /** A copy that its phase did not wait for. */
  #reportLateBytes(barrier: number, here: Here, bytes: number, before: Phase): void {
    const { over } = this.#at(barrier);
    const expecting = before.arrivals.findLast(({ event }) => event.kind === "expect");
    this.#report({
      rule: "bytes",
      at: here,
      event: (expecting ?? here).event,
      others: before.copies,
      message: `${this.#phase(barrier, over.length - 1)} of ${this.name(barrier)} may be over before all its copies are there`,
      seen: `${before.expected} bytes are expected, the copies bring ${before.landed + bytes} (${[...before.copies, here].map(bytesOf).join(", ")})`,
      expected: "the same number of bytes",
    });
  }

  #settle(barrier: number, here: Here): void {
    const state = this.#at(barrier);
    const { phase } = state;
    if (state.pending > 0 || state.init === undefined || phase.landed < phase.expected) return;
    if (phase.landed > phase.expected) this.#reportBytes(barrier, here, "bring");
    raiseClock(phase.clock, this.#instances + barrier, state.over.length + 1);
    for (const wait of state.waits) {
      if (wait === undefined || wait.phases !== state.over.length) continue;
      if (!hasSeen(phase.clock, wait)) this.#missed(barrier, wait, phase);
    }
    state.over.push(phase);
    state.phase = newPhase();
    state.pending = state.arrivals;
  }

  /** A phase that all have arrived in but that bytes keep open, where nothing moves any more. */
  reportMissingBytes(barrier: number, here: Here): boolean {
    const { phase, pending, init } = this.#at(barrier);
    if (init === undefined || pending > 0 || phase.landed >= phase.expected) return false;
    this.#reportBytes(barrier, here, "brought");
    return true;
  }

  #reportBytes(barrier: number, here: Here, verb: string): void {
    const { phase, over } = this.#at(barrier);
    const copies = phase.copies.map(bytesOf).join(", ");
    const expecting = phase.arrivals.findLast(({ event }) => event.kind === "expect");
    this.#report({
      rule: "bytes",
      at: expecting ?? here,
      event: (expecting ?? here).event,
      others: phase.copies,
      message: `${this.#phase(barrier, over.length)} of ${this.name(barrier)} does not expect the bytes that its copies bring`,
      seen: `${phase.expected} bytes are expected, the copies ${verb} ${phase.landed}${copies === "" ? "" : ` (${copies})`}`,
      expected: "the same number of bytes",
    });
  }

  /** Bytes that no phase counts, where the block ends. */
  checkEnd(end: (at: At) => Here): void {
    this.#barriers.forEach(({ phase }, barrier) => {
      const last = phase.copies.at(-1) ?? phase.arrivals.at(-1);
      if (phase.landed !== phase.expected && last !== undefined)
        this.#reportBytes(barrier, end(last), "bring");
    });
  }

  /** How far the phase is that a wait stands before. */
  progress(barrier: number): string {
    const { phase, arrivals, over } = this.#at(barrier);
    const bytes = phase.expected === 0 ? "" : ` and ${phase.landed} of ${phase.expected} bytes`;
    return `${this.#phase(barrier, over.length)} of ${this.name(barrier)} has ${phase.arrivals.length} of ${arrivals} arrivals${bytes}`;
  }
}
