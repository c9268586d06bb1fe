/** [test/unit/codegen/protocol] Threads around a ring of slots, right ones and such with a random fault. No test here. */
import type {
  Instance,
  ProtocolEvent,
  ProtocolSystem,
} from "../../../../codegen/analysis/protocol/events.ts";
import type { SOp } from "../../../../codegen/ir/scheduled.ts";
import { UNKNOWN_LOCATION } from "../../../../dsl/index.ts";

/** Stands for any op: what an event does is in the event. */
const OP: SOp = { kind: "barrier", loc: UNKNOWN_LOCATION };
const BASE = { op: OP, trip: "" } as const;
const BYTES = 16;

export interface RingShape {
  readonly slots: number;
  readonly trips: number;
  readonly consumers: number;
}

function producing({ slots, trips }: RingShape): readonly ProtocolEvent[] {
  const events: ProtocolEvent[] = [{ ...BASE, kind: "meet", among: "block" }];
  for (let trip = 0; trip < trips; trip++) {
    const slot = trip % slots;
    const parity = 1 - (Math.floor(trip / slots) % 2);
    events.push(
      { ...BASE, kind: "wait", barrier: slots + slot, parity },
      { ...BASE, kind: "expect", barrier: slot, bytes: BYTES },
      { ...BASE, kind: "tensor_copy", tile: slot, bytes: BYTES, barrier: slot },
    );
  }
  return events;
}

function consuming({ slots, trips }: RingShape): readonly ProtocolEvent[] {
  const events: ProtocolEvent[] = [{ ...BASE, kind: "meet", among: "block" }];
  const giveBack = (trip: number): void => {
    if (trip >= 0) events.push({ ...BASE, kind: "arrive", barrier: slots + (trip % slots) });
  };
  for (let trip = 0; trip < trips; trip++) {
    const slot = trip % slots;
    const parity = Math.floor(trip / slots) % 2;
    events.push(
      { ...BASE, kind: "wait", barrier: slot, parity },
      { ...BASE, kind: "read", tiles: [slot], async: true },
      { ...BASE, kind: "dot_wait", pending: 1 },
    );
    giveBack(trip - 1);
  }
  events.push({ ...BASE, kind: "dot_wait", pending: 0 });
  giveBack(trips - 1);
  return events;
}

/** Barriers are `slots` full ones, then `slots` empty ones. */
export function ringSystem(shape: RingShape): ProtocolSystem {
  const { slots, consumers } = shape;
  const numbers = Array.from({ length: slots }, (_, slot) => slot);
  const inits = [...numbers, ...numbers].map(
    (slot, i): ProtocolEvent => ({
      ...BASE,
      kind: "init",
      barrier: i < slots ? slot : slots + slot,
      arrivals: i < slots ? 1 : consumers,
    }),
  );
  const events = consuming(shape);
  const instances = Array.from({ length: consumers }, (_, i): Instance => {
    const own = i === 0 ? [...inits, ...events] : events;
    return { name: `consumer ${i}`, block: 0, isConsumer: true, events: own };
  });
  const producer = { name: "producer", block: 0, isConsumer: false, events: producing(shape) };
  return {
    instances: [...instances, producer],
    barriers: ["full", "empty"].flatMap((buffer) => numbers.map((slot) => ({ buffer, slot }))),
    tiles: numbers.map((slot) => ({ buffer: "a", slot })),
  };
}

/** Where things are in a cluster: barriers are full and empty ones of block 0, then of block 1; a slot is two tiles, its halves. */
function clusterPlaces(slots: number) {
  return {
    full: (block: number, slot: number) => block * 2 * slots + slot,
    empty: (block: number, slot: number) => block * 2 * slots + slots + slot,
    tile: (block: number, slot: number, half: number) => block * 2 * slots + 2 * slot + half,
  };
}

/** Copies of one trip: with `shared`, the own half to both blocks, else both halves to the own block. */
function copies(
  slots: number,
  block: number,
  slot: number,
  shared: boolean,
): readonly ProtocolEvent[] {
  const at = clusterPlaces(slots);
  const targets = shared
    ? [block, 1 - block].map((target) => ({ target, half: block }))
    : [0, 1].map((half) => ({ target: block, half }));
  return targets.map(({ target, half }) => ({
    ...BASE,
    kind: "tensor_copy",
    tile: at.tile(target, slot, half),
    bytes: BYTES,
    barrier: at.full(target, slot),
  }));
}

