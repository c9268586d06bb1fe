/** [test/support] Describes the conformance suite on the CPU emulation of one chip, or skips it with the printed reason. */
import { describe } from "vitest";
import type { TargetSpec } from "../../codegen/artifact.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { type ConformanceExpectation, conformsTo } from "./conformance.ts";
import { EmulatedBackend } from "./emulated-backend.ts";
import { openEmulation } from "./emulation.ts";

/** Memory of the machine, not meaning: grids that cannot be launched along y or z, Hopper's largest tiles in the 64 KiB that AMD's chips share. */
const UNSUPPORTED = [/TW3112/, /TW2001: .*config: BM=(192, BN=192|256, BN=208)/s];

export function describeEmulatedSuite(
  target: TargetSpec,
  options: Pick<ConformanceExpectation, "filter" | "groups"> = {},
): void {
  const name = `conformance on emulated ${target.arch}`;
  const emulation = openEmulation();
  if ("reason" in emulation) {
    console.warn(`skipped: ${name}: ${emulation.reason}`);
    describe.skip(`${name} (${emulation.reason})`, () => {});
    return;
  }
  describe(name, () => {
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    conformsTo(() => device, { unsupported: UNSUPPORTED, ...options });
  });
}
