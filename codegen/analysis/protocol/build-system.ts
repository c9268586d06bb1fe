/** [codegen/analysis/protocol] The threads of a block that differ, each with its events. Orders of the threads are decided in replay.ts. */
import type { ScheduledKernel } from "../../ir/scheduled.ts";
import type { Instance, ProtocolEvent, ProtocolSystem } from "./events.ts";
import { type Case, type Prepared, walkRole } from "./walk-role.ts";

const WARPS_IN_GROUP = 4;

/** Only the block's first thread initialises. */
function withoutInits(events: readonly ProtocolEvent[]): readonly ProtocolEvent[] {
  return events.some((event) => event.kind === "init")
    ? events.filter((event) => event.kind !== "init")
    : events;
}

function alike(
  names: readonly string[],
  events: readonly ProtocolEvent[],
  isConsumer: boolean,
): readonly Instance[] {
  const rest = withoutInits(events);
  return names.map((name, i) => ({ name, isConsumer, events: i === 0 ? events : rest }));
}

export interface BuiltSystem {
  readonly system: ProtocolSystem;
  /** Why the events are not complete, where they are not. */
  readonly gaveUp?: string;
  /** A ring was reached against a condition. */
  readonly wasBent: boolean;
}

/**
 * The block of one case: with roles, a producing thread and each consumer; without, warpgroups where there are mbarriers, else two threads,
 * which do the same as any two.
 */
export function buildSystem(kernel: ScheduledKernel, prepared: Prepared, given: Case): BuiltSystem {
  const { barriers, tiles, hasRoles } = prepared.resources;
  const groups = Math.max(1, kernel.numWarps / WARPS_IN_GROUP);
  const numbered = (name: string, count: number): readonly string[] =>
    count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name} ${i}`);
  if (!hasRoles) {
    const { events, ...walk } = walkRole(kernel, prepared, given, "all");
    const names =
      barriers.length > 0 ? numbered("warpgroup", groups) : ["a thread", "another thread"];
    return { ...walk, system: { instances: alike(names, events, false), barriers, tiles } };
  }
  const consumer = walkRole(kernel, prepared, given, "consumer");
  const producer = walkRole(kernel, prepared, given, "producer");
  const gaveUp = consumer.gaveUp ?? producer.gaveUp;
  const wasBent = consumer.wasBent || producer.wasBent;
  const producing: Instance = {
    name: "producer",
    isConsumer: false,
    events: withoutInits(producer.events),
  };
  const consumers = alike(numbered("consumer", groups), consumer.events, true);
  const system = { instances: [...consumers, producing], barriers, tiles };
  return gaveUp === undefined ? { system, wasBent } : { system, wasBent, gaveUp };
}
