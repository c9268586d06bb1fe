/** [runtime/bench] Measured limits of a device: copy bandwidth, and the vendor's fastest large product by dtype. */
import type { DType } from "../../dsl/index.ts";
import type { Device, Tensor } from "../device.ts";
import { emptyTensor } from "../tensor.ts";
import type { BenchCall, Ceiling, Peers } from "./contender.ts";
import type { Meter } from "./measure.ts";
import { canFillNoise, fillNoise } from "./noise.ts";
import { median } from "./statistics.ts";

/** Sizes of square products among which the fastest is the ceiling: large ones are bound by power, smaller ones by waves. */
const PRODUCT_SIZES = [4096, 8192];
const PRODUCT_SETS = 2;
const PRODUCT_TIMES = { warmupMs: 15, repeatMs: 60 };

/** What a copy reaches on devices that are as they should be, in bytes a second. Measured beneath it, a run says nothing. */
const EXPECTED_COPY: readonly { readonly name: RegExp; readonly perSecond: number }[] = [
  { name: /\bH200\b/, perSecond: 4.1e12 },
];

/** A sentence where the device copies more slowly than its kind does. */
export function voidNote(deviceName: string, copy: Ceiling | undefined): string | undefined {
  const expected = EXPECTED_COPY.find(({ name }) => name.test(deviceName));
  if (expected === undefined || copy === undefined || copy.perSecond >= expected.perSecond)
    return undefined;
  return `void: copies run at ${(copy.perSecond / 1e12).toFixed(2)} TB/s, below the ${expected.perSecond / 1e12} TB/s of this device when it is undisturbed`;
}

/** Dtype of the result with which a vendor multiplies operands of `dtype`. */
function resultOf(dtype: DType): DType {
  if (dtype === "i8") return "i32";
  return dtype === "f8e4m3" || dtype === "f8e5m2" ? "bf16" : dtype;
}

/**
 * Operations a second of the vendor's best large product.
 * @returns undefined where no vendor multiplies this dtype here
 */
export async function productCeiling(
  device: Device,
  peers: Peers,
  meter: Meter,
  dtype: DType,
): Promise<Ceiling | undefined> {
  if (!device.info.hardware || !canFillNoise(dtype)) return undefined;
  let best: Ceiling | undefined;
  for (const size of PRODUCT_SIZES) {
    const tensors: Tensor[] = [];
    try {
      const call = squareCall(device, dtype, size, tensors);
      for (const contender of peers.vendor(call)) {
        const us = median(await meter.coldSamples(contender, PRODUCT_SETS, PRODUCT_TIMES));
        const perSecond = (2 * size ** 3) / us / 1e-6;
        if (best === undefined || perSecond > best.perSecond)
          best = { perSecond, how: `${contender.name} ${contender.detail}, ${size}³` };
        contender.close?.();
      }
    } finally {
      for (const { buffer } of tensors) device.free(buffer);
    }
  }
  return best;
}

function squareCall(device: Device, dtype: DType, size: number, tensors: Tensor[]): BenchCall {
  const make = (type: DType): Tensor => {
    const tensor = emptyTensor(device, type, [size, size]);
    tensors.push(tensor);
    return tensor;
  };
  const sets = Array.from({ length: PRODUCT_SETS }, (_, i) => {
    const set = { x: make(dtype), w: make(dtype), y: make(resultOf(dtype)) };
    fillNoise(device, set.x, 2 * i + 1, 1);
    fillNoise(device, set.w, 2 * i + 2, 1);
    return set;
  });
  const dims = { M: size, N: size, K: size };
  const dtypes = { T: dtype, O: resultOf(dtype) };
  const problem = { name: `${size}³`, seed: 1, dims, dtypes, scalars: {} };
  const matmul = { x: "x", w: "w", y: "y" };
  return { device, kernel: "product", problem, scalars: {}, sets, matmul };
}
