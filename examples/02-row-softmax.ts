/** [examples] 2: reductions by the name of an axis, scalars, and dims that are known when a kernel is compiled. */
import { emptyTensor, readTensor, tensorFrom } from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";
// `specialize: ["N"]` there makes N a number of the compile, so that `all(N)` can be a tile of one row.
import { scaledSoftmax } from "./softmax.ts";

/** The same on plain numbers. */
export function softmaxRow(row: ArrayLike<number>, scale: number): readonly number[] {
  const scaled = Array.from(row, (value) => value * scale);
  const top = Math.max(...scaled);
  const powers = scaled.map((value) => Math.exp(value - top));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}

export const main: Example = async (device) => {
  const scale = 0.5;
  // The second width is compiled for itself; rows of 61 elements need no padding in the kernel.
  for (const [rows, width] of [
    [4, 128],
    [3, 61],
  ] as const) {
    const x = noise(rows * width, width).map((value) => 8 * value);
    const y = emptyTensor(device, "f32", [rows, width]);
    device.launch(scaledSoftmax, { x: tensorFrom(device, "f32", [rows, width], x), y, scale });
    const expected = Array.from({ length: rows }, (_, row) =>
      softmaxRow(x.subarray(row * width, (row + 1) * width), scale),
    );
    check(`softmax of ${rows} rows of ${width}`, await readTensor(y), expected.flat());
  }
};

await runByHand(import.meta.url, main);
