/** [runtime] What a driver implements; device-core.ts makes a Device of it (argument checks, plans, caches). Types only. */
import type { Artifact, TargetSpec } from "../codegen/index.ts";
import type { TileKernel } from "../dsl/index.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceInfo,
  DeviceLimits,
  Graph,
  Stream,
  Tensor,
} from "./device.ts";

/** What a driver is given to load: text of its target, or the tile IR itself. */
export type Loadable =
  | {
      readonly kind: "text";
      readonly artifact: Artifact;
      /** What the driver's compiler would make of the text, where it is there already. */
      readonly binary?: Uint8Array;
    }
  | { readonly kind: "tile"; readonly tile: TileKernel };

/** A kernel that a driver has made ready. Opaque to the core. */
export interface LoadedKernel {
  readonly entry: string;
}

export interface Enqueue {
  readonly kernel: LoadedKernel;
  /** In ABI order. */
  readonly tensors: readonly Tensor[];
  /** Dims (i32), then scalars (raw bits), one 32-bit word each, in ABI order. */
  readonly words: Uint32Array;
  readonly grid: readonly [number, number, number];
  readonly stream: Stream | undefined;
}

/** Bytes kept on disk for an artifact, for example a cubin; `undefined` where the driver has none. */
export interface BinaryCache {
  get(key: string): Uint8Array | undefined;
  put(key: string, data: Uint8Array): void;
}

export interface Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  /** What text is compiled for; undefined where the backend runs the tile IR. */
  readonly target: TargetSpec | undefined;
  /** `owner` is stamped on the buffer, so that a launch can tell a tensor of another device. */
  alloc(bytes: number, owner: Device): DeviceBuffer;
  release(buffer: DeviceBuffer): void;
  /** A buffer that was freed is handed out again: its content is undefined from now on. */
  reuse?(buffer: DeviceBuffer): void;
  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void;
  read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array>;
  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void;
  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void;
  load(what: Loadable, binaries: BinaryCache): LoadedKernel;
  /** As `load`, off the calling thread where the driver can. */
  loadAsync?(what: Loadable, binaries: BinaryCache): Promise<LoadedKernel>;
  enqueue(work: Enqueue): void;
  synchronize(): Promise<void>;
  readonly defaultStream?: Stream;
  createStream?(): Stream;
  createEvent?(): DeviceEvent;
  capture?(record: (stream: Stream) => void): Graph;
  close(): Promise<void>;
}
