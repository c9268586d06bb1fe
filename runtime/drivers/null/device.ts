/** [runtime/drivers] The null backend: takes every launch and computes nothing. For schedulers, launch checks and host-time figures. */
import { IS_NODE, nodeModule } from "../../../dsl/index.ts";
import type { Backend, Enqueue, Loadable, LoadedKernel } from "../../backend.ts";
import type { Device, DeviceBuffer, DeviceInfo, DeviceLimits } from "../../device.ts";
import { hostMemory } from "../../host-memory.ts";

const { totalmem } = nodeModule("node:os");

export class NullBackend implements Backend {
  readonly info: DeviceInfo = {
    driver: "null",
    name: "null device",
    hardware: false,
    features: ["computes nothing"],
    versions: {},
  };
  readonly limits: DeviceLimits = {
    maxBufferBytes: 2 ** 31,
    maxThreads: 1024,
    maxSharedBytes: 232448,
    maxStorageBuffers: 256,
    maxGrid: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
    memoryBytes: IS_NODE ? Math.floor(totalmem() / 4) : 2 ** 30,
  };
  readonly target = undefined;
  #launches = 0;

  /** Launches since the device was opened. */
  get launches(): number {
    return this.#launches;
  }

  alloc(bytes: number, owner: Device): DeviceBuffer {
    return hostMemory.alloc(bytes, owner);
  }
  readonly release = hostMemory.release;
  readonly write = hostMemory.write;
  readonly read = hostMemory.read;
  readonly copy = hostMemory.copy;
  readonly fill = hostMemory.fill;

  load(what: Loadable): LoadedKernel {
    return { entry: what.kind === "tile" ? what.tile.name : what.artifact.entry };
  }

  enqueue(_work: Enqueue): void {
    this.#launches++;
  }

  async synchronize(): Promise<void> {}
  async close(): Promise<void> {}
}
