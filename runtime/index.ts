/** [runtime] The door of the runtime room: devices, tensors, launches. */
export { tunedTableSource } from "./autotune/export.ts";
export { TuningStore } from "./autotune/records.ts";
export {
  type TuneOptions,
  type TunePhase,
  type TuneProgress,
  type TuneResult,
  tune,
} from "./autotune/tune.ts";
export type { Backend, BinaryCache, Enqueue, Loadable, LoadedKernel } from "./backend.ts";
export { benchmark } from "./bench/benchmark.ts";
export { DeviceClock } from "./bench/clock.ts";
export {
  type ComparedReports,
  compareReports,
  formatComparisons,
  hasRegressions,
  parseReport,
} from "./bench/compare.ts";
export type { Ceiling, CheckResult, ContenderRole } from "./bench/contender.ts";
export { type ForeignText, readForeign } from "./bench/foreign.ts";
export type { MeasureOptions, TimingMode } from "./bench/measure.ts";
export { fillNoise } from "./bench/noise.ts";
export { copyCeiling } from "./bench/open-peers.ts";
export { showConfig } from "./bench/own-contender.ts";
export {
  type BenchProblem,
  type BenchSubject,
  dimNamesOf,
  type MatmulRoles,
} from "./bench/problem.ts";
export type { BenchReport, BenchResult, ContenderResult, Timing } from "./bench/report.ts";
export { rooflineSvg } from "./bench/roofline.ts";
export { type BenchOptions, BenchSession } from "./bench/session.ts";
export { median, type Spread, spreadOf } from "./bench/statistics.ts";
export { svgDocument, svgEscaped, svgLine, svgNumber, svgText } from "./bench/svg.ts";
export { formatReport } from "./bench/table.ts";
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
  ParkedBuffers,
  Stream,
  Tensor,
} from "./device.ts";
export { CoreDevice } from "./device-core.ts";
export { DiskCache, openDiskCache } from "./disk-cache.ts";
export { DRIVERS, type DriverEntry, type OpenOptions } from "./drivers/catalogue.ts";
export { compileCubin, NvrtcCompiler } from "./drivers/cuda/compiler.ts";
export { compileCodeObject, HiprtcCompiler } from "./drivers/hip/compiler.ts";
export { NullBackend } from "./drivers/null/device.ts";
export { type ExportedKernel, exportedKernel, readExported } from "./exported.ts";
export { type HostBuffer, hostData, hostMemory } from "./host-memory.ts";
export { type CacheStatistics, KernelCache } from "./kernel-cache.ts";
export { MemoryPool, sizeClass } from "./memory-pool.ts";
export {
  checkDriver,
  chooseDevice,
  type DeviceChoice,
  type DriverReport,
  inspectDrivers,
  type OpenedDevice,
  openDevice,
} from "./open.ts";
export { packArguments, packTensor, unpackTensor } from "./packing.ts";
export { loaderFor, siblingEntry } from "./script-loader.ts";
export {
  elementsOf,
  emptyTensor,
  packedTensorFromBytes,
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
