/** [engine/weights] Swaps the last two dims of a tensor on the host, for checkpoints that store weights as `[inputs, outputs]`. */
import { storageBytes } from "../../dsl/index.ts";
import type { HostTensor } from "./checkpoint.ts";

export function swapLastDims(shape: readonly number[]): readonly number[] {
  return [...shape.slice(0, -2), ...shape.slice(-1), ...shape.slice(-2, -1)];
}

/** @param tensor `[…, A, B]` of whole bytes an element @returns `[…, B, A]` */
export function transposeTensor({ dtype, shape, bytes }: HostTensor): HostTensor {
  const [rows = 1, columns = 1] = shape.slice(-2);
  const size = storageBytes(dtype, 1);
  const swapped = new Uint8Array(bytes.byteLength);
  const matrix = rows * columns;
  for (let i = 0; i * size < bytes.byteLength; i++) {
    const at = i % matrix;
    const to = i - at + (at % columns) * rows + Math.floor(at / columns);
    for (let b = 0; b < size; b++) swapped[to * size + b] = bytes[i * size + b] ?? 0;
  }
  return { dtype, shape: swapLastDims(shape), bytes: swapped };
}
