/** [codegen/ir] The thread IR (L3): what one thread does, over scalar registers and register arrays, with structured control flow. Data only. */
import type {
  AtomicFn,
  BinaryFn,
  CompareFn,
  DType,
  Location,
  Param,
  UnaryFn,
} from "../../dsl/index.ts";

/** i64 only in global offsets, and only on targets that have it. Floats of 16 and 8 bits are raw bits: moved, selected, cast, packed, never computed with. */
export type RegType = DType | "i64";

/** A register (`length` 1) or a register array; arrays are indexed by constants once loops marked `unroll` are unrolled. */
export interface Reg {
  readonly name: string;
  readonly type: RegType;
  readonly length: number;
}

interface Typed {
  readonly type: RegType;
}
/** Pure expressions; operands of one node have one type unless stated. */
export type Expr =
  | (Typed & { readonly kind: "const"; readonly value: number })
  /** A register, a loop variable or an element of a register array. */
  | (Typed & { readonly kind: "reg"; readonly name: string; readonly index?: Expr })
  /** i32. `thread` in the block, `lane` in the warp, `warp` in the block; `grid`: programs of a persistent launch, whose blocks are fewer; `rank` in the cluster. */
  | (Typed & {
      readonly kind: "special";
      readonly name:
        | "thread"
        | "lane"
        | "warp"
        | "pid0"
        | "pid1"
        | "pid2"
        | "programs0"
        | "programs1"
        | "programs2"
        | "grid0"
        | "grid1"
        | "grid2"
        | "rank";
    })
  | (Typed & { readonly kind: "dim"; readonly name: string })
  | (Typed & { readonly kind: "param"; readonly name: string })
  | (Typed & { readonly kind: "unary"; readonly fn: UnaryFn; readonly x: Expr })
  | (Typed & { readonly kind: "binary"; readonly fn: BinaryFn; readonly a: Expr; readonly b: Expr })
  /** a × b + c in one rounding, f32. */
  | (Typed & { readonly kind: "fma"; readonly a: Expr; readonly b: Expr; readonly c: Expr })
  | (Typed & {
      readonly kind: "compare";
      readonly fn: CompareFn;
      readonly a: Expr;
      readonly b: Expr;
    })
  | (Typed & { readonly kind: "select"; readonly cond: Expr; readonly a: Expr; readonly b: Expr })
  /** By value, the rules of the tile IR's cast. Also i32 → i64. */
  | (Typed & { readonly kind: "cast"; readonly x: Expr })
  | (Typed & { readonly kind: "bitcast"; readonly x: Expr })
  /** Two 16-bit values in one u32, `lo` in bits 0-15. */
  | (Typed & { readonly kind: "pack"; readonly lo: Expr; readonly hi: Expr });

interface At {
  readonly loc?: Location;
}
/** A place of `width` consecutive elements of a register array (or the register itself when `width` is 1). */
export interface RegSlice {
  readonly name: string;
  readonly index?: Expr;
}

/** Argument of an instruction; registers are `count` elements from the slice on. */
export type CallArg =
  | { readonly kind: "value"; readonly value: Expr }
  | { readonly kind: "address"; readonly buffer: string; readonly bytes: Expr }
  | { readonly kind: "map"; readonly map: string }
  /** The launch's counter of programs: two u32 in global memory, 0 before and after each launch. */
  | { readonly kind: "counter" }
  | { readonly kind: "registers"; readonly slice: RegSlice; readonly count: number };

