/** [codegen/ir] The scheduled IR (L2): the tile IR with layouts on values, memory spaces, copies, pipelines and barriers made explicit. Data only. */
import type {
  ArgReduceFn,
  AtomicFn,
  Axis,
  BinaryFn,
  CompareFn,
  DType,
  LoadHints,
  Location,
  Param,
  ReduceFn,
  ScanFn,
  UnaryFn,
  ValueType,
} from "../../dsl/index.ts";
import type { RegisterLayout, SharedLayout } from "../layout/layout.ts";
import type { PackedOrder } from "../layout/packed-order.ts";
import type { SDot } from "./scheduled-dots.ts";
import type { RoleOp } from "./scheduled-roles.ts";

export type { DotInstruction, DotOperand, SDot } from "./scheduled-dots.ts";

/** A value held in registers. Scalars are uniform over the program and have no layout. Narrow dtypes are only moved, selected and cast here. */
export interface SValue {
  readonly id: number;
  readonly name: string;
  readonly type: ValueType;
  readonly layout?: RegisterLayout;
}

/** A buffer in shared memory with `stages` slots. Axis sizes are those of one slot. `scratch` buffers (conversions, reductions) may share bytes when their lives do not overlap. */
export interface SharedBuffer {
  readonly name: string;
  readonly dtype: DType;
  readonly axes: readonly Axis[];
  readonly stages: number;
  readonly layout: SharedLayout;
  /** Bytes from the start of the block's shared memory; set by the allocation pass, 16-byte aligned. */
  readonly byteOffset?: number;
  /** Another view of that buffer's bytes, with the same place: slots that step along one of its axes. */
  readonly aliasOf?: string;
}

/** A slot of a buffer: `slot` is a scalar i32, absent for slot 0. */
export interface SharedRef {
  readonly buffer: string;
  readonly slot?: SValue;
}

export type SIndex =
  | { readonly kind: "at"; readonly value: SValue }
  | { readonly kind: "span"; readonly axis: Axis; readonly start: SValue; readonly end?: SValue }
  | { readonly kind: "gather"; readonly index: SValue }
  | SPages;

/**
 * Of a tma copy alone: one box for each entry, which is a place along this dim. The next dim has a span of the same axis, as long as one
 * box; boxes of all entries, one after the other, are the axis. Entries out of bounds give zeros, and so do elements from `limit` on.
 */
export interface SPages {
  readonly kind: "pages";
  readonly axis: Axis;
  readonly entries: readonly SValue[];
  readonly limit?: SValue;
}

interface Base {
  readonly loc: Location;
}
export interface SConst extends Base {
  readonly kind: "const";
  readonly result: SValue;
  readonly value: number;
}
export interface SDim extends Base {
  readonly kind: "dim";
  readonly result: SValue;
  readonly dim: string;
}
export interface SParam extends Base {
  readonly kind: "param";
  readonly result: SValue;
  readonly param: string;
}
export interface SPid extends Base {
  readonly kind: "pid";
  readonly result: SValue;
  readonly axis: 0 | 1 | 2;
}
export interface SNumPrograms extends Base {
  readonly kind: "num_programs";
  readonly result: SValue;
  readonly axis: 0 | 1 | 2;
}
export interface SIota extends Base {
  readonly kind: "iota";
  readonly result: SValue;
}
/** Elementwise: operands have the result's axes and layout (a scalar operand is allowed only through `broadcast`). */
export interface SUnary extends Base {
  readonly kind: "unary";
  readonly result: SValue;
  readonly fn: UnaryFn;
  readonly x: SValue;
}
export interface SBinary extends Base {
  readonly kind: "binary";
  readonly result: SValue;
  readonly fn: BinaryFn;
  readonly a: SValue;
  readonly b: SValue;
}
export interface SCompare extends Base {
  readonly kind: "compare";
  readonly result: SValue;
  readonly fn: CompareFn;
  readonly a: SValue;
  readonly b: SValue;
}
export interface SSelect extends Base {
  readonly kind: "select";
  readonly result: SValue;
  readonly cond: SValue;
  readonly a: SValue;
  readonly b: SValue;
}
export interface SCast extends Base {
  readonly kind: "cast";
  readonly result: SValue;
  readonly x: SValue;
}
export interface SBitcast extends Base {
  readonly kind: "bitcast";
  readonly result: SValue;
  readonly x: SValue;
}
/** Free in registers: x's layout is the result's with the new axes' iters made replication. */
export interface SBroadcast extends Base {
  readonly kind: "broadcast";
  readonly result: SValue;
  readonly x: SValue;
}
/**
 * Ops with `scratch` (reduce, arg_reduce, scan, convert, atomic): their own accesses stand in the order writes, barrier, reads (repeated
 * where more rounds are needed, with a barrier before each further write). They open and close without a barrier: `insert-barriers` puts one
 * before the next writer of the same bytes. `scratch` is present exactly where threads of different warps (or of a warp without shuffles)
 * must exchange values. Scratch buffers: convert, and atomic: the tile in its dtype, with its axes. reduce and scan: one axis of
 * parts × result elements (result without the axis) in the result's dtype, part slowest, elements row-major, where `parts` counts the
 * values that lanes (only where the warp has no shuffles) and warps take along the axis. arg_reduce: u32, 2 × parts × result elements,
 * bits of the values first, then the indices.
 *
 * Reduce: registers first, then lanes by shuffles (or `scratch` where the target has none), then warps through `scratch`. All replicas end with the result.
 */
