/** [test/support/quantized] Weights and activations to 8 bits, as fp8 and compressed-tensors checkpoints have them. */
import type { Encoded } from "./four-bit.ts";
import type { Edges, Matrix } from "./plain-model.ts";
import { bytesOf, floats, rounded } from "./stored-tensor.ts";

export interface EightBit {
  readonly dtype: "F8_E4M3" | "I8";
  /** What shares a scale of the weight. */
  readonly weights: "tensor" | "channel" | "block";
  /** How activations become 8 bits. */
  readonly activations: "none" | "token" | "group" | number;
  readonly scaleName: "weight_scale" | "weight_scale_inv";
}

const MOST = { F8_E4M3: 448, I8: 127 } as const;

function codeOf(dtype: EightBit["dtype"], value: number): number {
  if (dtype === "F8_E4M3") return rounded(dtype, value);
  const floor = Math.floor(value);
  const isMiddle = value - floor === 0.5;
  const whole = isMiddle && floor % 2 === 0 ? floor : Math.round(value);
  return Math.max(-128, Math.min(127, whole));
}

/** Relative error that f32 arithmetic may have made of an activation, and the part of the greatest code below which it is absolute. */
const ERROR = 4e-6;
const SMALL = 0.01;

/** The code of an activation; notes it where another is as likely. */
function codeNear(dtype: EightBit["dtype"], value: number, edges: Edges): number {
  const code = codeOf(dtype, value);
  const slack = ERROR * Math.max(Math.abs(value), SMALL * MOST[dtype]);
  if (codeOf(dtype, value - slack) !== codeOf(dtype, value + slack)) edges.count++;
  return code;
}

/** The numbers that activations become, by groups of `size`. */
function quantizeBy(
  dtype: EightBit["dtype"],
  row: Float64Array,
  size: number,
  edges: Edges,
): Float64Array {
  const result = new Float64Array(row.length);
  for (let start = 0; start < row.length; start += size) {
    const greatest = Math.max(...row.subarray(start, start + size).map(Math.abs));
    if (greatest === 0) continue;
    for (let k = start; k < start + size; k++) {
      const code = codeNear(dtype, ((row[k] ?? 0) * MOST[dtype]) / greatest, edges);
      result[k] = code * (greatest / MOST[dtype]);
    }
  }
  return result;
}

function activationsOf({ dtype, activations: how }: EightBit) {
  if (how === "none") return {};
  if (how === "token")
    return {
      activations: (row: Float64Array, edges: Edges) => quantizeBy(dtype, row, row.length, edges),
    };
  if (how === "group")
    return { activations: (row: Float64Array, edges: Edges) => quantizeBy(dtype, row, 128, edges) };
  return {
    activations: (row: Float64Array, edges: Edges) =>
      row.map((value) => codeNear(dtype, value / how, edges) * how),
  };
}

export function eightBit(name: string, weight: Matrix, how: EightBit): Encoded {
  const { rows, columns, values } = weight;
  const { dtype, weights, scaleName, activations } = how;
  const across = Math.ceil(columns / 128);
  const place = (i: number): number => {
    const [n, k] = [Math.floor(i / columns), i % columns];
    if (weights === "tensor") return 0;
    return weights === "channel" ? n : Math.floor(n / 128) * across + Math.floor(k / 128);
  };
  const shape = { tensor: [1], channel: [rows, 1], block: [Math.ceil(rows / 128), across] }[
    weights
  ];
  const scales = new Float64Array(shape.reduce((n, size) => n * size, 1));
  values.forEach((value, i) => {
    scales[place(i)] = Math.max(scales[place(i)] ?? 0, Math.fround(Math.abs(value) / MOST[dtype]));
  });
  const scaleAt = (i: number): number => scales[place(i)] ?? 1;
  const codes = values.map((value, i) => codeOf(dtype, value / scaleAt(i)));
  const stored = `${name}.weight`;
  return {
    weight: { rows, columns, values: codes.map((code, i) => code * scaleAt(i)) },
    tensors: [
      dtype === "I8"
        ? bytesOf(stored, dtype, [rows, columns], codes)
        : floats(stored, dtype, [rows, columns], codes),
      floats(`${name}.${scaleName}`, "F32", shape, scales),
      // As some tools write them although the scheme is symmetric.
      ...(dtype === "I8"
        ? [bytesOf(`${name}.weight_zero_point`, dtype, shape, new Uint8Array(scales.length))]
        : []),
      ...(typeof activations === "number"
        ? [floats(`${name}.input_scale`, "F32", [1], [activations])]
        : []),
    ],
    ...activationsOf(how),
  };
}
