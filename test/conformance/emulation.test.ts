/** [test/conformance] The suite on the emitted CUDA and HIP text itself, executed on the CPU with races and bounds checked. */
import { describe } from "vitest";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../codegen/targets/hip/features.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { conformsTo } from "../support/conformance.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";

const UNSUPPORTED = [/TW2001/, /TW2301.*half a byte/, /TW3112/];
const emulation = openEmulation();

if ("reason" in emulation) {
  console.warn(`skipped: conformance on the emulation: ${emulation.reason}`);
  describe.skip(`conformance on the emulation (${emulation.reason})`, () => {});
} else {
  describe("conformance on emulated sm_80", () => {
    const device = new CoreDevice(new EmulatedBackend(emulation, { target: cudaSpec("sm_80") }));
    conformsTo(() => device, { unsupported: UNSUPPORTED });
  });

  describe("conformance on emulated gfx90a", () => {
    const device = new CoreDevice(new EmulatedBackend(emulation, { target: hipSpec("gfx90a") }));
    // HIP has no driver yet: the language groups prove the text; the kernels' texts are compile-checked.
    conformsTo(() => device, {
      unsupported: UNSUPPORTED,
      groups: ["control-flow", "numerics", "integers", "casts", "gather", "odd-shapes"],
    });
  });
}
