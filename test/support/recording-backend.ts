/** [test/support] A backend that takes text for a chosen target, keeps what it was asked to load and run, and computes nothing. */
import type { Artifact, TargetSpec } from "../../codegen/artifact.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import type { Backend, Enqueue, Loadable, LoadedKernel } from "../../runtime/backend.ts";
import type { Device, DeviceBuffer, DeviceInfo, DeviceLimits } from "../../runtime/device.ts";
import { hostMemory } from "../../runtime/host-memory.ts";

/** One launch as the driver saw it. */
export interface RecordedLaunch {
  readonly kernel: LoadedKernel;
  readonly words: readonly number[];
  readonly grid: readonly [number, number, number];
}

export class RecordingBackend implements Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target: TargetSpec;
  /** In the order in which they were loaded. */
  readonly artifacts: Artifact[] = [];
  /** What came with each: a binary, where the text was compiled ahead of time. */
  readonly binaries: (Uint8Array | undefined)[] = [];
  readonly launches: RecordedLaunch[] = [];

  constructor(spec: TargetSpec = cudaSpec("sm_80"), info: Partial<DeviceInfo> = {}) {
    this.target = spec;
    const name = "recording device";
    const driver = spec.target === "wgsl" ? "webgpu" : "cuda";
    this.info = { driver, name, hardware: true, features: [], versions: {}, ...info };
    this.limits = {
      maxBufferBytes: 2 ** 30,
      maxThreads: spec.maxThreads,
      maxSharedBytes: spec.maxSharedBytes,
      maxStorageBuffers: 16,
      maxGrid: [2 ** 31 - 1, 65535, 65535],
      memoryBytes: 2 ** 30,
    };
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
    if (what.kind !== "text") throw new Error("this backend takes text");
    this.artifacts.push(what.artifact);
    this.binaries.push(what.binary);
    return { entry: what.artifact.entry };
  }

  enqueue({ kernel, words, grid }: Enqueue): void {
    this.launches.push({ kernel, words: [...words], grid });
  }

  async synchronize(): Promise<void> {}
  async close(): Promise<void> {}
}