export interface SReduce extends Base {
  readonly kind: "reduce";
  readonly result: SValue;
  readonly fn: ReduceFn;
  readonly x: SValue;
  readonly axis: string;
  readonly scratch?: string;
}
export interface SArgReduce extends Base {
  readonly kind: "arg_reduce";
  readonly result: SValue;
  readonly fn: ArgReduceFn;
  readonly x: SValue;
  readonly axis: string;
  readonly scratch?: string;
}
/** Along `axis`, strides grow from registers to lanes to warps: each thread holds one contiguous run. */
export interface SScan extends Base {
  readonly kind: "scan";
  readonly result: SValue;
  readonly fn: ScanFn;
  readonly x: SValue;
  readonly axis: string;
  readonly scratch?: string;
}
/** Same registers, other axis names or another split of the same axes (rename, merge, split). */
export interface SRelabel extends Base {
  readonly kind: "relabel";
  readonly result: SValue;
  readonly x: SValue;
}
/** To another layout of the same tile: a permutation of registers where lanes and warps agree, else through `scratch` (store, barrier, load, barrier). */
export interface SConvert extends Base {
  readonly kind: "convert";
  readonly result: SValue;
  readonly x: SValue;
  readonly via: "registers" | "shared";
  readonly scratch?: string;
}

/** Global → registers. `width`: elements of one vector access along the fastest axis, proven aligned and never straddling a bound. */
export interface SLoad extends Base {
  readonly kind: "load";
  readonly result: SValue;
  readonly tensor: string;
  readonly at: readonly SIndex[];
  readonly mask?: SValue;
  readonly fill: number;
  readonly width: number;
  /**
   * From a tensor with an order of its own (ScheduledKernel.orders): in vectors of registers that are neighbours there, the tile at whole
   * blocks; or one element at a time from anywhere. Absent: row-major.
   */
  readonly packed?: "vectors" | "elements";
  readonly hints?: LoadHints;
}
/** `panels`: slots of shared memory, the same number for each warp, through which tensor maps write the tile; then `width` means nothing. */
export interface SStore extends Base {
  readonly kind: "store";
  readonly tensor: string;
  readonly at: readonly SIndex[];
  readonly value: SValue;
  readonly mask?: SValue;
  readonly width: number;
  readonly panels?: string;
  /** With `panels`: the value is words of two columns, as `pack_pairs` makes them, and only these panels of each warp are stored. */
  readonly held?: { readonly first: number; readonly count: number };
  /** 4-bit elements of width 1: each two of a byte are neighbouring registers of one thread, though a bound or the mask may cut between them. */
  readonly pairs?: true;
}
/** Done once for each element, by one replica; `scratch` is present where the result is used and other replicas (or, for a scalar, all threads) need it. */
export interface SAtomic extends Base {
  readonly kind: "atomic";
  readonly result: SValue;
  readonly scratch?: string;
  readonly fn: AtomicFn;
  readonly tensor: string;
  readonly at: readonly SIndex[];
  readonly value: SValue;
  readonly mask?: SValue;
}

/**
 * Global → shared. `layout` distributes the tile over the block's threads for the copy (one replica copies); gather indices and mask are in slices of it.
 * `cp.async` needs width × element size of 4, 8 or 16 bytes and completes at a `wait`; `ldg` goes through registers and is done at the next barrier.
 * `tma` is started by one thread for the whole box (then `layout` and `width` mean nothing) and counts its bytes, zeros past the bounds
 * included, on the mbarrier `signal`; `once`: what it reads is the first to leave the cache.
 * `halves`: the box comes in two halves along its slowest axis; where `same` holds, which both blocks of a cluster find alike, each
 * block brings half number `rank` to both, else both halves to itself.
 */
