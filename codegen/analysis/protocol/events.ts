/** [codegen/analysis/protocol] What the threads of a block do to barriers and shared memory, as lists of events. Data only. */
import type { SOp } from "../../ir/scheduled.ts";

/** A slot of a buffer: an mbarrier, or a tile that copies fill. */
export interface Place {
  readonly buffer: string;
  readonly slot: number;
  /** Rank of the block whose shared memory it is in; absent where a cluster is one block. */
  readonly block?: number;
}

interface Base {
  readonly op: SOp;
  /** Trips of the loops around, such as "program 1, trip 5"; empty outside of loops. */
  readonly trip: string;
}

/** Barriers and tiles are positions in the lists of a `ProtocolSystem`. */
export type ProtocolEvent =
  /** One thread sets the barrier to `arrivals` a phase. */
  | (Base & { readonly kind: "init"; readonly barrier: number; readonly arrivals: number })
  /** All threads of the block meet, or those of the consumers alone, or those of all blocks of the cluster. */
  | (Base & { readonly kind: "meet"; readonly among: "block" | "consumers" | "cluster" })
  | (Base & { readonly kind: "wait"; readonly barrier: number; readonly parity: number })
  /** `remote`: the barrier of the cluster's other block where it arrives too, at once as far as counts go. */
  | (Base & { readonly kind: "arrive"; readonly barrier: number; readonly remote?: number })
  | (Base & { readonly kind: "expect"; readonly barrier: number; readonly bytes: number })
  /** A copy that brings `bytes` to a tile and counts them on a barrier when they are there. */
  | (Base & {
      readonly kind: "tensor_copy";
      readonly tile: number;
      readonly bytes: number;
      readonly barrier: number;
    })
  /** This thread's part of a copy, there once its group has been waited for. */
  | (Base & { readonly kind: "async_copy"; readonly tile: number })
  | (Base & { readonly kind: "commit" })
  /** Waits for all but the newest `pending` groups of this thread's copies. */
  | (Base & { readonly kind: "copy_wait"; readonly pending: number })
  /** A write that is done when the next event begins; `part` where each thread fills its part of a tile that is read later. */
  | (Base & { readonly kind: "write"; readonly tiles: readonly number[]; readonly part: boolean })
  /** `async`: reads until a `dot_wait` of the same thread. */
  | (Base & { readonly kind: "read"; readonly tiles: readonly number[]; readonly async: boolean })
  | (Base & { readonly kind: "dot_wait"; readonly pending: number })
  /** What needs no other thread to be wrong. */
  | (Base & { readonly kind: "misuse"; readonly misuse: Misuse });

export interface Misuse {
  readonly rule: "accumulator" | "slot";
  /** What the op does, such as "cast reads acc". */
  readonly act: string;
  readonly message: string;
  readonly seen: string;
  readonly expected: string;
}

/** Threads that do the same: one producing thread, a warpgroup, or a thread that stands for all. */
export interface Instance {
  readonly name: string;
  /** Rank of its block in the cluster. */
  readonly block: number;
  readonly isConsumer: boolean;
  readonly events: readonly ProtocolEvent[];
}

/** A cluster (mostly of one block) with every decision taken: what each of its threads does in order. */
export interface ProtocolSystem {
  readonly instances: readonly Instance[];
  readonly barriers: readonly Place[];
  readonly tiles: readonly Place[];
  /** The kernel counts uses of its rings itself, and texts speak of those: use n is phase n div stages of slot n mod stages. */
  readonly byUse?: true;
}

/** What a barrier goes through, as its kernel knows it. */
export function unitOf({ byUse }: ProtocolSystem): "use" | "phase" {
  return byUse === true ? "use" : "phase";
}

/** A barrier, by slot where there are phases and as a whole where there are uses. */
export function formatBarrier({ barriers, byUse }: ProtocolSystem, barrier: number): string {
  const place = barriers[barrier];
  return byUse === true && place !== undefined ? place.buffer : formatPlace(place);
}

/** Such as "phase 2", or "use 9" of a barrier's slot 1 of 4. */
export function formatPhase(system: ProtocolSystem, barrier: number, phase: number): string {
  const place = system.barriers[barrier];
  if (system.byUse !== true || place === undefined) return `phase ${phase}`;
  const stages = system.barriers.filter(({ buffer }) => buffer === place.buffer).length;
  return `use ${phase * stages + place.slot}`;
}

export function formatPlace(place: Place | undefined): string {
  if (place === undefined) return "?";
  const name = `${place.buffer}[${place.slot}]`;
  return place.block === undefined ? name : `${name} of block ${place.block}`;
}
