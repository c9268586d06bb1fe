/** [engine/weights] Sorts rows that take turns on the host, for checkpoints that store gate and up row by row in one tensor. */
import type { HostTensor } from "./checkpoint.ts";

/** @param tensor `[E, 2 · I, …]`: gate, up, gate, up … @returns the same shape, all of gate before all of up for each of E */
export function deinterleave({ dtype, shape, bytes }: HostTensor): HostTensor {
  const [outer = 1, rows = 2] = shape;
  const size = bytes.byteLength / Math.max(1, outer * rows);
  const half = rows / 2;
  const sorted = new Uint8Array(bytes.byteLength);
  for (let i = 0; i < outer * rows; i++) {
    const row = i % rows;
    const to = i - row + (row % 2) * half + Math.floor(row / 2);
    sorted.set(bytes.subarray(i * size, (i + 1) * size), to * size);
  }
  return { dtype, shape, bytes: sorted };
}
