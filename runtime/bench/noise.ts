/** [runtime/bench] Fills tensors with random numbers on the device: inputs of problems too large to be made on the host. */
import {
  cast,
  cdiv,
  cos,
  DTYPES,
  type DType,
  iota,
  kernel,
  log,
  out,
  pid,
  scalar,
  sqrt,
  store,
  tile,
} from "../../dsl/index.ts";
import type { Device, Tensor } from "../device.ts";
import { elementsOf } from "../tensor.ts";

/** 2^-32, and the largest f32 below 1. */
const UNIT = 2.3283064365386963e-10;
const TWO_PI = 6.283185307179586;

/**
 * 32 mixed bits of a counter.
 * @source G. L. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014 (the construction)
 */
function mixed(counter: number): number {
  let x = counter;
  x = (x ^ (x >>> 16)) * 0x21f0aaad;
  x = (x ^ (x >>> 15)) * 0x735a2d97;
  return x ^ (x >>> 15);
}

/** y = normal numbers times `scale` (Box and Muller), a function of place and seed alone. */
const normalNoise = kernel(
  {
    name: "bench_normal_noise",
    dtypes: { T: ["f32", "f16", "bf16", "f8e4m3", "f8e5m2"] },
    params: { y: out("T", "N"), seed: scalar("u32"), scale: scalar("f32") },
    config: { B: 1024 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ y, seed, scale, T }, { B }) => {
    const at = cast(pid(0) * B + iota(B), "u32");
    const bits = mixed(at * 0x9e3779b9 + seed);
    const more = mixed(bits + 0x85ebca6b + seed);
    const radius = sqrt(-2 * log((cast(bits >>> 8, "f32") + 0.5) * (UNIT * 256)));
    const noise = radius * cos((cast(more >>> 8, "f32") + 0.5) * (UNIT * 256 * TWO_PI));
    store(y, [tile(pid(0), B)], cast(noise * scale, T));
  },
);

/** y = whole numbers from -127 to 127, all alike likely. */
const byteNoise = kernel(
  {
    name: "bench_byte_noise",
    params: { y: out("i8", "N"), seed: scalar("u32") },
    config: { B: 1024 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ y, seed }, { B }) => {
    const at = cast(pid(0) * B + iota(B), "u32");
    const u = cast(mixed(at * 0x9e3779b9 + seed) >>> 8, "f32") * (UNIT * 256);
    store(y, [tile(pid(0), B)], cast(u * 255 - 127.5, "i8"));
  },
);

/** Whether `fillNoise` can fill a tensor of this dtype. */
export function canFillNoise(dtype: DType): boolean {
  return DTYPES[dtype].kind === "float" || dtype === "i8";
}

/**
 * Queues the filling of a tensor: normal numbers times `scale`, or whole numbers for i8.
 * @param seed unsigned 32 bits; another seed gives other numbers
 */
export function fillNoise(device: Device, tensor: Tensor, seed: number, scale: number): void {
  const y = { ...tensor, shape: [elementsOf(tensor.shape)] };
  if (tensor.dtype === "i8") device.launch(byteNoise, { y, seed });
  else device.launch(normalNoise, { y, seed, scale });
}
