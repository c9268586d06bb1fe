/** [engine/layers] Moves checkpoint tensors to the device in the model's dtype, with progress. */
import type { DType } from "../../dsl/index.ts";
import {
  type Device,
  emptyTensor,
  type Tensor,
  tensorFrom,
  tensorFromBytes,
} from "../../runtime/index.ts";
import { type Checkpoint, concatRows } from "../weights/checkpoint.ts";
import { deinterleave } from "../weights/deinterleave.ts";

export interface WeightPart {
  readonly name: string;
  readonly shape: readonly number[];
}

/** How a stack lies on the device, where it is not of the model's dtype and as long as its parts together. */
export interface StackForm {
  readonly shape?: readonly number[];
  readonly dtype?: DType;
  /** The rows of two halves take turns in the file (along the second dim) and follow one another on the device. */
  readonly isInterleaved?: boolean;
}

export class WeightLoader {
  readonly device: Device;
  readonly dtype: DType;
  readonly #checkpoint: Checkpoint;
  readonly #onProgress: (loadedBytes: number) => void;
  readonly #tensors: Tensor[] = [];
  #loadedBytes = 0;

  constructor(
    device: Device,
    dtype: DType,
    checkpoint: Checkpoint,
    onProgress: (loadedBytes: number) => void = () => {},
  ) {
    this.device = device;
    this.dtype = dtype;
    this.#checkpoint = checkpoint;
    this.#onProgress = onProgress;
  }

  has(name: string): boolean {
    return this.#checkpoint.has(name);
  }

  skip(name: string): void {
    this.#checkpoint.skip(name);
  }

  tensor(name: string, shape: readonly number[]): Tensor {
    return this.stacked([{ name, shape }]);
  }

  /** Several tensors stacked along the first dim. */
  stacked(parts: readonly WeightPart[], form: StackForm = {}): Tensor {
    const dtype = form.dtype ?? this.dtype;
    const read = parts.map(({ name, shape }) => this.#checkpoint.read(name, shape, dtype));
    const found = read.filter((tensor) => tensor !== undefined);
    // Loading cannot succeed any more, but goes on to find the other misfits: of the size that was hoped for nothing is allocated.
    if (found.length < read.length) return this.#keep(emptyTensor(this.device, dtype, [0]));
    const stack = concatRows(found);
    const host = form.isInterleaved === true ? deinterleave(stack) : stack;
    this.#loadedBytes += host.bytes.byteLength;
    this.#onProgress(this.#loadedBytes);
    const shape = form.shape ?? host.shape;
    return this.#keep(tensorFromBytes(this.device, host.dtype, shape, host.bytes));
  }

  /** A tensor of the model's dtype whose contents no kernel reads: the place of a weight that the model does not have. */
  empty(shape: readonly number[]): Tensor {
    return this.#keep(emptyTensor(this.device, this.dtype, shape));
  }

  /** A table computed on the host, f32. */
  table(values: Float32Array, shape: readonly number[]): Tensor {
    return this.#keep(tensorFrom(this.device, "f32", shape, values));
  }

  /** @throws ModelError for all that is missing, misshapen or unexpected */
  finish(): readonly Tensor[] {
    this.#checkpoint.finish();
    return [...this.#tensors];
  }

  /** Frees what was loaded, where loading cannot go on. */
  release(): void {
    for (const { buffer } of this.#tensors.splice(0)) this.device.free(buffer);
  }

  #keep(tensor: Tensor): Tensor {
    this.#tensors.push(tensor);
    return tensor;
  }
}
