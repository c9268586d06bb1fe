/** [codegen/targets/hip] What each AMD architecture offers, as data. No detection of devices. */
import { UnsupportedError } from "../../../dsl/index.ts";
import type { TargetSpec } from "../../artifact.ts";

/** Lanes of a wave by architecture: GCN and CDNA run 64, RDNA runs 32. */
const WAVE_64: readonly string[] = ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"];
const WAVE_32: readonly string[] = [
  "gfx1010",
  "gfx1030",
  "gfx1100",
  "gfx1101",
  "gfx1102",
  "gfx1150",
  "gfx1151",
  "gfx1200",
  "gfx1201",
];

/** Bytes of LDS that one workgroup may use; gfx950 has more. @source AMD instruction set manuals, "LDS allocation" */
const LDS_BYTES = 64 * 1024;
const LDS_BYTES_GFX950 = 160 * 1024;

/**
 * Matrix instructions by architecture; names are those of layout/matrix-form.ts. RDNA has none before gfx11.
 * @source LLVM, AMDGPU usage and BuiltinsAMDGPU.def: which subtarget has which v_mfma and v_wmma
 */
const MATRIX_FEATURES: readonly (readonly [arch: RegExp, features: readonly string[]])[] = [
  [/^gfx908$/, ["mfma-f16", "mfma-4-bytes"]],
  [/^gfx90a$/, ["mfma-f16", "mfma-bf16", "mfma-4-bytes"]],
  [/^gfx942$/, ["mfma-f16", "mfma-bf16", "mfma-8-bytes"]],
  [/^gfx950$/, ["mfma-f16", "mfma-bf16", "mfma-8-bytes", "mfma-f8e5m2", "mfma-16-bytes"]],
  [/^gfx11/, ["wmma-gfx11"]],
  [/^gfx12/, ["wmma-gfx12"]],
];

/** Feature names of `TargetSpec.features` for an architecture. */
export function hipFeatures(arch: string): readonly string[] {
  return ["last-arrival", ...(MATRIX_FEATURES.find(([pattern]) => pattern.test(arch))?.[1] ?? [])];
}

/** Facts of a machine of this architecture. */
export function hipSpec(arch = "gfx90a"): TargetSpec {
  const wave64 = WAVE_64.includes(arch);
  if (!wave64 && !WAVE_32.includes(arch)) {
    throw new UnsupportedError({
      code: "TW2303",
      message: "unknown architecture for target hip",
      seen: arch,
      expected: [...WAVE_64, ...WAVE_32].join(", "),
      remedy: "name one of these, or leave the architecture out",
    });
  }
  return {
    target: "hip",
    arch,
    warpSize: wave64 ? 64 : 32,
    maxThreads: 1024,
    maxSharedBytes: arch === "gfx950" ? LDS_BYTES_GFX950 : LDS_BYTES,
    features: hipFeatures(arch),
  };
}
