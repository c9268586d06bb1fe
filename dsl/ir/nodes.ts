/** [dsl/ir] The tile IR (L1): typed SSA over tiles with named axes and structured control flow. Readonly data only. */
import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { ExplicitOp } from "./explicit.ts";
import type {
  ArgReduceFn,
  AtomicFn,
  BinaryFn,
  CompareFn,
  ReduceFn,
  ScanFn,
  UnaryFn,
} from "./primitives.ts";
import type { Axis, Value } from "./types.ts";

/** A dim of a tensor: a name bound at launch, or a size fixed at compile time (`specialize`, or written as a number). */
export type TensorDim =
  | { readonly name: string; readonly size?: number }
  | { readonly size: number; readonly name?: undefined };

/** A tensor parameter. Row-major and contiguous: the stride of the last dim is one element. */
export interface TensorParam {
  readonly kind: "tensor";
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly TensorDim[];
  /** `in` is only read, `out` only written (every element that a program stores), `inout` both. */
  readonly access: "in" | "out" | "inout";
  /** The order in memory is the compiler's to choose; only with access `in`. Indices mean what they mean in row-major order. */
  readonly packed?: true;
}

export interface ScalarParam {
  readonly kind: "scalar";
  readonly name: string;
  readonly dtype: DType;
}

export type Param = TensorParam | ScalarParam;

/** How one dim of a tensor is addressed by a load, store or atomic. */
export type Index =
  /** One index, a scalar i32: the dim vanishes from the tile. */
  | { readonly kind: "at"; readonly value: Value }
  /** Elements `start + 0 … start + axis.size - 1`; those at or past `end` (or the tensor's bound) are outside. */
  | { readonly kind: "span"; readonly axis: Axis; readonly start: Value; readonly end?: Value }
  /** Data-dependent indices, an i32 tile. Its axes appear in the result once, in order of first appearance, even where several dims gather by them. -1 is outside. */
  | { readonly kind: "gather"; readonly index: Value };

interface OpBase {
  readonly loc: Location;
}

/** A compile-time constant, splat over the result's axes. Floats may be NaN or infinite; bools are 0 or 1. */
export interface ConstOp extends OpBase {
  readonly kind: "const";
  readonly result: Value;
  readonly value: number;
}
/** Size of a dim that is bound at launch, i32. */
export interface DimOp extends OpBase {
  readonly kind: "dim";
  readonly result: Value;
  readonly dim: string;
}
/** Value of a scalar parameter. */
export interface ParamOp extends OpBase {
  readonly kind: "param";
  readonly result: Value;
  readonly param: string;
}
/** Index of this program along a grid axis, i32. */
export interface PidOp extends OpBase {
  readonly kind: "pid";
  readonly result: Value;
  readonly axis: 0 | 1 | 2;
}
/** Size of the grid along an axis, i32. */
export interface NumProgramsOp extends OpBase {
  readonly kind: "num_programs";
  readonly result: Value;
  readonly axis: 0 | 1 | 2;
}
/** 0, 1, 2 … along the result's only axis, i32. */
export interface IotaOp extends OpBase {
  readonly kind: "iota";
  readonly result: Value;
}
export interface UnaryOp extends OpBase {
  readonly kind: "unary";
  readonly result: Value;
  readonly fn: UnaryFn;
  readonly x: Value;
}
/** Both operands have the result's dtype and axes (the front end inserts broadcasts). */
export interface BinaryOp extends OpBase {
  readonly kind: "binary";
  readonly result: Value;
  readonly fn: BinaryFn;
  readonly a: Value;
  readonly b: Value;
}
export interface CompareOp extends OpBase {
  readonly kind: "compare";
  readonly result: Value;
  readonly fn: CompareFn;
  readonly a: Value;
  readonly b: Value;
}
/** `cond ? a : b` elementwise; all of one shape. */
export interface SelectOp extends OpBase {
  readonly kind: "select";
  readonly result: Value;
  readonly cond: Value;
  readonly a: Value;
  readonly b: Value;
}
/** Conversion by value: floats round to nearest even, float to int truncates and saturates (NaN gives 0), int to int wraps, to fp8 saturates. */
export interface CastOp extends OpBase {
  readonly kind: "cast";
  readonly result: Value;
  readonly x: Value;
}
/** Same bits, same width: f32, i32 and u32 among each other. */
export interface BitcastOp extends OpBase {
  readonly kind: "bitcast";
  readonly result: Value;
  readonly x: Value;
}
/** Repeats `x` along the axes of the result that it lacks; also reorders axes. */
export interface BroadcastOp extends OpBase {
  readonly kind: "broadcast";
  readonly result: Value;
  readonly x: Value;
}
/** Removes `axis`. Narrow floats are summed in f32 and rounded once. */
export interface ReduceOp extends OpBase {
  readonly kind: "reduce";
  readonly result: Value;
  readonly fn: ReduceFn;
  readonly x: Value;
  readonly axis: string;
}
export interface ArgReduceOp extends OpBase {
  readonly kind: "arg_reduce";
  readonly result: Value;
  readonly fn: ArgReduceFn;
  readonly x: Value;
  readonly axis: string;
}
/** Inclusive prefix along `axis`. */
export interface ScanOp extends OpBase {
  readonly kind: "scan";
  readonly result: Value;
  readonly fn: ScanFn;
  readonly x: Value;
  readonly axis: string;
}
/** Contracts `axis`: result axes are a's others, then b's others. Products and sums in the result's dtype (f32, or i32 for ints). */
export interface DotOp extends OpBase {
  readonly kind: "dot";
  readonly result: Value;
  readonly a: Value;
  readonly b: Value;
  readonly acc?: Value;
  readonly axis: string;
  /** The result may be read behind a `dot_wait` alone, and operands in slots must stay until then. */
  readonly async?: true;
}
/** Renames axes only; data and order stay. */
export interface RenameOp extends OpBase {
  readonly kind: "rename";
  readonly result: Value;
  readonly x: Value;
}
/** Fuses `axes` (adjacent, first is slowest) into one axis of the result. */
export interface MergeOp extends OpBase {
  readonly kind: "merge";
  readonly result: Value;
  readonly x: Value;
  readonly axes: readonly string[];
  readonly into: string;
}
/** Splits `axis` into the adjacent axes `into` (first is slowest). */
export interface SplitOp extends OpBase {
  readonly kind: "split";
  readonly result: Value;
  readonly x: Value;
  readonly axis: string;
  readonly into: readonly string[];
}

