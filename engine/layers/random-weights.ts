/** [engine/layers] Weights of any model without a checkpoint: random numbers, made on the device. For measurements, where values do not matter. */
import type { DType } from "../../dsl/index.ts";
import {
  type Device,
  elementsOf,
  emptyTensor,
  fillNoise,
  type Tensor,
} from "../../runtime/index.ts";
import { Checkpoint } from "../weights/checkpoint.ts";
import { type StackForm, WeightLoader, type WeightPart } from "./weight-loader.ts";

const NORM = /norm\.weight$/;

/** Weights of norms are ones. Other numbers keep the size of what they are multiplied with: their deviation is 1/√inputs. */
export class RandomWeights extends WeightLoader {
  #seed = 1;

  constructor(device: Device, dtype: DType) {
    super(device, dtype, Checkpoint.empty());
  }

  override stacked(names: readonly WeightPart[], form: StackForm = {}): Tensor {
    const [first] = names;
    const rows = names.reduce((sum, { shape }) => sum + (shape[0] ?? 0), 0);
    const shape = form.shape ?? [rows, ...(first?.shape.slice(1) ?? [])];
    if (names.every(({ name }) => NORM.test(name)))
      return this.table(new Float32Array(elementsOf(shape)).fill(1), shape, this.dtype);
    const tensor = this.adopt(emptyTensor(this.device, form.dtype ?? this.dtype, shape));
    fillNoise(this.device, tensor, this.#seed++, 1 / Math.sqrt(Math.max(1, shape.at(-1) ?? 1)));
    return tensor;
  }
}
