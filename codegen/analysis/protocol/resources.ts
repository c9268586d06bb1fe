/** [codegen/analysis/protocol] Which buffers of a kernel are mbarriers and which hold tiles that copies fill, numbered slot by slot. */
import { DTYPES } from "../../../dsl/index.ts";
import type { ScheduledKernel, SharedBuffer, SOp, SValue } from "../../ir/scheduled.ts";
import {
  isEffect,
  ownerOf,
  scheduledRegions,
  sharedAccesses,
  walkScheduled,
} from "../../ir/visit-scheduled.ts";
import type { Place } from "./events.ts";

/** A buffer's slots, as positions from `first` on. */
interface Slots {
  readonly first: number;
  readonly count: number;
}

export interface Resources {
  readonly barriers: readonly Place[];
  readonly tiles: readonly Place[];
  readonly barrierSlots: ReadonlyMap<string, Slots>;
  /** By the name of a buffer or of a view of one that is not cut into more slots. */
  readonly tileSlots: ReadonlyMap<string, Slots>;
  /** Tiles that lie in the bytes of another buffer, by the name of that buffer. */
  readonly covered: ReadonlyMap<string, readonly number[]>;
  /** Ops that are events, and ops whose blocks hold some. */
  readonly eventful: ReadonlySet<SOp>;
  /** Loops whose own ops fill or empty a ring. */
  readonly rings: readonly Extract<SOp, { kind: "for" }>[];
  readonly hasRoles: boolean;
  /** Conditions under which the blocks of a cluster copy for each other. */
  readonly sharing: readonly SValue[];
}

function bytesOfSlot({ dtype, layout }: SharedBuffer): number {
  return (layout.stageElements * DTYPES[dtype].bits) / 8;
}

class Collector {
  readonly #kernel: ScheduledKernel;
  readonly barriers: Place[] = [];
  readonly tiles: Place[] = [];
  readonly barrierSlots = new Map<string, Slots>();
  readonly tileSlots = new Map<string, Slots>();
  readonly covered = new Map<string, number[]>();
  readonly eventful = new Set<SOp>();
  readonly rings: Extract<SOp, { kind: "for" }>[] = [];
  readonly sharing: SValue[] = [];
  hasRoles = false;

  constructor(kernel: ScheduledKernel) {
    this.#kernel = kernel;
  }

  #slots(name: string, list: Place[], slots: Map<string, Slots>): void {
    const buffer = this.#kernel.shared.find((candidate) => candidate.name === name);
    if (buffer === undefined || slots.has(name)) return;
    slots.set(name, { first: list.length, count: buffer.stages });
    for (let slot = 0; slot < buffer.stages; slot++) list.push({ buffer: name, slot });
  }

  findBuffers(): void {
    const { shared, body } = this.#kernel;
    walkScheduled(body, (op) => {
      if (op.kind === "roles") this.hasRoles = true;
      if (op.kind === "mbarrier_init") this.#slots(op.barrier, this.barriers, this.barrierSlots);
      if (op.kind === "copy")
        this.#slots(ownerOf(shared, op.into.buffer), this.tiles, this.tileSlots);
      if (op.kind === "send_tile") this.#slots(op.into, this.tiles, this.tileSlots);
      if (op.kind === "copy" && op.signal !== undefined)
        this.#slots(op.signal.buffer, this.barriers, this.barrierSlots);
      if (op.kind === "copy" && op.halves !== undefined) this.sharing.push(op.halves.same);
      if (
        op.kind === "mbarrier_wait" ||
        op.kind === "mbarrier_arrive" ||
        op.kind === "mbarrier_expect"
      )
        this.#slots(op.on.buffer, this.barriers, this.barrierSlots);
    });
    for (const { name, aliasOf } of shared) {
      const owned = aliasOf === undefined ? undefined : this.tileSlots.get(aliasOf);
      if (owned !== undefined) this.tileSlots.set(name, owned);
    }
    for (const buffer of shared) this.#cover(buffer);
  }

  #cover(buffer: SharedBuffer): void {
    const { byteOffset: start, name, stages } = buffer;
    if (start === undefined || this.tileSlots.has(name)) return;
    const end = start + bytesOfSlot(buffer) * stages;
    this.tiles.forEach((place, tile) => {
      const filled = this.#kernel.shared.find((candidate) => candidate.name === place.buffer);
      if (filled?.byteOffset === undefined) return;
      const bytes = bytesOfSlot(filled);
      const from = filled.byteOffset + place.slot * bytes;
      if (from >= end || start >= from + bytes) return;
      const list = this.covered.get(name);
      if (list === undefined) this.covered.set(name, [tile]);
      else list.push(tile);
    });
  }

  /** Stores are events only where they touch a tile, as all that defines a value. */
  #isEvent(op: SOp): boolean {
    if (op.kind === "dot" && op.instruction.kind === "wgmma") return true;
    if (op.kind === "wait_previous") return false; // between launches
    if (isEffect(op) && op.kind !== "store" && op.kind !== "shared_store") return true;
    // Where bytes of tiles are used again, the barrier inside of an exchange through scratch may be what orders it.
    return sharedAccesses(op).some(
      ({ buffer, mode }) =>
        this.tileSlots.has(buffer) ||
        this.covered.has(buffer) ||
        (mode === "scratch" && this.covered.size > 0),
    );
  }

  findEvents(ops: readonly SOp[]): boolean {
    let some = false;
    for (const op of ops) {
      let holds = this.#isEvent(op);
      for (const region of scheduledRegions(op)) holds = this.findEvents(region.ops) || holds;
      if (holds) this.eventful.add(op);
      if (op.kind === "for" && op.body.ops.some(isOfRing)) this.rings.push(op);
      some ||= holds;
    }
    return some;
  }
}

/** Ops that tell a loop with a ring, whichever of them it lacks by mistake. */
function isOfRing(op: SOp): boolean {
  switch (op.kind) {
    case "mbarrier_wait":
    case "mbarrier_expect":
    case "wait":
    case "commit":
    case "copy":
      return true;
    case "dot":
      return op.instruction.kind === "wgmma";
    default:
      return false;
  }
}

export function findResources(kernel: ScheduledKernel): Resources {
  const collector = new Collector(kernel);
  collector.findBuffers();
  collector.findEvents(kernel.body.ops);
  return collector;
}
