/** [engine/layers] Tensors that live for one step at most: made on demand, freed as soon as no layer reads them any more. */
import { type DType, storageBytes } from "../../dsl/index.ts";
import {
  type Device,
  type DeviceBuffer,
  elementsOf,
  type Tensor,
  tensorFromBytes,
} from "../../runtime/index.ts";
import { type LayerLaunchOptions, layerLaunchOptions } from "./launch-options.ts";

/** Where a scope's buffers come from: the device, or a pool that captured steps share. */
export interface StepMemory {
  alloc(bytes: number): DeviceBuffer;
  free(buffer: DeviceBuffer): void;
}

/** No driver binds less. */
const LEAST_BYTES = 4;

export class StepScope {
  readonly device: Device;
  readonly options: LayerLaunchOptions;
  readonly #memory: StepMemory;
  /** Of `empty`, in the order in which they were made. */
  readonly #made: DeviceBuffer[] = [];
  /** Of `from`; they lie in memory of the device itself. */
  readonly #given: Tensor[] = [];

  /** @param memory of the tensors that `empty` makes */
  constructor(device: Device, memory: StepMemory = device) {
    this.device = device;
    this.options = layerLaunchOptions(device);
    this.#memory = memory;
  }

  empty(dtype: DType, shape: readonly number[]): Tensor {
    const bytes = Math.max(LEAST_BYTES, storageBytes(dtype, elementsOf(shape)));
    const buffer = this.#memory.alloc(bytes);
    this.#made.push(buffer);
    return { buffer, byteOffset: 0, dtype, shape };
  }

  /** An i32 or f32 tensor with this content. */
  from(values: Int32Array | Float32Array, shape: readonly number[] = [values.length]): Tensor {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const dtype = values instanceof Int32Array ? "i32" : "f32";
    const tensor = tensorFromBytes(this.device, dtype, shape, bytes);
    this.#given.push(tensor);
    return tensor;
  }

  /** A place among the tensors made by `empty`, for `releaseSince`. */
  mark(): number {
    return this.#made.length;
  }

  /**
   * Frees what `empty` made since a mark. Work that is queued may still use it: who gets the bytes next is queued behind.
   * @param kept tensors that stay
   */
  releaseSince(mark: number, kept: readonly Tensor[]): void {
    for (const buffer of this.#made.splice(mark)) {
      if (kept.some((tensor) => tensor.buffer === buffer)) this.#made.push(buffer);
      else this.#memory.free(buffer);
    }
  }

  close(): void {
    this.releaseSince(0, []);
    for (const { buffer } of this.#given.splice(0)) this.device.free(buffer);
  }
}
