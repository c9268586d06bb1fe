/** [runtime] Opens a device by driver name, or the best one that is there; and reports what was found. */
import { DeviceError, debugLevel, readFlag } from "../dsl/index.ts";
import type { Device, DeviceInfo, DriverName } from "./device.ts";
import { CoreDevice } from "./device-core.ts";
import { DRIVERS, type DriverEntry, type OpenOptions } from "./drivers/catalogue.ts";

export type DeviceChoice = DriverName | "auto";

export interface OpenedDevice {
  readonly device: Device;
  /** Why this one: a sentence for a person. */
  readonly reason: string;
}

/**
 * Opens `choice`, or TILEWRIGHT_DEVICE where it is absent. `auto` takes the first of cuda, hip, webgpu on real hardware, interpreter.
 * @throws DeviceError TW3200 for an unknown name; the driver's own error where it cannot open
 */
export async function openDevice(choice?: string, options?: OpenOptions): Promise<Device> {
  return (await chooseDevice(choice, options)).device;
}

/** As `openDevice`, with the reason of the choice. */
export async function chooseDevice(choice?: string, options?: OpenOptions): Promise<OpenedDevice> {
  const name = choice ?? readFlag("device") ?? "auto";
  const opened = name === "auto" ? await openBest(options) : await openNamed(name, options);
  if (debugLevel() >= 1) {
    const { driver, name: gpu, features } = opened.device.info;
    process.stderr.write(
      `tilewright: device ${driver} (${gpu}; ${features.join(", ")}): ${opened.reason}\n`,
    );
  }
  return opened;
}

/**
 * That `openDevice(choice)` knows the name, and that a library and a GPU of CUDA or HIP are there where they are named; whether the rest opens
 * is seen only there.
 * @throws DeviceError TW3200 for an unknown name, the driver's own where it is not there
 */
export async function checkDriver(choice?: string): Promise<void> {
  const name = choice ?? readFlag("device") ?? "auto";
  if (name !== "auto") await driverNamed(name).look?.();
}

function driverNamed(name: string): DriverEntry {
  const entry = DRIVERS.find((driver) => driver.name === name);
  if (entry !== undefined) return entry;
  throw new DeviceError({
    code: "TW3200",
    message: `there is no driver '${name}'`,
    seen: name,
    expected: ["auto", ...DRIVERS.map((driver) => driver.name)].join(", "),
    remedy: "correct the device (--device, TILEWRIGHT_DEVICE)",
  });
}

async function openNamed(name: string, options?: OpenOptions): Promise<OpenedDevice> {
  const backend = await driverNamed(name).open(options);
  return { device: new CoreDevice(backend), reason: "chosen by name" };
}

async function openBest(options?: OpenOptions): Promise<OpenedDevice> {
  const passed: string[] = [];
  for (const name of ["cuda", "hip", "webgpu", "interpreter"]) {
    const report = await tryOpen(
      DRIVERS.find((driver) => driver.name === name),
      options,
    );
    if (report.backend === undefined) {
      passed.push(`${name}: ${report.why}`);
      continue;
    }
    const { info } = report.backend;
    if (name === "webgpu" && !info.hardware) {
      passed.push(`webgpu: only a software GPU (${info.name})`);
      await report.backend.close();
      continue;
    }
    const reason =
      passed.length === 0 ? `${name} is there` : `${name}, because ${passed.join("; ")}`;
    return { device: new CoreDevice(report.backend), reason };
  }
  throw new DeviceError({
    code: "TW3200",
    message: "no driver opens on this machine",
    seen: passed.join("; "),
    expected: "at least the interpreter",
    remedy: "this is a bug in tilewright; please report it",
  });
}

export interface DriverReport {
  readonly name: DriverName;
  readonly summary: string;
  readonly info?: DeviceInfo;
  /** Why it cannot open, and what to do. */
  readonly why?: string;
  readonly remedy?: string;
}

/** Opens and closes every driver; what `tilewright doctor` prints. */
export async function inspectDrivers(): Promise<readonly DriverReport[]> {
  const reports: DriverReport[] = [];
  for (const entry of DRIVERS) {
    const { name, summary } = entry;
    const { backend, why, remedy } = await tryOpen(entry);
    if (backend === undefined) {
      reports.push({
        name,
        summary,
        why: why ?? "unknown",
        ...(remedy === undefined ? {} : { remedy }),
      });
      continue;
    }
    reports.push({ name, summary, info: backend.info });
    await backend.close();
  }
  return reports;
}

async function tryOpen(entry: DriverEntry | undefined, options?: OpenOptions) {
  try {
    return { backend: await entry?.open(options) };
  } catch (error) {
    const diagnostic = error instanceof DeviceError ? error.diagnostics[0] : undefined;
    const why =
      diagnostic === undefined
        ? String(error)
        : `${diagnostic.message}${diagnostic.seen === undefined ? "" : ` (${diagnostic.seen})`}`;
    return { why, remedy: diagnostic?.remedy };
  }
}