/**
 * Two blocks with a consumer each that copy for each other in some trips.
 * @param everywhere whether slots are given back in both blocks
 */
export function clusterSystem(
  slots: number,
  sharing: readonly boolean[],
  everywhere = true,
): ProtocolSystem {
  const at = clusterPlaces(slots);
  const meet = { ...BASE, kind: "meet", among: "cluster" } as const;
  const instances = [0, 1].flatMap((block): readonly Instance[] => {
    const producer: ProtocolEvent[] = [meet];
    const consumer: ProtocolEvent[] = [];
    for (let slot = 0; slot < slots; slot++)
      consumer.push(
        { ...BASE, kind: "init", barrier: at.full(block, slot), arrivals: 1 },
        { ...BASE, kind: "init", barrier: at.empty(block, slot), arrivals: everywhere ? 2 : 1 },
      );
    consumer.push(meet);
    sharing.forEach((shared, trip) => {
      const slot = trip % slots;
      const parity = Math.floor(trip / slots) % 2;
      const tiles = [at.tile(block, slot, 0), at.tile(block, slot, 1)];
      const remote = everywhere ? { remote: at.empty(1 - block, slot) } : {};
      producer.push(
        { ...BASE, kind: "wait", barrier: at.empty(block, slot), parity: 1 - parity },
        { ...BASE, kind: "expect", barrier: at.full(block, slot), bytes: 2 * BYTES },
        ...copies(slots, block, slot, shared),
      );
      consumer.push(
        { ...BASE, kind: "wait", barrier: at.full(block, slot), parity },
        { ...BASE, kind: "read", tiles, async: true },
        { ...BASE, kind: "dot_wait", pending: 0 },
        { ...BASE, kind: "arrive", barrier: at.empty(block, slot), ...remote },
      );
    });
    return [
      { name: `consumer ${block}`, block, isConsumer: true, events: [...consumer, meet] },
      { name: `producer ${block}`, block, isConsumer: false, events: [...producer, meet] },
    ];
  });
  const slotsOf = (buffers: readonly string[]) =>
    [0, 1].flatMap((block) =>
      buffers.flatMap((buffer) =>
        Array.from({ length: slots }, (_, slot) => ({ buffer, slot, block })),
      ),
    );
  return {
    instances,
    barriers: slotsOf(["full", "empty"]),
    tiles: slotsOf(["halves"]).flatMap((place) => [
      { ...place, buffer: "upper" },
      { ...place, buffer: "lower" },
    ]),
  };
}

function changed(event: ProtocolEvent, slots: number, pick: (n: number) => number): ProtocolEvent {
  switch (event.kind) {
    case "wait":
      return pick(2) === 0
        ? { ...event, parity: 1 - event.parity }
        : { ...event, barrier: pick(2 * slots) };
    case "arrive":
      return { ...event, barrier: pick(2 * slots) };
    case "init":
      return { ...event, arrivals: 1 + pick(3) };
    case "expect":
      return pick(2) === 0
        ? { ...event, bytes: BYTES * pick(3) }
        : { ...event, barrier: pick(2 * slots) };
    case "tensor_copy":
      return pick(2) === 0
        ? { ...event, tile: pick(slots) }
        : { ...event, barrier: pick(2 * slots) };
    case "read":
      return { ...event, tiles: [pick(slots)] };
    case "dot_wait":
      return { ...event, pending: pick(3) };
    default:
      return event;
  }
}

/** One event of one thread left out, said twice, put later, or changed. */
export function spoil(system: ProtocolSystem, slots: number, random: () => number): ProtocolSystem {
  const pick = (n: number): number => Math.floor(random() * n);
  const instance = pick(system.instances.length);
  const spoilEvents = (events: readonly ProtocolEvent[]): readonly ProtocolEvent[] => {
    const at = pick(events.length);
    const event = events[at];
    if (event === undefined) return events;
    switch (pick(4)) {
      case 0:
        return events.toSpliced(at, 1);
      case 1:
        return events.toSpliced(at, 0, event);
      case 2:
        return events.toSpliced(at, 1).toSpliced(at + 1 + pick(3), 0, event);
      default:
        return events.with(at, changed(event, slots, pick));
    }
  };
  const instances = system.instances.map((one, i) =>
    i === instance ? { ...one, events: spoilEvents(one.events) } : one,
  );
  return { ...system, instances };
}