export type Stmt =
  /** Declares; without `init` a register's content is undefined until assigned. `mutable: false` registers are assigned once, here. */
  | (At & {
      readonly kind: "let";
      readonly reg: Reg;
      readonly init?: Expr;
      readonly mutable: boolean;
    })
  | (At & { readonly kind: "assign"; readonly to: RegSlice; readonly value: Expr })
  /** Counts i32 `name` from lo while below hi. `unroll`: constant bounds, unrolled by the compiler below us, so that register arrays stay in registers. */
  | (At & {
      readonly kind: "loop";
      readonly name: string;
      readonly lo: Expr;
      readonly hi: Expr;
      readonly step: Expr;
      readonly unroll: boolean;
      readonly body: readonly Stmt[];
    })
  /** Evaluates `head`, stops when `cond` is false. */
  | (At & {
      readonly kind: "while";
      readonly head: readonly Stmt[];
      readonly cond: Expr;
      readonly body: readonly Stmt[];
    })
  /** `uniform`: the condition is the same for all threads of the block; barriers may stand inside. */
  | (At & {
      readonly kind: "if";
      readonly cond: Expr;
      readonly uniform: boolean;
      readonly then: readonly Stmt[];
      readonly else: readonly Stmt[];
    })
  /** `width` consecutive elements from element `offset` of the tensor. Where `mask` is false nothing is read and `fill` is given. Aligned to width × size. */
  | (At & {
      readonly kind: "load_global";
      readonly to: RegSlice;
      readonly tensor: string;
      readonly offset: Expr;
      readonly width: number;
      readonly mask?: Expr;
      readonly fill: number;
    })
  | (At & {
      readonly kind: "store_global";
      readonly from: RegSlice;
      readonly tensor: string;
      readonly offset: Expr;
      readonly width: number;
      readonly mask?: Expr;
    })
  | (At & {
      readonly kind: "atomic_global";
      readonly fn: AtomicFn;
      readonly to?: RegSlice;
      readonly tensor: string;
      readonly offset: Expr;
      readonly value: Expr;
      readonly mask?: Expr;
    })
  /** Element `offset` counts from the buffer's start, in elements of its dtype. */
  | (At & {
      readonly kind: "load_shared";
      readonly to: RegSlice;
      readonly buffer: string;
      readonly offset: Expr;
      readonly width: number;
    })
  | (At & {
      readonly kind: "store_shared";
      readonly from: RegSlice;
      readonly buffer: string;
      readonly offset: Expr;
      readonly width: number;
      readonly mask?: Expr;
    })
  /** cp.async of width elements (4, 8 or 16 bytes); where `mask` is false the destination is zeroed and nothing is read. */
  | (At & {
      readonly kind: "copy_async";
      readonly buffer: string;
      readonly to: Expr;
      readonly tensor: string;
      readonly from: Expr;
      readonly width: number;
      readonly mask?: Expr;
    })
  | (At & { readonly kind: "commit_async" })
  | (At & { readonly kind: "wait_async"; readonly pending: number })
  /** Of all threads of the block, or of the first `threads` alone. */
  | (At & { readonly kind: "barrier"; readonly threads?: number })
  /** An instruction of instructions.ts; `template` where its name holds a number. */
  | (At & {
      readonly kind: "call";
      readonly fn: string;
      readonly template?: number;
      readonly args: readonly CallArg[];
      readonly to?: RegSlice;
    })
  /** Warps below `warps` run `consumer`; one thread of the warpgroup behind them runs `producer`. */
  | (At & {
      readonly kind: "roles";
      readonly warps: number;
      readonly registers?: { readonly producer: number; readonly consumer: number };
      readonly producer: readonly Stmt[];
      readonly consumer: readonly Stmt[];
    })
  /** Lane l receives `value` of lane l ^ laneMask. All lanes of the warp take part. */
  | (At & {
      readonly kind: "shuffle_xor";
      readonly to: RegSlice;
      readonly value: Expr;
      readonly laneMask: number;
    })
  /** Lane l receives `value` of lane `lane` (an i32 expression). */
  | (At & {
      readonly kind: "shuffle";
      readonly to: RegSlice;
      readonly value: Expr;
      readonly lane: Expr;
    })
  /** `count` (1, 2 or 4) 8×8 matrices of 16-bit elements into `count` u32 registers; `offset`: element offset of the row that this lane addresses. */
  | (At & {
      readonly kind: "ldmatrix";
      readonly to: RegSlice;
      readonly count: 1 | 2 | 4;
      readonly transpose: boolean;
      readonly buffer: string;
      readonly offset: Expr;
    })
  /** m16n8k16: acc (4 f32) += a (4 u32) · b (2 u32). */
  | (At & {
      readonly kind: "mma";
      readonly dtype: "f16" | "bf16";
      readonly acc: RegSlice;
      readonly a: RegSlice;
      readonly b: RegSlice;
    })
  /** A line of explanation in the emitted text. */
  | (At & { readonly kind: "comment"; readonly text: string });

export interface ThreadShared {
  readonly name: string;
  readonly dtype: DType;
  /** Elements over all stages. */
  readonly elements: number;
  readonly byteOffset: number;
}

/** A box of a tensor that one TMA copy moves. */
export interface TensorMapSpec {
  readonly name: string;
  readonly tensor: string;
  /** Elements along each dim of the tensor, outermost first. */
  readonly box: readonly number[];
  /** Bytes over which the box is swizzled in shared memory. */
  readonly swizzle: 0 | 32 | 64 | 128;
  /** A dim along which each copy gives an end of its own, with two coordinates more; see TensorMapParam. */
  readonly ragged?: number;
  /** Last dims that the map has as one. */
  readonly folded?: number;
  /** Whether the last three dims are four, in groups and panels; see TensorMapParam. */
  readonly grouped?: true;
}

export interface ThreadKernel {
  readonly name: string;
  readonly params: readonly Param[];
  readonly dims: readonly string[];
  readonly fixedDims: Readonly<Record<string, number>>;
  readonly threads: number;
  readonly warpSize: number;
  readonly shared: readonly ThreadShared[];
  readonly sharedBytes: number;
  readonly maps: readonly TensorMapSpec[];
  /** Blocks of a cluster. */
  readonly cluster: 1 | 2;
  /** Blocks walk over the programs of the launch, which may be more. */
  readonly persistent: boolean;
  /** Whether blocks take programs by the launch's counter. */
  readonly counted: boolean;
  readonly body: readonly Stmt[];
}
