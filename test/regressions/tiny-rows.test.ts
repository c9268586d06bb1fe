/** [test/regressions] Rows so small that no f32 factor lifts them are quantized to zeros, not to NaN. */
import { expect, it } from "vitest";
import { quantizeRows } from "../../dsl/kernels/catalogue.ts";
import { emptyTensor, openDevice, readTensor, tensorFrom } from "../../index.ts";

it.each(["f8e4m3", "i8"] as const)("gives zeros of %s for a row below 1e-35", async (Q) => {
  const device = await openDevice("interpreter");
  try {
    const x = tensorFrom(device, "f32", [2, 4], [1e-38, 0, -1e-38, 0, 1, 0, -2, 0]);
    const q = emptyTensor(device, Q, [2, 4]);
    const scale = emptyTensor(device, "f32", [1, 2]);
    device.launch(quantizeRows, { x, q, scale });
    const codes = [...(await readTensor(q))];
    expect(codes.slice(0, 4).map(Math.abs)).toEqual([0, 0, 0, 0]);
    expect(codes.every(Number.isFinite)).toBe(true);
    const [tiny, plain] = await readTensor(scale);
    expect(tiny).toBe(1);
    expect((codes[6] ?? 0) * (plain ?? 0)).toBeCloseTo(-2, 5);
  } finally {
    await device.close();
  }
});
