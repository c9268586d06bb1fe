/** [engine/weights/quantization] A quantized weight as floats on the host, for layers whose kernels read no codes. */
import { decodeArray } from "../../../dsl/index.ts";
import type { HostTensor } from "../checkpoint.ts";
import {
  type EightBitWeight,
  type FourBitWeight,
  floatsOf,
  floatTensor,
  type QuantizedWeight,
} from "./quantized-weight.ts";

/** Rows and columns of a block of scales. */
const BLOCK = 128;
/** The code for 0 where a weight of u4 has no zero points. */
const MIDDLE = 8;

/** @returns `[N, K]`, f32 */
export function denseWeight(weight: QuantizedWeight): HostTensor {
  switch (weight.kind) {
    case "dense":
      return weight.weight;
    case "eight-bit":
      return fromEightBit(weight);
    case "four-bit":
      return fromFourBit(weight);
    default:
      return weight satisfies never;
  }
}

function fromEightBit({ codes, scale }: EightBitWeight): HostTensor {
  const [, columns = 0] = codes.shape;
  const scales = floatsOf(scale);
  const across = scale.shape[1];
  return byElement(codes, (code, n, k) => {
    const at = across === undefined ? n : Math.floor(n / BLOCK) * across + Math.floor(k / BLOCK);
    return { value: code * (scales[at] ?? 0), at: n * columns + k };
  });
}

function fromFourBit({ codes, scale, zero, order }: FourBitWeight): HostTensor {
  const [rows = 0, columns = 0] = codes.shape;
  const [groups = 1] = scale.shape;
  const scales = floatsOf(scale);
  const zeros = zero && decodeArray("u4", zero.bytes, groups * rows);
  const middle = codes.dtype === "u4" ? MIDDLE : 0;
  return byElement(codes, (code, n, k) => {
    const at = Math.floor((k * groups) / columns) * rows + n;
    const value = (code - (zeros?.[at] ?? middle)) * (scales[at] ?? 0);
    return { value, at: n * columns + (order?.[k] ?? k) };
  });
}

/** @param place value and index in the result of the code in row n, column k */
function byElement(
  codes: HostTensor,
  place: (code: number, n: number, k: number) => { readonly value: number; readonly at: number },
): HostTensor {
  const [rows = 0, columns = 0] = codes.shape;
  const read = decodeArray(codes.dtype, codes.bytes, rows * columns);
  const floats = new Float32Array(rows * columns);
  for (let i = 0; i < floats.length; i++) {
    const { value, at } = place(Number(read[i] ?? 0), Math.floor(i / columns), i % columns);
    floats[at] = value;
  }
  return floatTensor(floats, [rows, columns]);
}
