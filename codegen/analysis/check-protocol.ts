/**
 * [codegen/analysis] Whether the barriers, copies and dots of a scheduled kernel keep to each other in every order of its threads, for loops of
 * no trip to a few more than a ring has slots. Says what was found; the pass check-protocol makes an error of it.
 */
import { formatSpan } from "../../dsl/index.ts";
import type { ScheduledKernel, SFor } from "../ir/scheduled.ts";
import { buildSystem } from "./protocol/build-system.ts";
import { type ChosenLaunch, chooseLaunches } from "./protocol/choose-launches.ts";
import type { Launch } from "./protocol/evaluate-scalar.ts";
import type { ProtocolSystem } from "./protocol/events.ts";
import { type Fault, RULES } from "./protocol/faults.ts";
import { planWalk } from "./protocol/plan-walk.ts";
import { replayProtocol } from "./protocol/replay.ts";
import { findResources, type Resources } from "./protocol/resources.ts";
import type { Prepared } from "./protocol/walk-role.ts";

/** Most programs that a block of a persistent kernel walks. */
const MOST_PROGRAMS = 3;
/** Trips beyond the number of slots. */
const MORE_TRIPS = 2;
/** Conditions that nothing tells, taken both ways together with the others. */
const MOST_TRUTHS = 3;

export interface ProtocolViolation {
  readonly fault: Fault;
  readonly system: ProtocolSystem;
  readonly chosen: ChosenLaunch;
}

export interface ProtocolResult {
  readonly violation?: ProtocolViolation;
  /** Trip counts that were checked, and the most programs of a block. */
  readonly trips: readonly number[];
  readonly programs: number;
  /** What was not checked, or only under an assumption. */
  readonly notes: readonly string[];
}

/** True where a kernel has something to check: roles, or a ring that copies fill ahead of its readers. */
export function hasProtocol(kernel: ScheduledKernel): boolean {
  return (
    kernel.shared.some((buffer) => buffer.stages > 1) ||
    kernel.body.ops.some((op) => op.kind === "roles")
  );
}

function gravest(faults: readonly Fault[]): Fault | undefined {
  let worst: Fault | undefined;
  for (const fault of faults)
    if (worst === undefined || RULES.indexOf(fault.rule) < RULES.indexOf(worst.rule)) worst = fault;
  return worst;
}

class Checker {
  readonly notes = new Set<string>();
  readonly trips = new Set<number>();
  readonly #entered = new Set<SFor>();
  readonly #kernel: ScheduledKernel;
  readonly #prepared: Prepared;

  constructor(kernel: ScheduledKernel, resources: Resources) {
    this.#kernel = kernel;
    this.#prepared = { resources, plan: planWalk(kernel, resources) };
  }

  /** Every way of the truths that nothing tells. */
  check(chosen: ChosenLaunch): ProtocolViolation | undefined {
    const places: string[] = [];
    for (let ways = 0; ways < 2 ** Math.min(places.length, MOST_TRUTHS) || ways === 0; ways++) {
      const isTrue = (place: string): boolean => {
        if (!places.includes(place)) places.push(place);
        return ((ways >> places.indexOf(place)) & 1) === 0;
      };
      const violation = this.#checkWay(chosen, isTrue);
      if (violation !== undefined) return violation;
    }
    if (places.length > MOST_TRUTHS)
      this.notes.add(`conditions at ${places.slice(MOST_TRUTHS).join(", ")} were taken one way`);
    return undefined;
  }

  noteUnreached(): void {
    for (const ring of this.#prepared.resources.rings)
      if (!this.#entered.has(ring))
        this.notes.add(`the loop at ${formatSpan(ring.loc.span)} was not reached`);
  }

  /** A ring is reached, and left out where its condition says so. */
  #checkWay(
    chosen: ChosenLaunch,
    isTrue: (place: string) => boolean,
  ): ProtocolViolation | undefined {
    const { launch, trips } = chosen;
    for (const reaches of [true, false]) {
      const enter = (loop: SFor): void => void this.#entered.add(loop);
      const given = { launch, trips, isTrue, reaches, enter };
      const { system, gaveUp, wasBent } = buildSystem(this.#kernel, this.#prepared, given);
      if (gaveUp === undefined) {
        if (reaches) this.trips.add(trips);
        const fault = gravest(replayProtocol(system).faults);
        if (fault !== undefined) return { fault, system, chosen };
      } else this.notes.add(`${trips} trips: ${gaveUp}`);
      if (!wasBent) break;
    }
    return undefined;
  }
}

/** Slots of the longest ring. */
function mostSlots({ barriers, tiles }: Resources): number {
  return Math.max(1, ...[...barriers, ...tiles].map(({ slot }) => slot + 1));
}

type PlaceInGrid = Pick<Launch, "programs" | "block" | "blocks">;

/** Where a block, or the first of a cluster, may stand: it walks one program to three, or none behind the last. */
function placesOf(kernel: ScheduledKernel, { hasRoles }: Resources): readonly PlaceInGrid[] {
  const cluster = kernel.cluster ?? 1;
  const first = { block: 0, blocks: cluster };
  if (!hasRoles) return [{ ...first, programs: 1 }];
  // With one more than the blocks of a cluster, its last block has one less to do than its first.
  return [
    { ...first, programs: cluster },
    { ...first, programs: cluster + 1 },
    { ...first, programs: MOST_PROGRAMS * cluster },
    { programs: 1, block: cluster, blocks: 2 * cluster },
  ];
}

/** Every way in which the blocks of a cluster may share copies or not, whatever the addresses say. */
function sharingsOf({ sharing }: Resources): readonly ReadonlyMap<number, number>[] {
  const ids = [...new Set(sharing.map(({ id }) => id))].slice(0, MOST_TRUTHS);
  if (ids.length === 0) return [];
  return Array.from(
    { length: 2 ** ids.length },
    (_, ways) => new Map(ids.map((id, i) => [id, (ways >> i) & 1])),
  );
}

/**
 * Checks the protocol of a kernel that has one.
 * @returns the first violation, in the smallest launch that shows one
 */
export function findProtocolViolation(kernel: ScheduledKernel): ProtocolResult {
  const resources = findResources(kernel);
  const checker = new Checker(kernel, resources);
  const wanted = Array.from({ length: mostSlots(resources) + MORE_TRIPS + 1 }, (_, n) => n);
  const result = (violation?: ProtocolViolation): ProtocolResult => ({
    ...(violation === undefined ? {} : { violation }),
    trips: [...checker.trips].sort((a, b) => a - b),
    programs: resources.hasRoles ? MOST_PROGRAMS : 1,
    notes: [...checker.notes],
  });
  const launches = chooseLaunches(kernel, resources, wanted);
  for (const place of placesOf(kernel, resources)) {
    for (const { launch, trips } of launches) {
      const violation = checker.check({ launch: { ...launch, ...place }, trips });
      if (violation !== undefined) return result(violation);
    }
  }
  const last = launches.at(-1);
  for (const forced of sharingsOf(resources)) {
    if (last === undefined) break;
    const launch = { ...last.launch, programs: 2 * MOST_PROGRAMS, blocks: 2 };
    const all = new Map([...launch.forced, ...forced]);
    const violation = checker.check({ ...last, launch: { ...launch, forced: all } });
    if (violation !== undefined) return result(violation);
  }
  checker.noteUnreached();
  return result();
}
