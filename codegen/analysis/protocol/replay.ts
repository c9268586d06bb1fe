/**
 * [codegen/analysis/protocol] Decides for all orders in which a block's threads may run whether its protocol holds, by replaying one of them.
 *
 * Threads do fixed lists of events, so only waits and meetings order them. Replaying keeps vector clocks of what each thread is sure of and
 * reports every pair of events whose order would matter and is not fixed: two contributions to different phases of an mbarrier, a wait and
 * the end of the phase after the one that it waits for, a copy and a read. Copies and dots end at the latest moment that a wait allows. Where
 * no such pair is left, every order of the threads is this one but for events that do not touch each other (one Mazurkiewicz trace: the
 * extreme case of partial-order reduction), so that what holds here holds in all of them.
 */
import { type Clock, joinClock, newClock } from "./clocks.ts";
import type { ProtocolEvent, ProtocolSystem } from "./events.ts";
import type { At, Fault } from "./faults.ts";
import { type Here, Mbarriers } from "./mbarriers.ts";
import { Tiles } from "./tiles.ts";

/** An event that was done, in the order of the replay. */
export interface Step extends At {
  readonly event: ProtocolEvent;
  /** What its thread was sure of after it. */
  readonly clock: Clock;
  /** For a wait, the phases that were over; for what counts at a barrier, those before the one that it counts in. */
  readonly phases?: number;
}

/** A thread that waits for ever. */
export interface Stuck extends At {
  readonly event: ProtocolEvent;
  readonly why: string;
  /** For a wait, the phases that would be over when it returns. */
  readonly phases?: number;
}

export interface Replayed {
  readonly faults: readonly Fault[];
  /** Empty unless asked for. */
  readonly steps: readonly Step[];
  readonly stuck: readonly Stuck[];
}

/** Later faults are mostly consequences. */
const MOST_FAULTS = 16;

class Replay {
  readonly faults: Fault[] = [];
  readonly steps: Step[] = [];
  readonly stuck: Stuck[] = [];
  readonly #system: ProtocolSystem;
  readonly #record: boolean;
  readonly #clocks: readonly Clock[];
  readonly #positions: number[];
  readonly #isWaitingToMeet: boolean[];
  readonly #barriers: Mbarriers;
  readonly #tiles: Tiles;

  constructor(system: ProtocolSystem, record: boolean) {
    this.#system = system;
    this.#record = record;
    const { instances, barriers } = system;
    this.#clocks = instances.map(() => newClock(instances.length, barriers.length));
    this.#positions = instances.map(() => 0);
    this.#isWaitingToMeet = instances.map(() => false);
    const report = (fault: Fault): void => {
      if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
    };
    this.#barriers = new Mbarriers(system, report);
    this.#tiles = new Tiles(system, report);
  }

  run(): void {
    const { instances } = this.#system;
    for (let moves = true; moves && this.faults.length < MOST_FAULTS; ) {
      moves = false;
      for (let instance = 0; instance < instances.length; instance++)
        while (this.#step(instance)) moves = true;
    }
    this.#finish();
  }

  #next(instance: number): ProtocolEvent | undefined {
    return this.#system.instances[instance]?.events[this.#positions[instance] ?? 0];
  }

