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
    return { name: `consumer ${i}`, isConsumer: true, events: own };
  });
  const producer = { name: "producer", isConsumer: false, events: producing(shape) };
  return {
    instances: [...instances, producer],
    barriers: ["full", "empty"].flatMap((buffer) => numbers.map((slot) => ({ buffer, slot }))),
    tiles: numbers.map((slot) => ({ buffer: "a", slot })),
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