export interface SCopy extends Base {
  readonly kind: "copy";
  readonly into: SharedRef;
  readonly tensor: string;
  readonly at: readonly SIndex[];
  readonly mask?: SValue;
  readonly fill: number;
  readonly layout: RegisterLayout;
  readonly width: number;
  readonly via: "cp.async" | "ldg" | "tma";
  readonly signal?: SharedRef;
  readonly once?: true;
  readonly halves?: { readonly rank: SValue; readonly same: SValue };
}
/** Closes a group of cp.async copies. */
export interface SCommit extends Base {
  readonly kind: "commit";
}
/** Waits until at most `pending` groups of this thread are in flight. */
export interface SWait extends Base {
  readonly kind: "wait";
  readonly pending: number;
}
/** All threads of the block meet; shared memory written before is visible after. */
export interface SBarrier extends Base {
  readonly kind: "barrier";
}
export interface SSharedLoad extends Base {
  readonly kind: "shared_load";
  readonly result: SValue;
  readonly from: SharedRef;
  readonly width: number;
}
export interface SSharedStore extends Base {
  readonly kind: "shared_store";
  readonly into: SharedRef;
  readonly value: SValue;
  readonly width: number;
}

export interface SFor extends Base {
  readonly kind: "for";
  readonly results: readonly SValue[];
  readonly lo: SValue;
  readonly hi: SValue;
  readonly step: SValue;
  readonly inits: readonly SValue[];
  readonly body: SBlock;
  readonly unroll?: number;
  /** Wanted number of slots; consumed by `pipeline-loads`, no meaning after it. */
  readonly stages?: number;
}
export interface SWhile extends Base {
  readonly kind: "while";
  readonly results: readonly SValue[];
  readonly inits: readonly SValue[];
  readonly cond: SBlock;
  readonly body: SBlock;
}
/** Uniform over the block: barriers may stand inside. `warp`: uniform over each warp alone, on the result of a `vote`; then none may. */
export interface SIf extends Base {
  readonly kind: "if";
  /** On whether any row of the block is true: the branch may run for fewer rows than all. */
  readonly byRows?: true;
  readonly warp?: true;
  readonly results: readonly SValue[];
  readonly cond: SValue;
  readonly then: SBlock;
  readonly else: SBlock;
}

export type SOp =
  | SConst
  | SDim
  | SParam
  | SPid
  | SNumPrograms
  | SIota
  | SUnary
  | SBinary
  | SCompare
  | SSelect
  | SCast
  | SBitcast
  | SBroadcast
  | SReduce
  | SArgReduce
  | SScan
  | SRelabel
  | SConvert
  | SLoad
  | SStore
  | SAtomic
  | SCopy
  | SCommit
  | SWait
  | SBarrier
  | SSharedLoad
  | SSharedStore
  | SDot
  | SFor
  | SWhile
  | SIf
  | RoleOp;

/** As in the tile IR: for a loop, `params` = [iv, ...carried] and `yields` the next carried values. */
export interface SBlock {
  readonly params: readonly SValue[];
  readonly ops: readonly SOp[];
  readonly yields: readonly SValue[];
}

/** What the compiler decided and why, for `explain()`: "load k: ldg, not cp.async: row of 14 bytes is not 4-byte aligned". */
export interface Remark {
  readonly pass: string;
  readonly message: string;
  readonly loc: Location;
}

export interface ScheduledKernel {
  readonly name: string;
  readonly params: readonly Param[];
  readonly dims: readonly string[];
  readonly fixedDims: Readonly<Record<string, number>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  /** Largest power of two known to divide a launch dim; 1 where absent. */
  readonly divisibility: Readonly<Record<string, number>>;
  /** Packed tensors and the order in which they lie; all others are row-major. */
  readonly orders?: Readonly<Record<string, PackedOrder>>;
  readonly numWarps: number;
  readonly warpSize: number;
  /** Blocks that run together and see each other's shared memory; 1 where absent. */
  readonly cluster?: 2;
  readonly shared: readonly SharedBuffer[];
  readonly body: SBlock;
  readonly remarks: readonly Remark[];
}
