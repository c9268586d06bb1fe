/** [codegen] What the compiler is asked for and what it hands to a driver. Types only. */
import type { DType, Specialization, TileKernel } from "../dsl/index.ts";
import type { Remark } from "./ir/scheduled.ts";
import type { PackedOrder, TensorOrder } from "./layout/packed-order.ts";

/** The targets of the catalogue; `registerTarget` adds others. */
export type TargetName = "cuda" | "hip" | "wgsl";

/** Facts about the machine that text is made for; capability as data, never a device name. */
export interface TargetSpec {
  /** A `TargetName`, or the name of a target that was added. */
  readonly target: string;
  /** `sm_80`, `sm_90a`, `gfx942`; absent for wgsl. */
  readonly arch?: string;
  /** Lanes that shuffle together; 1 where there are none (then everything goes through shared memory). */
  readonly warpSize: number;
  readonly maxThreads: number;
  readonly maxSharedBytes: number;
  /** wgsl: `shader-f16`, `subgroups`; cuda: `cp.async`, `mma.sync`. */
  readonly features: readonly string[];
}

export interface CompileRequest {
  readonly specialization: Specialization;
  readonly target: TargetSpec;
  /** Dim → largest power of two (≤ 16) known to divide it; absent dims count as 1. */
  readonly divisibility?: Readonly<Record<string, number>>;
  /** How packed tensors lie. The compiler chooses for those that are absent, and says what in `Artifact.params`. */
  readonly orders?: Readonly<Record<string, TensorOrder>>;
}

/**
 * One slot of the ABI, in order: tensors, then dims (i32), then scalars (one 32-bit word each), then the words of the true grid (i32) where
 * the artifact is persistent, then tensor maps.
 * cuda, hip: kernel arguments in this order. wgsl: tensors are storage bindings 0 … n-1 of group 0; binding n is a uniform block of
 * 32-bit words: the true grid x, y, z, one unused word, then dims and scalars (at most 256 bytes). A grid with a size above 65535 is
 * dispatched folded; in every case program = workgroup_id.x + num_workgroups.x × (workgroup_id.y + num_workgroups.y × workgroup_id.z)
 * counts through the true grid, x fastest, and programs past its end do nothing.
 */
export type ArtifactParam =
  | {
      readonly kind: "tensor";
      readonly name: string;
      readonly dtype: DType;
      readonly shape: readonly (string | number)[];
      readonly access: "in" | "out" | "inout";
      /** The order that the text reads it in; row-major where absent. */
      readonly order?: PackedOrder;
    }
  | { readonly kind: "dim"; readonly name: string }
  | { readonly kind: "scalar"; readonly name: string; readonly dtype: DType }
  /** i32: the true grid along an axis. All three or none; only where `Artifact.persistent` is set. */
  | { readonly kind: "grid"; readonly axis: 0 | 1 | 2 }
  /** Pointer to two u32 of the launch's own in device memory: 0 before it, 0 again after it. After the grid. */
  | { readonly kind: "counter" }
  | TensorMapParam;

/** Positions of a ragged dim in its map, and the coordinate along the outermost one. */
export const RAGGED_SIZE = 2 ** 30;

/**
 * cuda, sm_90 and later: the 128 bytes of a tensor map, by value (`TW_TENSOR_MAP name` in the text), through which TMA moves boxes of a
 * tensor. The tensor is row-major and contiguous; no interleave; bytes outside are zero; L2 promotion is 256 bytes. A dim of size 0 is
 * encoded as 1: such a launch touches nothing.
 */
export interface TensorMapParam {
  readonly kind: "tensor_map";
  /** In the text; the map of `x` with one box is usually `map_x`. */
  readonly name: string;
  /** Name of a tensor parameter. */
  readonly tensor: string;
  readonly dtype: DType;
  /** In elements, in the tensor's own order of dims (outermost first): rank 1 … 5, each size at most 256. */
  readonly box: readonly number[];
  /** Bytes within which 16-byte chunks are exchanged in shared memory; 0: rows lie as in memory. */
  readonly swizzle: 0 | 32 | 64 | 128;
  /**
   * A dim d with stride s along which each copy says where it ends. It has RAGGED_SIZE positions in the map, and two dims stand before all
   * others: one of stride 2^34 - s, where the coordinate is always RAGGED_SIZE, and one of stride s. Positions from i up to an end e are
   * the coordinate i + RAGGED_SIZE - e along d, and e along the second new dim: by the 64 bits of an address that is the place of i, and
   * out of bounds from e on. The box is 1 along both. Ends must not lie past the tensor, nor positions before it.
   * @source measured on an H200: boxes out of all bounds touch the first element of a map, so that one must be the tensor's own
   */
  readonly ragged?: number;
  /**
   * The third dim from the end lies in groups of eight positions, and rows of all that is behind it in panels as wide as the box: the map has
   * the four dims [groups, panels, 8, width] in place of the last three, and so has `box`. One box then brings all panels of many rows.
   */
  readonly grouped?: true;
  /** That many of the tensor's last dims are one in the map, which then has as many fewer, as has \`box\`. */
  readonly folded?: number;
}

/** The result of a compile. JSON-serialisable, so that a disk cache can hold it. */
export interface Artifact {
  readonly kernel: string;
  /** Name of the entry point in the text. */
  readonly entry: string;
  readonly target: TargetSpec;
  readonly text: string;
  readonly params: readonly ArtifactParam[];
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly fixedDims: Readonly<Record<string, number>>;
  readonly divisibility: Readonly<Record<string, number>>;
  readonly threads: number;
  readonly sharedBytes: number;
  /**
   * Blocks walk the true grid themselves. The driver launches the smallest one-dimensional grid that takes as many waves: total = x·y·z,
   * waves = ceil(total / (SMs · blocksPerSm)), blocks = ceil(total / waves) rounded up to a multiple of `cluster`. Where clusters leave
   * multiprocessors idle, what fits at once stands in for SMs · blocksPerSm. 0 blocks of a multiprocessor: a block for each program.
   * `blocksPerProgram`, 1 where absent: a cluster of so many shares its programs, and total = x·y·z·blocksPerProgram.
   */
  readonly persistent?: { readonly blocksPerSm: number; readonly blocksPerProgram?: number };
  /** Blocks of a cluster along x, 1 where absent; the text carries `__cluster_dims__` itself. */
  readonly cluster?: number;
  /**
   * Set where the text waits for the launch before it (`tw_wait_previous`) ahead of everything that an earlier launch may have written: then
   * the driver lets a launch start while the one before it in the stream still runs.
   */
  readonly dependentLaunch?: boolean;
  /**
   * Tensors that are read ahead of that wait: the driver lets the launch start early only where no launch that may still run writes them.
   */
  readonly early?: readonly string[];
  /** sha256 of the text, the target and the flags that matter. */
  readonly hash: string;
  readonly remarks: readonly Remark[];
}

/** What the interpreter driver loads instead of text. */
export interface TileArtifact {
  readonly kernel: string;
  readonly tile: TileKernel;
}
