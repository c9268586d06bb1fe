/** [engine] Tensors that are made one by one and freed together; where one does not fit, none stays. Knows nothing of what they hold. */
import type { DType } from "../dsl/index.ts";
import { type Device, type DeviceBuffer, type Tensor, zeroTensor } from "../runtime/index.ts";

export class OwnedTensors {
  readonly #device: Device;
  readonly #buffers: DeviceBuffer[] = [];

  constructor(device: Device) {
    this.#device = device;
  }

  /** Filled with zeros. @throws what the device throws where there is no room; then all that was made before is freed */
  zero(dtype: DType, shape: readonly number[]): Tensor {
    try {
      const tensor = zeroTensor(this.#device, dtype, shape);
      this.#buffers.push(tensor.buffer);
      return tensor;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    for (const buffer of this.#buffers.splice(0)) this.#device.free(buffer);
  }
}
