/** [codegen/analysis/protocol] The threads of a block that differ, each with its events. Orders of the threads are decided in replay.ts. */
import type { ScheduledKernel } from "../../ir/scheduled.ts";
import type { Instance, Place, ProtocolEvent, ProtocolSystem } from "./events.ts";
import { type Case, type Prepared, type Role, type Walk, walkRole } from "./walk-role.ts";

const WARPS_IN_GROUP = 4;

/** Only a block's first thread initialises. */
function withoutInits(events: readonly ProtocolEvent[]): readonly ProtocolEvent[] {
  return events.some((event) => event.kind === "init")
    ? events.filter((event) => event.kind !== "init")
    : events;
}

export interface BuiltSystem {
  readonly system: ProtocolSystem;
  /** Why the events are not complete, where they are not. */
  readonly gaveUp?: string;
  /** A ring was reached against a condition. */
  readonly wasBent: boolean;
}

/** Threads with the same events; the first of them initialises. */
function alike(
  names: readonly string[],
  { events }: Walk,
  where: Pick<Instance, "block" | "isConsumer">,
): readonly Instance[] {
  const rest = withoutInits(events);
  return names.map((name, i) => ({ name, ...where, events: i === 0 ? events : rest }));
}

function numbered(name: string, count: number): readonly string[] {
  return count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name} ${i}`);
}

/** The threads of one block, and the walks that they come from. */
function blockOf(
  kernel: ScheduledKernel,
  prepared: Prepared,
  given: Case,
  block: number,
): { readonly instances: readonly Instance[]; readonly walks: readonly Walk[] } {
  const ranked: Case = { ...given, launch: { ...given.launch, rank: block } };
  const walk = (role: Role): Walk => walkRole(kernel, prepared, ranked, role);
  const consumer = walk("consumer");
  if (!prepared.resources.hasRoles) {
    const instances = alike(["a thread", "another thread"], consumer, { block, isConsumer: false });
    return { instances, walks: [consumer] };
  }
  const producer = walk("producer");
  const groups = Math.max(1, kernel.numWarps / WARPS_IN_GROUP);
  const suffix = kernel.cluster === undefined ? "" : ` of block ${block}`;
  const names = numbered("consumer", groups).map((name) => `${name}${suffix}`);
  const producing: Instance = {
    name: `producer${suffix}`,
    block,
    isConsumer: false,
    events: withoutInits(producer.events),
  };
  const where = { block, isConsumer: true };
  const consuming = alike(names, consumer, where);
  return { instances: [...consuming, producing], walks: [consumer, producer] };
}

/**
 * The cluster of one case. With roles, each block has a producing thread and its consumers; without, two threads, which do the same as any
 * two.
 */
export function buildSystem(kernel: ScheduledKernel, prepared: Prepared, given: Case): BuiltSystem {
  const { barriers, tiles } = prepared.resources;
  const ranks = kernel.cluster === undefined ? [0] : [0, 1];
  const blocks = ranks.map((rank) => blockOf(kernel, prepared, given, rank));
  const everywhere = (places: readonly Place[]): readonly Place[] =>
    kernel.cluster === undefined
      ? places
      : ranks.flatMap((block) => places.map((place) => ({ ...place, block })));
  const walks = blocks.flatMap((block) => block.walks);
  const gaveUp = walks.find((walk) => walk.gaveUp !== undefined)?.gaveUp;
  const isExplicit = kernel.body.ops.some((op) => op.kind === "roles" && op.explicit === true);
  const wasBent = walks.some((walk) => walk.wasBent);
  const system: ProtocolSystem = {
    instances: blocks.flatMap((block) => block.instances),
    barriers: everywhere(barriers),
    tiles: everywhere(tiles),
    ...(isExplicit ? { byUse: true } : {}),
  };
  return gaveUp === undefined ? { system, wasBent } : { system, wasBent, gaveUp };
}
