/** [runtime] The interface that every driver implements, and the handles it gives out. Types only. */
import type { PackedOrder, TargetSpec } from "../codegen/index.ts";
import type { DType, KernelDefinition, Specialization } from "../dsl/index.ts";

/** The drivers of the catalogue. */
export type DriverName = "cuda" | "webgpu" | "interpreter" | "null" | "hip";

/** Bytes on a device. Freed by `Device.free`; a pool below makes that cheap. What a driver keeps of its memory are plain fields, which `park` exchanges. */
export interface DeviceBuffer {
  readonly device: Device;
  readonly bytes: number;
}

/** A row-major contiguous view: `shape` elements of `dtype` from `byteOffset` of `buffer` (a multiple of 256, so that every driver can bind it). */
export interface Tensor {
  readonly buffer: DeviceBuffer;
  readonly byteOffset: number;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** The order in which the elements lie, where it is not row-major; see packing.ts. Only `packed` parameters take such tensors. */
  readonly order?: PackedOrder;
}

/** Buffers without memory. */
export interface ParkedBuffers {
  /** That the device got back. */
  readonly bytes: number;
  /** That their contents take in this process. */
  readonly hostBytes: number;
  /** Once. @throws DeviceError where there is no room; then all are parked still, and it may be tried again */
  restore(): void;
  /** They are not needed any more. */
  drop(): void;
}

export interface DeviceLimits {
  readonly maxBufferBytes: number;
  readonly maxThreads: number;
  readonly maxSharedBytes: number;
  readonly maxStorageBuffers: number;
  /** Most programs along each axis of a grid. */
  readonly maxGrid: readonly [number, number, number];
  /** Programs run on so many units at once; absent where the driver does not say. */
  readonly multiprocessors?: number;
  /** Total memory for sizing pools; an estimate where the driver does not say. */
  readonly memoryBytes: number;
}

export interface DeviceInfo {
  /** A `DriverName`, or what a backend of one's own calls itself. */
  readonly driver: string;
  /** As the vendor names it: "NVIDIA H200", "SwiftShader", "TypeScript interpreter". */
  readonly name: string;
  /** False for software GPUs. */
  readonly hardware: boolean;
  readonly features: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** Tensors that a kernel may take, where the device limits them (WebGPU's storage buffers: at least 8). */
  readonly maxTensors?: number;
}

/** An ordered queue of work. Each device has a default stream; only some drivers have more. */
export interface Stream {
  readonly driver: string;
}
/** A point in a stream. `elapsedMs` needs both events to have completed. */
export interface DeviceEvent {
  record(stream?: Stream): void;
  wait(): Promise<void>;
  elapsedMs(since: DeviceEvent): number;
  /** Gives the event back; where absent there is nothing to give back. */
  close?(): void;
}
/** Captured work that can be replayed. */
export interface Graph {
  launch(stream?: Stream): void;
  close(): void;
}

export type KernelArgument = Tensor | number;

/** Everything of a launch but its arguments. Dtype variables and specialised dims are taken from the arguments where they are not given. */
export interface LaunchOptions extends Specialization {
  readonly stream?: Stream;
}

export interface Device {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  /** What texts are made for; undefined where the device runs tile IR. */
  readonly target?: TargetSpec | undefined;
  alloc(bytes: number): DeviceBuffer;
  free(buffer: DeviceBuffer): void;
  /** Gives memory of freed buffers, which is kept for the next ones, back to the system. Nothing that uses it may be queued. */
  trim(): void;
  /**
   * Waits for queued work, then takes the memory of live buffers and gives it, and what `trim` gives, back to the system. The buffers, and tensors
   * over them, may not be used until `restore`; what was captured with them, never again.
   * @param keepsContents they are copied to this process's memory and come back; else the buffers hold zeros after
   */
  park(buffers: readonly DeviceBuffer[], keepsContents: boolean): Promise<ParkedBuffers>;
  /** Host → device; the source may be reused at once. */
  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void;
  /** Device → host, after all work queued before. Reports failures of that work. */
  read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array>;
  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void;
  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void;
  /**
   * Checks the arguments, compiles on first use (memory and disk caches first), enqueues. Never waits for the device.
   * @throws LaunchError naming tensor, dim, seen and expected when an argument does not fit
   */
  launch(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): void;
  /**
   * The orders in which the kernel reads its packed tensors best, for arguments of these dtypes and shapes; those of tensors that have one are
   * kept. A packed tensor that is best row-major is absent.
   */
  packedOrders(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): Readonly<Record<string, PackedOrder>>;
  /** Compiles ahead for arguments of these dtypes and shapes, so that the launch does not. */
  prepare(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): Promise<void>;
  /** Waits for all queued work; reports its failures with the launch that caused them. */
  synchronize(): Promise<void>;
  /** Where work goes that names no stream; undefined where the driver has no streams. */
  readonly defaultStream?: Stream;
  /** Undefined where the driver has no streams, events or capture. */
  readonly createStream?: () => Stream;
  readonly createEvent?: () => DeviceEvent;
  /** Launches inside of `record` that name no stream are captured. Writes, copies and fills are not: they happen at once. */
  readonly capture?: (record: (stream: Stream) => void) => Graph;
  close(): Promise<void>;
}
