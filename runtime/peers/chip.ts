/** [runtime/peers] Clocks, power and temperature of one GPU through NVML. Reads only; no setting is ever changed. */
import type { ChipState } from "../bench/contender.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { loadNvml, type NvmlLibrary } from "./library.ts";

/** nvmlClockType_t: SM and memory; nvmlTemperatureSensors_t: the GPU. @source NVML API reference */
const CLOCK_SM = 1;
const CLOCK_MEMORY = 2;
const SENSOR_GPU = 0;

export class ChipMonitor {
  /** Why nothing can be read, where that is so. */
  readonly note: string | undefined;
  readonly #library: NvmlLibrary | undefined;
  readonly #handle: bigint = 0n;

  constructor(driver: CudaDriver) {
    const library = loadNvml();
    if (typeof library === "string") {
      this.note = library;
      return;
    }
    const handle: [bigint] = [0n];
    const status =
      library.nvmlInit() || library.nvmlDeviceGetHandleByPciBusId(driver.pciBusId(), handle);
    if (status !== 0) {
      this.note = `clocks are not noted: NVML answers with status ${status}`;
      return;
    }
    this.#library = library;
    this.#handle = handle[0];
  }

  state(): ChipState | undefined {
    const library = this.#library;
    if (library === undefined) return undefined;
    const read = (call: (value: number[]) => number): number => {
      const value = [0];
      return call(value) === 0 ? (value[0] ?? 0) : 0;
    };
    const handle = this.#handle;
    return {
      smMHz: read((v) => library.nvmlDeviceGetClockInfo(handle, CLOCK_SM, v)),
      memoryMHz: read((v) => library.nvmlDeviceGetClockInfo(handle, CLOCK_MEMORY, v)),
      watts: Math.round(read((v) => library.nvmlDeviceGetPowerUsage(handle, v)) / 1000),
      celsius: read((v) => library.nvmlDeviceGetTemperature(handle, SENSOR_GPU, v)),
    };
  }

  close(): void {
    this.#library?.nvmlShutdown();
  }
}
