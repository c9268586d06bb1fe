/** [codegen/targets/cuda] What each NVIDIA architecture offers, as data. No detection of devices. */
import { UnsupportedError } from "../../../dsl/index.ts";
import type { TargetSpec } from "../../artifact.ts";

interface ArchRow {
  /** Compute capability times ten. */
  readonly capability: number;
  /**
   * Dynamic shared memory that one block may ask for.
   * @source CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
   */
  readonly maxSharedBytes: number;
}

const ARCHES: Readonly<Record<string, ArchRow>> = {
  sm_75: { capability: 75, maxSharedBytes: 64 * 1024 },
  sm_80: { capability: 80, maxSharedBytes: 163 * 1024 },
  sm_86: { capability: 86, maxSharedBytes: 99 * 1024 },
  sm_87: { capability: 87, maxSharedBytes: 163 * 1024 },
  sm_89: { capability: 89, maxSharedBytes: 99 * 1024 },
  sm_90: { capability: 90, maxSharedBytes: 227 * 1024 },
  sm_90a: { capability: 90, maxSharedBytes: 227 * 1024 },
  sm_100: { capability: 100, maxSharedBytes: 227 * 1024 },
  sm_100a: { capability: 100, maxSharedBytes: 227 * 1024 },
  sm_103: { capability: 103, maxSharedBytes: 227 * 1024 },
  sm_103a: { capability: 103, maxSharedBytes: 227 * 1024 },
  sm_120: { capability: 120, maxSharedBytes: 99 * 1024 },
  sm_120a: { capability: 120, maxSharedBytes: 99 * 1024 },
  sm_121: { capability: 121, maxSharedBytes: 99 * 1024 },
};

/** Compute capability times ten of `sm_…`; suffixes of feature sets count as the plain number. */
export function cudaCapability(arch: string): number {
  const digits = /^sm_(\d+)[af]?$/.exec(arch)?.[1];
  if (digits === undefined) throw unknownArch(arch);
  return Number(digits);
}

/** Feature names of `TargetSpec.features` for an architecture; also for ones newer than the table. */
export function cudaFeatures(arch: string): readonly string[] {
  const capability = cudaCapability(arch);
  return [
    "last-arrival",
    ...(capability >= 75 ? ["ldmatrix"] : []),
    ...(capability >= 80 ? ["cp.async", "mma.sync"] : []),
    ...(capability >= 89 ? ["cvt.e4m3"] : []),
    ...(capability >= 90 ? ["dependent-launch"] : []),
    // wgmma is a feature of this one architecture: neither sm_90 nor sm_100 has it.
    ...(arch === "sm_90a" ? ["tma", "multicast", "wgmma"] : []),
  ];
}

function unknownArch(arch: string): UnsupportedError {
  return new UnsupportedError({
    code: "TW2303",
    message: "unknown architecture for target cuda",
    seen: arch,
    expected: Object.keys(ARCHES).join(", "),
    remedy: "name one of these, or leave the architecture out",
  });
}

/** Facts of a machine of this architecture. */
export function cudaSpec(arch = "sm_80"): TargetSpec {
  const row = ARCHES[arch];
  if (row === undefined) throw unknownArch(arch);
  return {
    target: "cuda",
    arch,
    warpSize: 32,
    maxThreads: 1024,
    maxSharedBytes: row.maxSharedBytes,
    features: cudaFeatures(arch),
  };
}
