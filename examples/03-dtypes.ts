/** [examples] 3: one source for many dtypes. Storage is narrow, arithmetic is not, and every conversion is written down. */
import {
  all,
  cast,
  type DType,
  emptyTensor,
  kernel,
  load,
  out,
  pid,
  readTensor,
  rsqrt,
  scalar,
  store,
  sum,
  tensor,
  tensorFrom,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * y = x / √(mean(x²) + eps), row by row. T is a variable: a launch takes it from its arguments. Two dtypes never mix by themselves, so
 * the sum of squares is in f32 because the source says so.
 */
export const normalize = kernel(
  {
    name: "normalize",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "R", "H"), y: out("T", "R", "H"), eps: scalar("f32") },
    config: {},
    specialize: ["H"],
    grid: ({ R }) => R,
  },
  ({ x, y, eps, H, T }) => {
    const at = [pid(0), all(H)] as const;
    const v = cast(load(x, at), "f32");
    store(y, at, cast(v * rsqrt(sum(v * v, "H") / H + eps), T));
  },
);

/** Half a step of the last place, relative: f32 adds up in another order, the others are rounded once. */
const TOLERANCE: Partial<Readonly<Record<DType, number>>> = { f32: 1e-5, f16: 2e-3, bf16: 1e-2 };

export const main: Example = async (device) => {
  const [rows, width] = [3, 96];
  for (const dtype of ["f32", "f16", "bf16"] as const) {
    const x = tensorFrom(device, dtype, [rows, width], noise(rows * width, 3));
    const y = emptyTensor(device, dtype, [rows, width]);
    device.launch(normalize, { x, y, eps: 1e-5 });
    // What was stored, which in f16 and bf16 is not what `noise` gave.
    const stored = Float64Array.from(await readTensor(x));
    const expected = stored.map((value, i) => {
      const start = Math.floor(i / width) * width;
      const squares = stored.slice(start, start + width).map((other) => other * other);
      const mean = squares.reduce((total, square) => total + square, 0) / width;
      return value / Math.sqrt(mean + 1e-5);
    });
    check(`normalized ${dtype}`, await readTensor(y), expected, TOLERANCE[dtype]);
  }
};

await runByHand(import.meta.url, main);
