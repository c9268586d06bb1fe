/** [engine/layers] Tensors that live for one step: made on demand, freed together. */
import type { DType } from "../../dsl/index.ts";
import { type Device, emptyTensor, type Tensor, tensorFromBytes } from "../../runtime/index.ts";
import { type LayerLaunchOptions, layerLaunchOptions } from "./launch-options.ts";

export class StepScope {
  readonly device: Device;
  readonly options: LayerLaunchOptions;
  readonly #tensors: Tensor[] = [];

  constructor(device: Device) {
    this.device = device;
    this.options = layerLaunchOptions(device);
  }

  empty(dtype: DType, shape: readonly number[]): Tensor {
    const tensor = emptyTensor(this.device, dtype, shape);
    this.#tensors.push(tensor);
    return tensor;
  }

  /** An i32 or f32 tensor with this content. */
  from(values: Int32Array | Float32Array, shape: readonly number[] = [values.length]): Tensor {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const tensor = tensorFromBytes(
      this.device,
      values instanceof Int32Array ? "i32" : "f32",
      shape,
      bytes,
    );
    this.#tensors.push(tensor);
    return tensor;
  }

  close(): void {
    for (const tensor of this.#tensors.splice(0)) this.device.free(tensor.buffer);
  }
}
