/** [test/fuzz] The devices that random programs run on: emulated CUDA and HIP text, and WebGPU. */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../codegen/targets/hip/features.ts";
import type { Device } from "../../runtime/device.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { tryOpenDevice } from "../support/devices.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";

export const FUZZ_TARGETS = ["sm_80", "sm_90a", "gfx90a", "gfx1100", "webgpu"] as const;

export type FuzzTarget = (typeof FUZZ_TARGETS)[number];

/** The device, or the reason why there is none here. */
export async function openFuzzTarget(
  name: FuzzTarget,
): Promise<Device | { readonly reason: string }> {
  if (name === "webgpu") return tryOpenDevice("webgpu");
  const emulation = openEmulation();
  if ("reason" in emulation) return emulation;
  const target = name.startsWith("sm_") ? cudaSpec(name) : hipSpec(name);
  return new CoreDevice(new EmulatedBackend(emulation, { target }));
}
