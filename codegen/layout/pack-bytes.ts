/** [codegen/layout] The host's repacker: storage bytes of a row-major tensor to those of a packed one and back. Made of the same order as the device's. */
import { DTYPES, type DType, storageBytes } from "../../dsl/index.ts";
import { encodeConstant } from "../text/constant-bits.ts";
import {
  blockElements,
  blockPlaces,
  matrixShape,
  type PackedOrder,
  packedElements,
  requireOrder,
  type TensorOrder,
} from "./packed-order.ts";

/** Elements as codes in whole bytes, words or halves of bytes. */
interface Codes {
  get(i: number): number;
  set(i: number, code: number): void;
}

function nibbles(bytes: Uint8Array): Codes {
  return {
    get: (i) => ((bytes[i >> 1] ?? 0) >> ((i & 1) << 2)) & 15,
    set: (i, code) => {
      const shift = (i & 1) << 2;
      bytes[i >> 1] = ((bytes[i >> 1] ?? 0) & (0xf0 >> shift)) | (code << shift);
    },
  };
}

function whole(view: Uint8Array | Uint16Array | Uint32Array): Codes {
  return {
    get: (i) => view[i] ?? 0,
    set: (i, code) => {
      view[i] = code;
    },
  };
}

function codesOf(dtype: DType, bytes: Uint8Array): Codes {
  const { bits } = DTYPES[dtype];
  if (bits === 4) return nibbles(bytes);
  if (bits === 8) return whole(bytes);
  const aligned = bytes.byteOffset % (bits / 8) === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  return bits === 16
    ? whole(new Uint16Array(buffer, byteOffset, byteLength >> 1))
    : whole(new Uint32Array(buffer, byteOffset, byteLength >> 2));
}

function requireBytes(bytes: Uint8Array, dtype: DType, elements: number): void {
  const expected = storageBytes(dtype, elements);
  if (bytes.byteLength !== expected)
    throw new RangeError(
      `${bytes.byteLength} bytes given, ${elements} × ${dtype} take ${expected}`,
    );
}

/** Calls `visit` for every place of the packed tensor: its index, and that of its element, or -1 where it is filled up. */
function forEachPlace(
  order: PackedOrder,
  shape: readonly number[],
  visit: (place: number, element: number) => void,
): void {
  const { count, rows, columns } = matrixShape(shape);
  const [height, width] = order.block;
  const inBlock = blockPlaces(order);
  const size = blockElements(order);
  let place = 0;
  for (let matrix = 0; matrix < count; matrix++)
    for (let top = 0; top < rows; top += height)
      for (let left = 0; left < columns; left += width)
        for (let i = 0; i < size; i++) {
          const row = top + (inBlock.rows[i] ?? 0);
          const column = left + (inBlock.columns[i] ?? 0);
          const isInside = row < rows && column < columns;
          visit(place++, isInside ? (matrix * rows + row) * columns + column : -1);
        }
}

/**
 * Storage bytes in an order (row-major: a copy); edges are filled up with what 0 is stored as.
 * @param bytes row-major storage bytes of the whole tensor
 * @throws RangeError where the bytes are not those of `dtype` and `shape`, UnsupportedError TW2305 where the order is none
 */
export function packBytes(
  order: TensorOrder,
  dtype: DType,
  shape: readonly number[],
  bytes: Uint8Array,
): Uint8Array {
  requireBytes(
    bytes,
    dtype,
    shape.reduce((n, size) => n * size, 1),
  );
  if (order === "rows") return bytes.slice();
  requireOrder("a tensor", order);
  const out = new Uint8Array(storageBytes(dtype, packedElements(order, shape)));
  const [from, to] = [codesOf(dtype, bytes), codesOf(dtype, out)];
  const zero = encodeConstant(0, dtype);
  forEachPlace(order, shape, (place, element) => {
    to.set(place, element < 0 ? zero : from.get(element));
  });
  return out;
}

/**
 * Row-major storage bytes of a packed tensor.
 * @throws as `packBytes`
 */
export function unpackBytes(
  order: TensorOrder,
  dtype: DType,
  shape: readonly number[],
  bytes: Uint8Array,
): Uint8Array {
  if (order === "rows") return packBytes(order, dtype, shape, bytes);
  requireOrder("a tensor", order);
  requireBytes(bytes, dtype, packedElements(order, shape));
  const out = new Uint8Array(
    storageBytes(
      dtype,
      shape.reduce((n, size) => n * size, 1),
    ),
  );
  const [from, to] = [codesOf(dtype, bytes), codesOf(dtype, out)];
  forEachPlace(order, shape, (place, element) => {
    if (element >= 0) to.set(element, from.get(place));
  });
  return out;
}
