/** [codegen/ir] Ops of the scheduled IR (L2) for warps with roles: barriers in shared memory, asynchronous products, persistent programs. Data only. */
import type { Location } from "../../dsl/index.ts";
import type { SBlock, SharedRef, SValue } from "./scheduled.ts";

interface Base {
  readonly loc: Location;
}

/**
 * A ring of mbarriers: a u32 buffer of two words, one slot each. One thread sets every slot to `arrivals` a phase; a block barrier must
 * follow before any other op touches it.
 */
export interface SMbarrierInit extends Base {
  readonly kind: "mbarrier_init";
  readonly barrier: string;
  readonly arrivals: number;
}
/**
 * Returns once the phase of this parity (0 or 1) of the barrier is over. A waiter must see every phase: parities repeat. `cluster`: what
 * threads of other blocks wrote before they arrived is there, too.
 */
export interface SMbarrierWait extends Base {
  readonly kind: "mbarrier_wait";
  readonly on: SharedRef;
  readonly parity: SValue;
  readonly cluster?: true;
}
/**
 * One arrival for each warpgroup that runs it, by one of its threads; `everywhere`: at the same barrier of every block of the cluster;
 * `warps`: one for each warp, after all its lanes; `rank`: one for each thread at the barrier of that block of the cluster, which hands
 * over what the thread wrote.
 */
export interface SMbarrierArrive extends Base {
  readonly kind: "mbarrier_arrive";
  readonly on: SharedRef;
  readonly everywhere?: true;
  readonly warps?: true;
  readonly rank?: 0 | 1;
}
/** Each thread writes its elements of the tile to its own place in the buffer of the cluster's block `rank`. */
export interface SSendTile extends Base {
  readonly kind: "send_tile";
  readonly value: SValue;
  readonly into: string;
  readonly rank: 0 | 1;
}
/** Each thread reads the elements that the thread of its number in another block wrote with `send_tile`, in the same layout. */
export interface STakeTile extends Base {
  readonly kind: "take_tile";
  readonly result: SValue;
  readonly from: string;
}
/** One arrival, and `bytes` that copies with this barrier as their signal still bring in this phase. */
export interface SMbarrierExpect extends Base {
  readonly kind: "mbarrier_expect";
  readonly on: SharedRef;
  readonly bytes: number;
}
/**
 * Waits until at most `pending` wgmma dots of this warpgroup are in flight; `done` are accumulators that may be read from here on.
 * `behind`: a bool, the same for a warp, of which both ways wait: what stands before it then runs before it, too, where an assembler would
 * have it wait first.
 */
export interface SDotWait extends Base {
  readonly kind: "dot_wait";
  readonly pending: number;
  readonly done: readonly SValue[];
  readonly behind?: SValue;
}
/** Neighbouring 16-bit elements along the axis that one thread holds in neighbouring registers, two to a u32, the first in the low half. */
export interface SPackPairs extends Base {
  readonly kind: "pack_pairs";
  readonly result: SValue;
  readonly x: SValue;
  readonly axis: string;
}
/**
 * Elements of f32 as f8e4m3, four to a u32: `x` lies as an accumulator, in which other lanes of the quad hold an element's neighbours along
 * the axis; afterwards a lane has the words of those that hold what it wants.
 */
export interface STradeQuads extends Base {
  readonly kind: "trade_quads";
  readonly result: SValue;
  readonly x: SValue;
  readonly axis: string;
}
/** Traded words as operand a of wgmma wants them: four neighbours along the axis to a u32, the first in the lowest byte. */
export interface SPackQuads extends Base {
  readonly kind: "pack_quads";
  readonly result: SValue;
  readonly x: SValue;
  readonly axis: string;
}
/**
 * Whether an element that the warp holds is true. The one scalar that is not the same for all threads of the block: only an `if` with
 * `warp` reads it.
 */
export interface SVote extends Base {
  readonly kind: "vote";
  readonly result: SValue;
  readonly x: SValue;
}
/** Programs of the launch along an axis, where blocks are fewer than programs. */
export interface SGridSize extends Base {
  readonly kind: "grid_size";
  readonly result: SValue;
  readonly axis: 0 | 1 | 2;
}
/**
 * A program of the launch that no block has taken yet, by its number: `first` plus what a counter in global memory says. Past the last one
 * where all are taken. `after` is the one that the block took before. Only in `producer`.
 */
export interface SNextProgram extends Base {
  readonly kind: "next_program";
  readonly result: SValue;
  readonly first: SValue;
  readonly after: SValue;
  readonly blocks: SValue;
}
/** The block takes no more programs; the last one that says so sets the counter to 0 again. */
export interface SProgramsDone extends Base {
  readonly kind: "programs_done";
  readonly blocks: SValue;
}
/** One thread writes a word for the other role; an mbarrier orders it before the `fetch`. */
export interface SPost extends Base {
  readonly kind: "post";
  readonly into: SharedRef;
  readonly word: number;
  readonly value: SValue;
}
/** A word that the other role posted. `same`: what it is if blocks take every `blocks`-th program; the kernel does not read that, the check of its protocol does. */
export interface SFetch extends Base {
  readonly kind: "fetch";
  readonly result: SValue;
  readonly from: SharedRef;
  readonly word: number;
  readonly same: SValue;
}
/** Which of the blocks of its cluster this one is: 0 or 1. */
export interface SClusterRank extends Base {
  readonly kind: "cluster_rank";
  readonly result: SValue;
}
/** What earlier launches wrote is there from here on, for this thread: the launch may have begun before the one before it ended. */
export interface SWaitPrevious extends Base {
  readonly kind: "wait_previous";
}
/** All threads of all blocks of the cluster meet. */
export interface SClusterBarrier extends Base {
  readonly kind: "cluster_barrier";
}
/**
 * Warps of different work, at the top level of a kernel. `consumer` runs on the kernel's warps; `producer` on one thread of a warpgroup
 * of its own behind them, which the block has besides. In `consumer`, a barrier is one of the kernel's warps alone.
 */
export interface SRoles extends Base {
  readonly kind: "roles";
  readonly producer: SBlock;
  readonly consumer: SBlock;
  /** Registers of a thread of each role, moved from the producer to the consumers; absent where they keep what the block starts with. */
  readonly registers?: { readonly producer: number; readonly consumer: number };
  /** The kernel writes them out itself: its barriers count uses, and a fault of their protocol is its own. */
  readonly explicit?: true;
  /** Blocks should take programs by a counter; refine-roles sees to it. */
  readonly counted?: true;
}

export type RoleOp =
  | SMbarrierInit
  | SMbarrierWait
  | SMbarrierArrive
  | SMbarrierExpect
  | SSendTile
  | STakeTile
  | SDotWait
  | SPackPairs
  | STradeQuads
  | SPackQuads
  | SVote
  | SNextProgram
  | SProgramsDone
  | SPost
  | SFetch
  | SGridSize
  | SClusterRank
  | SClusterBarrier
  | SWaitPrevious
  | SRoles;
