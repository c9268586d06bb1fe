/** [codegen/analysis/protocol] What the threads of a block do to barriers and shared memory, as lists of events. Data only. */
import type { SOp } from "../../ir/scheduled.ts";

/** A slot of a buffer: an mbarrier, or a tile that copies fill. */
export interface Place {
  readonly buffer: string;
  readonly slot: number;
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
  /** All threads of the block meet, or those of the consumers alone. */
  | (Base & { readonly kind: "meet"; readonly among: "block" | "consumers" })
  | (Base & { readonly kind: "wait"; readonly barrier: number; readonly parity: number })
  | (Base & { readonly kind: "arrive"; readonly barrier: number })
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
  readonly isConsumer: boolean;
  readonly events: readonly ProtocolEvent[];
}

/** A block with every decision taken: what each of its threads does in order. Instance 0 holds the block's first thread. */
export interface ProtocolSystem {
  readonly instances: readonly Instance[];
  readonly barriers: readonly Place[];
  readonly tiles: readonly Place[];
}

export function formatPlace(place: Place | undefined): string {
  return place === undefined ? "?" : `${place.buffer}[${place.slot}]`;
}
