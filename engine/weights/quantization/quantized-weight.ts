/** [engine/weights/quantization] Quantized weights on the host in the form that the kernels take: codes by rows, scales by groups and columns. */
import {
  type DType,
  decodeArray,
  encodeArray,
  invariant,
  storageBytes,
} from "../../../dsl/index.ts";
import { concatRows, type HostTensor } from "../checkpoint.ts";
import type { ActivationScheme } from "./scheme.ts";

/** Codes of 4 bits, `[N, K]`. */
export interface FourBitWeight {
  readonly kind: "four-bit";
  readonly codes: HostTensor;
  /** `[KG, N]` */
  readonly scale: HostTensor;
  /** `[KG, N]`, u4; absent where the code for 0 is the dtype's own (u4: 8). */
  readonly zero: HostTensor | undefined;
  /** `[K]`: which column of the activations each column of the codes meets; absent where it is the same. */
  readonly order: Int32Array | undefined;
}

/** Codes of 8 bits, `[N, K]`. */
export interface EightBitWeight {
  readonly kind: "eight-bit";
  readonly codes: HostTensor;
  /** `[N]`, or `[cdiv(N, 128), cdiv(K, 128)]` */
  readonly scale: HostTensor;
  readonly activations: Exclude<ActivationScheme, "none">;
  /** Scale of the activations where it is static. */
  readonly inputScale: number | undefined;
}

/** A weight of floats: what a scheme gives that no kernel reads as it is. */
export interface DenseWeight {
  readonly kind: "dense";
  /** `[N, K]`, f32 */
  readonly weight: HostTensor;
}

export type QuantizedWeight = FourBitWeight | EightBitWeight | DenseWeight;

/** One module's share of a 4-bit weight: everything by rows, so that modules can be stacked. */
export interface FourBitRows {
  /** `[rows, K]` */
  readonly codes: HostTensor;
  /** `[rows, KG]` */
  readonly scale: HostTensor;
  /** `[rows, KG]`, a number each */
  readonly zeros: Uint8Array | undefined;
  readonly order: Int32Array | undefined;
}

/** The code for 0 where a weight of u4 has no zero points. */
const MIDDLE = 8;

/** Stacks the modules and turns scales and zero points to groups by columns; zero points that are all in the middle are dropped. */
export function stackFourBit(parts: readonly FourBitRows[]): FourBitWeight {
  const scale = concatRows(parts.map((part) => part.scale));
  const [rows = 0, groups = 0] = scale.shape;
  const zeros = parts.flatMap((part) => (part.zeros === undefined ? [] : [part.zeros]));
  invariant(
    zeros.length === 0 || zeros.length === parts.length,
    () => "some parts lack zero points",
  );
  const isPlain = zeros.every((list) => list.every((zero) => zero === MIDDLE));
  return {
    kind: "four-bit",
    codes: concatRows(parts.map((part) => part.codes)),
    scale: transpose(scale),
    zero: isPlain ? undefined : nibbles(Buffer.concat(zeros), rows, groups),
    order: parts[0]?.order,
  };
}

/** A matrix with rows and columns exchanged; elements of whole bytes. */
export function transpose({ dtype, shape, bytes }: HostTensor): HostTensor {
  const [rows = 0, columns = 0] = shape;
  const from = elementsOf(bytes, storageBytes(dtype, 1));
  const to = from.slice();
  // Blocks that the cache holds, since one side is walked across its rows.
  for (let top = 0; top < rows; top += TURNED)
    for (let left = 0; left < columns; left += TURNED)
      for (let r = top; r < Math.min(rows, top + TURNED); r++)
        for (let c = left; c < Math.min(columns, left + TURNED); c++)
          to[c * rows + r] = from[r * columns + c] ?? 0;
  return { dtype, shape: [columns, rows], bytes: new Uint8Array(to.buffer) };
}

/** Rows and columns of a block of `transpose`. */
const TURNED = 64;

/** Bytes as whole elements, copied where they do not lie at a multiple of their size. */
function elementsOf(bytes: Uint8Array, size: number): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, size);
  if (size === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (size === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function aligned(bytes: Uint8Array, size: number): Uint8Array {
  return bytes.byteOffset % size === 0 ? bytes : bytes.slice();
}

/** Numbers `[rows, groups]` as a u4 tensor `[groups, rows]`. */
function nibbles(values: Uint8Array, rows: number, groups: number): HostTensor {
  const turned = transpose({ dtype: "u8", shape: [rows, groups], bytes: values });
  return {
    dtype: "u4",
    shape: turned.shape,
    bytes: encodeArray("u4", Uint32Array.from(turned.bytes)),
  };
}

/** The numbers of a tensor of floats. */
export function floatsOf({ dtype, shape, bytes }: HostTensor): Float32Array {
  const count = shape.reduce((n, size) => n * size, 1);
  return Float32Array.from(decodeArray(dtype, bytes, count));
}

export function floatTensor(values: Float32Array, shape: readonly number[]): HostTensor {
  return { dtype: "f32", shape, bytes: encodeArray("f32", values) };
}

/** Floats of any width, as checkpoints store scales. */
export const FLOATS: readonly DType[] = ["f32", "f16", "bf16"];

/** The words of an i32 tensor. */
export function wordsOf({ bytes }: HostTensor): Uint32Array {
  const copy = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4);
}