  #clock(instance: number): Clock {
    const clock = this.#clocks[instance];
    if (clock === undefined) throw new RangeError(`no thread ${instance}`);
    return clock;
  }

  /** Does the thread's next event, unless it must wait. */
  #step(instance: number): boolean {
    const event = this.#next(instance);
    if (event === undefined) return false;
    if (event.kind === "meet") return this.#meet(instance, event.among);
    const clock = this.#clock(instance);
    const position = this.#positions[instance] ?? 0;
    const here: Here = { instance, position, event, clock };
    if ("barrier" in event && event.kind !== "init") this.#barriers.checkInit(event.barrier, here);
    if (event.kind === "wait" && !this.#barriers.canReturn(event.barrier, event.parity, clock))
      return false;
    const phases = this.#do(here);
    this.#done(here, phases);
    return true;
  }

  #done({ instance, position, event, clock }: Here, phases?: number): void {
    this.#positions[instance] = position + 1;
    if (!this.#record) return;
    const step = { instance, position, event, clock: clock.slice() };
    this.steps.push(phases === undefined ? step : { ...step, phases });
  }

  #do(here: Here): number | undefined {
    const { event, instance, position, clock } = here;
    clock[instance] = position + 1;
    switch (event.kind) {
      case "init":
        this.#barriers.init(event.barrier, event.arrivals, here);
        return undefined;
      case "wait":
        return this.#barriers.wait(event.barrier, event.parity, here);
      case "arrive": {
        const phase = this.#barriers.current(event.barrier);
        this.#barriers.arrive(event.barrier, here);
        if (event.remote !== undefined) this.#barriers.arrive(event.remote, here);
        return phase;
      }
      case "expect": {
        const phase = this.#barriers.current(event.barrier);
        this.#barriers.arrive(event.barrier, here, event.bytes);
        return phase;
      }
      case "tensor_copy": {
        const { barrier, bytes, tile } = event;
        const phase = this.#barriers.land(barrier, bytes, here);
        this.#tiles.fill(tile, here, { kind: "phase", barrier, phase });
        return phase;
      }
      case "async_copy":
        this.#tiles.fill(event.tile, here, { kind: "event", position: Number.POSITIVE_INFINITY });
        return undefined;
      case "write":
        for (const tile of event.tiles) {
          if (event.part) this.#tiles.fill(tile, here, { kind: "event", position });
          else this.#tiles.overwrite(tile, here);
        }
        return undefined;
      case "read":
        this.#tiles.read(event.tiles, here, event.async);
        return undefined;
      case "commit":
        this.#tiles.commit(instance);
        return undefined;
      case "copy_wait":
        this.#tiles.copyWait(event.pending, here);
        return undefined;
      case "dot_wait":
        this.#tiles.dotWait(event.pending, here);
        return undefined;
      case "misuse":
        this.faults.push({ ...event.misuse, at: here, event });
        return undefined;
      case "meet":
        return undefined;
      default:
        return event satisfies never;
    }
  }

  /** The last of those who meet lets all go on. */
  #meet(instance: number, among: "block" | "consumers" | "cluster"): boolean {
    if (this.#isWaitingToMeet[instance] === true) return false;
    this.#isWaitingToMeet[instance] = true;
    const own = this.#system.instances[instance]?.block;
    const members = this.#system.instances.flatMap(({ isConsumer, block }, i) =>
      among === "cluster" || (block === own && (among === "block" || isConsumer)) ? [i] : [],
    );
    const isComplete = members.every((member) => {
      const event = this.#next(member);
      return (
        this.#isWaitingToMeet[member] === true && event?.kind === "meet" && event.among === among
      );
    });
    if (!isComplete) return false;
    const joined = newClock(this.#system.instances.length, this.#system.barriers.length);
    for (const member of members) {
      const clock = this.#clock(member);
      clock[member] = (this.#positions[member] ?? 0) + 1;
      joinClock(joined, clock);
    }
    for (const member of members) {
      const event = this.#next(member);
      const clock = this.#clock(member);
      joinClock(clock, joined);
      this.#isWaitingToMeet[member] = false;
      if (event !== undefined)
        this.#done({ instance: member, position: this.#positions[member] ?? 0, event, clock });
    }
    return true;
  }

  /** A block may not end, and its shared memory go, before all that others do to it is over. */
  #checkExits(): void {
    const { instances } = this.#system;
    instances.forEach(({ events, block }, instance) => {
      const position = events.findLastIndex((event) => {
        const target = targetOf(this.#system, event);
        return target !== undefined && target !== block;
      });
      const event = events[position];
      if (event === undefined) return;
      const target = targetOf(this.#system, event);
      const isSeen = this.#clocks.some(
        (clock, i) => instances[i]?.block === target && (clock[instance] ?? 0) > position,
      );
      if (isSeen) return;
      this.faults.push({
        rule: "drained",
        at: { instance, position },
        event,
        message: `block ${target} may have ended when another block still reaches into it`,
        seen: `no thread of block ${target} waits for this`,
        expected: "a barrier of the cluster behind it",
      });
    });
  }

  #finish(): void {
    if (this.faults.length >= MOST_FAULTS) return;
    const here = (at: At): Here => {
      const event = this.#system.instances[at.instance]?.events[at.position];
      if (event === undefined) throw new RangeError(`thread ${at.instance} has no such event`);
      return { ...at, event, clock: this.#clock(at.instance) };
    };
    this.#system.instances.forEach((_, instance) => {
      const event = this.#next(instance);
      if (event === undefined) return;
      const at = { instance, position: this.#positions[instance] ?? 0, event };
      if (event.kind !== "wait") {
        this.stuck.push({ ...at, why: "not all of them come" });
        return;
      }
      const phases = this.#barriers.current(event.barrier) + 1;
      this.stuck.push({ ...at, why: this.#barriers.progress(event.barrier), phases });
    });
    const [first] = this.stuck;
    if (first === undefined) {
      this.#barriers.checkEnd(here);
      this.#tiles.checkEnd(here);
      this.#checkExits();
      return;
    }
    const lacksBytes = this.stuck.some(
      (stuck) =>
        stuck.event.kind === "wait" &&
        this.#barriers.reportMissingBytes(stuck.event.barrier, here(stuck)),
    );
    if (lacksBytes) return;
    const names = this.stuck.map(({ instance }) => this.#system.instances[instance]?.name);
    const last = names.pop();
    this.faults.push({
      rule: "deadlock",
      at: first,
      event: first.event,
      message:
        names.length === 0
          ? `${last} waits for ever`
          : `${names.join(", ")} and ${last} wait for ever`,
      seen: [...new Set(this.stuck.map(({ why }) => why))].join("; "),
      expected: "every wait to return",
    });
  }
}

/** Block of the cluster that an event reaches into. */
function targetOf({ barriers, tiles }: ProtocolSystem, event: ProtocolEvent): number | undefined {
  if (event.kind === "tensor_copy") return barriers[event.barrier]?.block;
  if (event.kind === "arrive") return barriers[event.remote ?? event.barrier]?.block;
  return event.kind === "write" && event.part ? tiles[event.tiles[0] ?? -1]?.block : undefined;
}

/** @param record keeps the steps, for a report */
export function replayProtocol(system: ProtocolSystem, record = false): Replayed {
  const replay = new Replay(system, record);
  replay.run();
  return replay;
}
