/** [runtime] The door of the runtime room: devices, tensors, launches. */
export type { Backend, BinaryCache, Enqueue, Loadable, LoadedKernel } from "./backend.ts";
export type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceInfo,
  DeviceLimits,
  DriverName,
  Graph,
  KernelArgument,
  LaunchOptions,
  Stream,
  Tensor,
} from "./device.ts";
export { CoreDevice } from "./device-core.ts";
export { DiskCache, openDiskCache } from "./disk-cache.ts";
export { DRIVERS, type DriverEntry } from "./drivers/catalogue.ts";
export { compileCubin, NvrtcCompiler } from "./drivers/cuda/compiler.ts";
export { NullBackend } from "./drivers/null/device.ts";
export { type CacheStatistics, KernelCache } from "./kernel-cache.ts";
export { MemoryPool, sizeClass } from "./memory-pool.ts";
export {
  chooseDevice,
  type DeviceChoice,
  type DriverReport,
  inspectDrivers,
  type OpenedDevice,
  openDevice,
} from "./open.ts";
export {
  elementsOf,
  emptyTensor,
  readTensor,
  readTensorBytes,
  reshape,
  sliceRows,
  TENSOR_ALIGNMENT,
  tensorBytes,
  tensorFrom,
  tensorFromBytes,
  writeTensor,
  zeroTensor,
} from "./tensor.ts";
