/** [runtime/drivers] The HIP runtime with every status checked, and the facts of one GPU. No launch logic. */
import { DeviceError, nodeModule } from "../../../dsl/index.ts";
import { type HipLibrary, loadHip } from "./library.ts";
import type { HipPaths } from "./locate.ts";

const { existsSync } = nodeModule("node:fs");

/** hipDeviceAttribute_t numbers. @source HIP runtime API reference, enum hipDeviceAttribute_t */
const ATTRIBUTE = { maxThreadsPerBlock: 56, multiprocessors: 63 } as const;
/** AMD's driver of the Linux kernel, and the way to it in WSL. Without them the runtime, which is large, need not be loaded. */
const KERNEL_DRIVERS = ["/dev/kfd", "/dev/dxg"] as const;
/** More than any release's hipDeviceProp_t, whose layout differs from release to release. */
const PROPERTIES_BYTES = 8192;
const HIP_ERROR_OUT_OF_MEMORY = 2;

export const HIP_ERROR_NOT_READY = 600;

export interface HipFacts {
  readonly name: string;
  /** `gfx90a`, without the settings that follow it. */
  readonly arch: string;
  readonly multiprocessors: number;
  readonly maxThreads: number;
  readonly memoryBytes: number;
  readonly freeBytes: number;
  readonly runtimeVersion: string;
}

/** The architecture's name among the bytes of a hipDeviceProp_t: `gfx90a:sramecc+:xnack-` gives `gfx90a`. */
export function archIn(properties: Uint8Array): string | undefined {
  return /gfx[0-9a-f]{3,5}(?=[:\0])/.exec(Buffer.from(properties).toString("latin1"))?.[0];
}

/** `60342131` is 6.3.42131. @source HIP runtime API reference, hipRuntimeGetVersion */
export function versionText(version: number): string {
  const [major, minor] = [Math.floor(version / 1e7), Math.floor(version / 1e5) % 100];
  return `${major}.${minor}.${version % 1e5}`;
}

export class HipDriver {
  readonly library: HipLibrary;
  readonly facts: HipFacts;

  /** @throws DeviceError TW3250 where the library does not load, TW3251 without a GPU */
  constructor(paths: HipPaths, ordinal = 0) {
    this.library = findGpu(paths, ordinal);
    this.check(this.library.hipSetDevice(ordinal), "hipSetDevice");
    this.facts = this.#facts(ordinal);
  }

  /** @throws DeviceError TW3252 naming the call and HIP's own name and words for the status */
  check(status: number, call: string, context = ""): void {
    if (status === 0) return;
    throw new DeviceError({
      code: "TW3252",
      message: `${call} failed${context === "" ? "" : ` ${context}`}`,
      seen: this.describe(status),
      expected: "hipSuccess",
      remedy:
        status === HIP_ERROR_OUT_OF_MEMORY
          ? "free tensors, or use a smaller batch, model or KV pool"
          : "an earlier kernel may have faulted: run with DEBUG=2 to find it",
    });
  }

  describe(status: number): string {
    return describe(this.library, status);
  }

  #facts(ordinal: number): HipFacts {
    const { library } = this;
    const attribute = (id: number): number => {
      const value = [0];
      this.check(library.hipDeviceGetAttribute(value, id, ordinal), "hipDeviceGetAttribute");
      return value[0] ?? 0;
    };
    const name = Buffer.alloc(256);
    this.check(library.hipDeviceGetName(name, name.length, ordinal), "hipDeviceGetName");
    const properties = new Uint8Array(PROPERTIES_BYTES);
    this.check(library.hipGetDeviceProperties(properties, ordinal), "hipGetDeviceProperties");
    const [free, total, version] = [[0], [0], [0]];
    this.check(library.hipMemGetInfo(free, total), "hipMemGetInfo");
    this.check(library.hipRuntimeGetVersion(version), "hipRuntimeGetVersion");
    return {
      name: name.toString("utf8").replace(/\0.*$/s, ""),
      arch: archIn(properties) ?? "unknown",
      multiprocessors: attribute(ATTRIBUTE.multiprocessors),
      maxThreads: attribute(ATTRIBUTE.maxThreadsPerBlock),
      memoryBytes: Number(total[0]),
      freeBytes: Number(free[0]),
      runtimeVersion: versionText(version[0] ?? 0),
    };
  }
}

/** The runtime with a GPU of that index. @throws DeviceError TW3250 where the library does not load, TW3251 without a GPU */
export function findGpu(paths: HipPaths, ordinal: number): HipLibrary {
  if (!KERNEL_DRIVERS.some((path) => existsSync(path)))
    throw noGpu(`none of ${KERNEL_DRIVERS.join(", ")} is there`, ordinal);
  const library = openLibrary(paths);
  const status = library.hipInit(0);
  const count = [0];
  if (status === 0) library.hipGetDeviceCount(count);
  if (status === 0 && (count[0] ?? 0) > ordinal) return library;
  const seen = status === 0 ? `${count[0]} GPUs` : `hipInit gave ${describe(library, status)}`;
  throw noGpu(seen, ordinal);
}

function describe(library: HipLibrary, status: number): string {
  const name = library.hipGetErrorName(status) ?? "unknown status";
  return `${name} (${status}): ${library.hipGetErrorString(status) ?? "no description"}`;
}

function noGpu(seen: string, ordinal: number): DeviceError {
  return new DeviceError({
    code: "TW3251",
    message: "the HIP runtime offers no such GPU",
    seen,
    expected: `an AMD GPU with index ${ordinal}`,
    remedy: "check `rocminfo`, the rights on /dev/kfd and HIP_VISIBLE_DEVICES",
  });
}

function openLibrary({ hip, before }: HipPaths): HipLibrary {
  try {
    return loadHip(hip, before);
  } catch (cause) {
    throw new DeviceError(
      {
        code: "TW3250",
        message: "the HIP runtime could not be loaded",
        seen: cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause),
        expected: `${hip} and what it needs`,
        remedy: "install the whole of ROCm, or use the device cuda, webgpu or interpreter",
      },
      { cause },
    );
  }
}
