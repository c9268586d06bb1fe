/** [codegen] What the compiler is asked for and what it hands to a driver. Types only. */
import type { DType, Specialization, TileKernel } from "../dsl/index.ts";
import type { Remark } from "./ir/scheduled.ts";

export type TargetName = "cuda" | "hip" | "wgsl";

/** Facts about the machine that text is made for; capability as data, never a device name. */
export interface TargetSpec {
  readonly target: TargetName;
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
}

/**
 * One slot of the ABI, in order: tensors, then dims (i32), then scalars (one 32-bit word each).
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
    }
  | { readonly kind: "dim"; readonly name: string }
  | { readonly kind: "scalar"; readonly name: string; readonly dtype: DType };

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
  /** sha256 of the text, the target and the flags that matter. */
  readonly hash: string;
  readonly remarks: readonly Remark[];
}

/** What the interpreter driver loads instead of text. */
export interface TileArtifact {
  readonly kernel: string;
  readonly tile: TileKernel;
}