/**
 * Reads a tile. An element outside the tensor, past a span's `end`, gathered by -1 or masked out is never read and gives `fill`.
 * `mask` is a bool tile whose axes are a subset of the result's. A load without axes is a scalar load: outside is an error.
 */
export interface LoadOp extends OpBase {
  readonly kind: "load";
  readonly result: Value;
  readonly tensor: string;
  readonly at: readonly Index[];
  readonly mask?: Value;
  readonly fill: number;
  readonly hints?: LoadHints;
}
export interface LoadHints {
  readonly via?: "auto" | "tma" | "cp.async" | "ldg";
  readonly evict?: "first" | "last";
  readonly when?: "early";
}

/** Writes a tile; elements outside, past `end`, scattered to -1 or masked out are not written. */
export interface StoreOp extends OpBase {
  readonly kind: "store";
  readonly tensor: string;
  readonly at: readonly Index[];
  readonly value: Value;
  readonly mask?: Value;
}
/**
 * Device-wide read-modify-write of each element; `result` holds the old values where it is used. Relaxed, but for `arrive`: of one
 * element, without a mask, it releases what the program did before and acquires what those that arrived there released; `result` is
 * 1 for the last of `value` programs, else 0.
 */
export interface AtomicOp extends OpBase {
  readonly kind: "atomic";
  readonly result: Value;
  readonly fn: AtomicFn;
  readonly tensor: string;
  readonly at: readonly Index[];
  readonly value: Value;
  readonly mask?: Value;
}

/** Hints of tier 1. They change speed, never results. */
export interface RangeHints {
  readonly stages?: number;
  readonly unroll?: number;
}

/** Counted loop, i32: `iv = lo, lo + step …` while below `hi`. `body.params` = [iv, ...carried]; `body.yields` are the next carried values. */
export interface ForOp extends OpBase {
  readonly kind: "for";
  readonly results: readonly Value[];
  readonly lo: Value;
  readonly hi: Value;
  readonly step: Value;
  readonly inits: readonly Value[];
  readonly body: Block;
  readonly hints: RangeHints;
}
/** `cond.params` and `body.params` are the carried values; `cond.yields` is one scalar bool. Stops with an error after `maxTrips` in the interpreter. */
export interface WhileOp extends OpBase {
  readonly kind: "while";
  readonly results: readonly Value[];
  readonly inits: readonly Value[];
  readonly cond: Block;
  readonly body: Block;
  readonly maxTrips: number;
}
/** Scalar condition, the same for the whole program. Blocks have no params. */
export interface IfOp extends OpBase {
  readonly kind: "if";
  /** On whether any row is true, of an `if_any`: the branch may run for fewer rows than all. */
  readonly byRows?: true;
  readonly results: readonly Value[];
  readonly cond: Value;
  readonly then: Block;
  readonly else: Block;
}
/** Runs `body` for a set of rows along `axis` that contains every row with a true `cond`; `elseValues` are the results of rows left out. The body is neutral where false. */
export interface IfAnyOp extends OpBase {
  readonly kind: "if_any";
  readonly results: readonly Value[];
  readonly cond: Value;
  readonly axis: string;
  readonly body: Block;
  readonly elseValues: readonly Value[];
}
/** Reports in the interpreter and on devices that can; never changes results. */
export interface AssertOp extends OpBase {
  readonly kind: "assert";
  readonly cond: Value;
  readonly message: string;
}
export interface PrintOp extends OpBase {
  readonly kind: "print";
  readonly label: string;
  readonly x: Value;
}

export type Op =
  | ConstOp
  | DimOp
  | ParamOp
  | PidOp
  | NumProgramsOp
  | IotaOp
  | UnaryOp
  | BinaryOp
  | CompareOp
  | SelectOp
  | CastOp
  | BitcastOp
  | BroadcastOp
  | ReduceOp
  | ArgReduceOp
  | ScanOp
  | DotOp
  | RenameOp
  | MergeOp
  | SplitOp
  | LoadOp
  | StoreOp
  | AtomicOp
  | ForOp
  | WhileOp
  | IfOp
  | IfAnyOp
  | AssertOp
  | PrintOp
  | ExplicitOp;

export type OpKind = Op["kind"];

/** A straight list of ops. What a block yields depends on the op that owns it. */
export interface Block {
  readonly params: readonly Value[];
  readonly ops: readonly Op[];
  readonly yields: readonly Value[];
}

/** One kernel, specialised: config values, dtype variables and `specialize` dims are constants by now. */
export interface TileKernel {
  readonly name: string;
  /** In ABI order: the order of the definition's params. */
  readonly params: readonly Param[];
  /** Names of the dims bound at launch, in order of first appearance; those fixed by `specialize` are absent. */
  readonly dims: readonly string[];
  /** Dims fixed at compile time. */
  readonly fixedDims: Readonly<Record<string, number>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly body: Block;
}
