/** [dsl/ir] Ops of the third tier: shared tiles, barriers, asynchronous copies and dots, roles. Data only; what they mean is in dsl/README.md. */
import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { Block } from "./nodes.ts";
import type { Axis, Value } from "./types.ts";

interface OpBase {
  readonly loc: Location;
}

/** Shared memory of a block: `stages` slots of one tile each. Use number n of the ring takes slot n mod stages. At the top level. */
export interface RingOp extends OpBase {
  readonly kind: "ring";
  readonly ring: string;
  readonly dtype: DType;
  readonly axes: readonly Axis[];
  readonly stages: number;
}
/**
 * `stages` barriers: use number n takes barrier n mod stages, and is over when `arrivals` roles (counted in warpgroups) have arrived and all
 * bytes that were expected are there. At the top level.
 */
export interface BarrierOp extends OpBase {
  readonly kind: "barrier";
  readonly barrier: string;
  readonly stages: number;
  readonly arrivals: number;
}
/** Returns when use number `use` of the barrier is over; uses before 0 are. */
export interface BarrierWaitOp extends OpBase {
  readonly kind: "barrier_wait";
  readonly barrier: string;
  readonly use: Value;
}
/** One arrival for each warpgroup of the role. `bytes`: what asynchronous copies still bring in this use. */
export interface BarrierArriveOp extends OpBase {
  readonly kind: "barrier_arrive";
  readonly barrier: string;
  readonly use: Value;
  readonly bytes?: number;
}
/** Brings `value`, a load that nothing else reads, into a slot; its bytes count on use `use` of the barrier, too. */
export interface CopyAsyncOp extends OpBase {
  readonly kind: "copy_async";
  readonly ring: string;
  readonly use: Value;
  readonly value: Value;
  readonly barrier: string;
}
/** The tile in a slot, which must stay there until what reads it is done. */
export interface SlotOp extends OpBase {
  readonly kind: "slot";
  readonly result: Value;
  readonly ring: string;
  readonly use: Value;
  /** It is read here, into registers, also where dots alone take it up. */
  readonly registers?: true;
}
/** Returns when at most `pending` asynchronous dots of this role are in flight; `results` are `xs`, which may be read from here on. */
export interface DotWaitOp extends OpBase {
  readonly kind: "dot_wait";
  readonly results: readonly Value[];
  readonly xs: readonly Value[];
  readonly pending: number;
}
/**
 * How a block walks over the programs of a launch: the number of its first one, how many there are, and how many blocks share them out.
 * Programs are counted along axis 0 of the grid first.
 */
export interface WalkOp extends OpBase {
  readonly kind: "walk";
  readonly result: Value;
  readonly what: "first" | "total" | "blocks";
  /** Blocks take the next program that none has taken yet; else every `blocks`-th. */
  readonly counted?: true;
}
/** Two roles of one program side by side, at the top level, once: one thread produces, warpgroups consume. */
export interface RolesOp extends OpBase {
  readonly kind: "roles";
  readonly producer: Block;
  readonly consumer: Block;
  /** Warpgroups that consume, each its share of the rows of a product. */
  readonly warpgroups: number;
  /** Registers of a thread of each role. */
  readonly registers?: { readonly producer: number; readonly consumer: number };
}

export type ExplicitOp =
  | RingOp
  | BarrierOp
  | BarrierWaitOp
  | BarrierArriveOp
  | CopyAsyncOp
  | SlotOp
  | DotWaitOp
  | WalkOp
  | RolesOp;
