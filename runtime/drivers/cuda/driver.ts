/** [runtime/drivers] The CUDA driver API with every status checked, and the facts of one GPU. No launch logic. */
import { DeviceError } from "../../../dsl/index.ts";
import { type CudaLibrary, loadCuda } from "./library.ts";
import type { TensorMapFields } from "./tensor-map.ts";

/** CUdevice_attribute numbers. @source CUDA driver API, enum CUdevice_attribute */
const ATTRIBUTE = {
  maxThreadsPerBlock: 1,
  multiprocessors: 16,
  major: 75,
  minor: 76,
  sharedOptin: 97,
} as const;

/** CU_TENSOR_MAP_INTERLEAVE_NONE, L2_PROMOTION_L2_256B, FLOAT_OOB_FILL_NONE (zeros). @source CUDA driver API, cuTensorMapEncodeTiled */
const MAP_INTERLEAVE_NONE = 0;
const MAP_L2_PROMOTION_256B = 3;
const MAP_FILL_ZERO = 0;

export const CUDA_ERROR_NOT_READY = 600;

export interface GpuFacts {
  readonly ordinal: number;
  readonly name: string;
  readonly computeCapability: readonly [number, number];
  /** As NVRTC names it; from 9.0 on with the suffix that opens the chip's own instructions. */
  readonly arch: string;
  readonly multiprocessors: number;
  readonly maxThreads: number;
  readonly maxSharedBytes: number;
  readonly memoryBytes: number;
  readonly driverVersion: string;
}

export class CudaDriver {
  readonly library: CudaLibrary;
  readonly facts: GpuFacts;
  readonly #handle: number;

  /** @throws DeviceError TW3201 without the library, TW3202 without a GPU */
  constructor(ordinal = 0) {
    this.library = findGpu(ordinal);
    const device = [0];
    this.check(this.library.cuDeviceGet(device, ordinal), "cuDeviceGet");
    this.#handle = device[0] ?? 0;
    const context: [bigint] = [0n];
    this.check(
      this.library.cuDevicePrimaryCtxRetain(context, this.#handle),
      "cuDevicePrimaryCtxRetain",
    );
    this.check(this.library.cuCtxSetCurrent(context[0]), "cuCtxSetCurrent");
    this.facts = this.#facts(ordinal);
  }

  /** @throws DeviceError TW3203 naming the call and CUDA's own name and words for the status */
  check(status: number, call: string, context = ""): void {
    if (status === 0) return;
    throw new DeviceError({
      code: "TW3203",
      message: `${call} failed${context === "" ? "" : ` ${context}`}`,
      seen: this.describe(status),
      expected: "CUDA_SUCCESS",
      remedy:
        status === 2
          ? "free tensors, or use a smaller batch, model or KV pool"
          : "an earlier kernel may have faulted: run with DEBUG=2, or under compute-sanitizer, to find it",
    });
  }

  describe(status: number): string {
    return describe(this.library, status);
  }

  /** As NVML names the GPU: domain:bus:device.function. */
  pciBusId(): string {
    const bytes = Buffer.alloc(32);
    this.check(
      this.library.cuDeviceGetPCIBusId(bytes, bytes.length, this.#handle),
      "cuDeviceGetPCIBusId",
    );
    return bytes.toString("utf8").replace(/\0.*$/s, "");
  }

  freeMemoryBytes(): number {
    const free = [0];
    const total = [0];
    this.check(this.library.cuMemGetInfo(free, total), "cuMemGetInfo");
    return Number(free[0]);
  }

  /**
   * Writes the 128 bytes of a tensor map; host work only, legal during capture.
   * @param address multiple of 64
   * @param name of the map, for the message
   */
  encodeTensorMap(address: bigint, fields: TensorMapFields, name: string): void {
    const { dataType, rank, pointer, dims, strides, box, elementStrides, swizzle } = fields;
    const status = this.library.cuTensorMapEncodeTiled(
      address,
      dataType,
      rank,
      pointer,
      dims,
      strides,
      box,
      elementStrides,
      MAP_INTERLEAVE_NONE,
      swizzle,
      MAP_L2_PROMOTION_256B,
      MAP_FILL_ZERO,
    );
    if (status !== 0)
      this.check(
        status,
        "cuTensorMapEncodeTiled",
        `of map ${name}: sizes ${[...dims].join("×")}, strides ${[...strides].join(", ")} bytes, box ${[...box].join("×")} (innermost first)`,
      );
  }

  close(): void {
    this.library.cuDevicePrimaryCtxRelease(this.#handle);
  }

  #facts(ordinal: number): GpuFacts {
    const attribute = (id: number): number => {
      const value = [0];
      this.check(
        this.library.cuDeviceGetAttribute(value, id, this.#handle),
        "cuDeviceGetAttribute",
      );
      return value[0] ?? 0;
    };
    const nameBytes = Buffer.alloc(256);
    this.check(
      this.library.cuDeviceGetName(nameBytes, nameBytes.length, this.#handle),
      "cuDeviceGetName",
    );
    const memory = [0];
    this.check(this.library.cuDeviceTotalMem(memory, this.#handle), "cuDeviceTotalMem");
    const version = [0];
    this.library.cuDriverGetVersion(version);
    const major = attribute(ATTRIBUTE.major);
    const minor = attribute(ATTRIBUTE.minor);
    return {
      ordinal,
      name: nameBytes.toString("utf8").replace(/\0.*$/s, ""),
      computeCapability: [major, minor],
      arch: `sm_${major}${minor}${major >= 9 ? "a" : ""}`,
      multiprocessors: attribute(ATTRIBUTE.multiprocessors),
      maxThreads: attribute(ATTRIBUTE.maxThreadsPerBlock),
      maxSharedBytes: attribute(ATTRIBUTE.sharedOptin),
      memoryBytes: Number(memory[0]),
      driverVersion: `${Math.floor((version[0] ?? 0) / 1000)}.${Math.floor(((version[0] ?? 0) % 1000) / 10)}`,
    };
  }
}

/** The driver with a GPU of that index; makes no context. @throws DeviceError TW3201 without the library, TW3202 without a GPU */
export function findGpu(ordinal: number): CudaLibrary {
  const library = openLibrary();
  const status = library.cuInit(0);
  const count = [0];
  if (status === 0) library.cuDeviceGetCount(count);
  if (status === 0 && (count[0] ?? 0) > ordinal) return library;
  throw new DeviceError({
    code: "TW3202",
    message: "the CUDA driver offers no such GPU",
    seen: status === 0 ? `${count[0]} GPUs` : `cuInit gave ${describe(library, status)}`,
    expected: `a GPU with index ${ordinal}`,
    remedy: "check `nvidia-smi` and CUDA_VISIBLE_DEVICES",
  });
}

function describe(library: CudaLibrary, status: number): string {
  const name: [string | null] = [null];
  const text: [string | null] = [null];
  library.cuGetErrorName(status, name);
  library.cuGetErrorString(status, text);
  return `${name[0] ?? "unknown status"} (${status}): ${text[0] ?? "no description"}`;
}

function openLibrary(): CudaLibrary {
  try {
    return loadCuda();
  } catch (cause) {
    throw new DeviceError(
      {
        code: "TW3201",
        message: "the CUDA driver library could not be loaded",
        seen: cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause),
        expected: "libcuda.so.1 of an NVIDIA driver, 525 or newer",
        remedy: "install the NVIDIA driver, or use the device webgpu or interpreter",
      },
      { cause },
    );
  }
}
