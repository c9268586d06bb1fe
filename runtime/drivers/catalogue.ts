/** [runtime/drivers] Every driver with how to open it and what it needs. Opening is lazy: nothing is probed on import. */
import type { Backend } from "../backend.ts";
import type { DriverName } from "../device.ts";

export interface OpenOptions {
  /**
   * `optional`: a device without its run-time compiler (NVRTC) will do: it launches kernels that were compiled ahead of time to
   * binaries. Default `required`.
   */
  readonly compiler?: "required" | "optional";
}

export interface DriverEntry {
  readonly name: DriverName;
  /** One line for `doctor`. */
  readonly summary: string;
  /** Absent where only opening tells. Looks for the library and a GPU, and takes no memory of it. @throws DeviceError as `open` */
  look?(): Promise<void>;
  /** @throws DeviceError that says why this machine cannot, and what to install */
  open(options?: OpenOptions): Promise<Backend>;
}

export const DRIVERS: readonly DriverEntry[] = [
  {
    name: "cuda",
    summary: "NVIDIA GPUs: CUDA C++ compiled by NVRTC, through the driver API",
    look: async () => void (await import("./cuda/driver.ts")).findGpu(0),
    open: async ({ compiler } = {}) =>
      new (await import("./cuda/device.ts")).CudaBackend(0, compiler),
  },
  {
    name: "hip",
    summary: "AMD GPUs: HIP C++ compiled by hiprtc, through the HIP runtime",
    look: async () => {
      const paths = (await import("./hip/compiler.ts")).requireHip();
      (await import("./hip/driver.ts")).findGpu(paths, 0);
    },
    open: async () => new (await import("./hip/device.ts")).HipBackend(),
  },
  {
    name: "webgpu",
    summary: "any GPU with WebGPU: WGSL, by Dawn in Node or by the browser",
    open: async () => (await import("./webgpu/device.ts")).WebGpuBackend.open(),
  },
  {
    name: "interpreter",
    summary: "this CPU: runs the tile IR itself, exactly; slow, needs nothing",
    open: async () => (await import("./interpreter/device.ts")).InterpreterBackend.open(),
  },
  {
    name: "null",
    summary: "takes every launch and computes nothing",
    open: async () => new (await import("./null/device.ts")).NullBackend(),
  },
];
