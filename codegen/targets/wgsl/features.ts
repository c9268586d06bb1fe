/** [codegen/targets/wgsl] What a WebGPU adapter offers, in the words of TargetSpec. No detection of adapters. */
import { UnsupportedError } from "../../../dsl/index.ts";
import type { TargetSpec } from "../../artifact.ts";

/** Features that change the text. */
const USED = ["subgroups", "subgroup_id", "shader-f16"] as const;

/**
 * Feature names of `TargetSpec.features` for an adapter.
 * @param features of the device, and the language features of the implementation
 * @param fixedSize whether subgroups have one known size; otherwise the text does not use them
 */
export function wgslFeatures(features: readonly string[], fixedSize: boolean): readonly string[] {
  return USED.filter(
    (name) => features.includes(name) && (fixedSize || !name.startsWith("subgroup")),
  );
}

/** The limits that every WebGPU implementation grants; no subgroups. @source WebGPU, "Limits", default values */
export function wgslSpec(arch?: string): TargetSpec {
  if (arch !== undefined) {
    throw new UnsupportedError({
      code: "TW2303",
      message: "target wgsl has no architectures",
      seen: arch,
      expected: "no architecture",
      remedy: "leave the architecture out",
    });
  }
  return {
    target: "wgsl",
    warpSize: 1,
    maxThreads: 256,
    maxSharedBytes: 16384,
    features: [],
  };
}
