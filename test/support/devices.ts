/** [test/support] Runs a suite on every device that opens here: interpreter always, webgpu (a software GPU will do), cuda. Tests nothing itself. */
import { existsSync } from "node:fs";
import { afterAll, describe } from "vitest";
import { DeviceError, readFlag } from "../../dsl/index.ts";
import { type Device, type DriverName, openDevice } from "../../runtime/index.ts";

/** Where SwiftShader's description for the Vulkan loader usually is. */
const SWIFTSHADER = [
  "/usr/lib/chromium/vk_swiftshader_icd.json",
  "/opt/google/chrome/vk_swiftshader_icd.json",
] as const;

/** A CI machine has no CUDA device; one that has a webgpu driver missing is set up wrongly. */
const REQUIRED: readonly DriverName[] = ["interpreter", "webgpu"];
const DRIVERS = ["interpreter", "webgpu", "cuda"] as const;

function offerSoftwareGpu(): void {
  const { VK_ICD_FILENAMES, VK_DRIVER_FILES } = process.env;
  const found = SWIFTSHADER.find((path) => existsSync(path));
  if (!VK_ICD_FILENAMES && !VK_DRIVER_FILES && found !== undefined)
    process.env["VK_ICD_FILENAMES"] = found;
}

/** The device, or the reason why there is none. @throws DeviceError where TILEWRIGHT_REQUIRE_DRIVERS=1 and the driver is one that CI has */
export async function tryOpenDevice(
  driver: DriverName,
): Promise<Device | { readonly reason: string }> {
  if (driver === "webgpu") offerSoftwareGpu();
  try {
    return await openDevice(driver);
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    if (readFlag("requireDrivers") === "1" && REQUIRED.includes(driver)) throw error;
    return { reason: error.diagnostics[0]?.message ?? error.message };
  }
}

/** Describes the suite once for each device; one device serves the whole suite and is closed after it. */
export async function describeDevices(
  name: string,
  suite: (device: Device) => void,
  drivers: readonly (typeof DRIVERS)[number][] = DRIVERS,
): Promise<void> {
  for (const driver of drivers) {
    const opened = await tryOpenDevice(driver);
    if ("reason" in opened) {
      console.warn(`skipped: ${name} on ${driver}: ${opened.reason}`);
      describe.skip(`${name} on ${driver} (${opened.reason})`, () => {});
      continue;
    }
    describe(`${name} on ${driver}`, () => {
      afterAll(() => opened.close());
      suite(opened);
    });
  }
}
