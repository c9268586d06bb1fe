/** [runtime] Makes, views, fills and reads tensors. The handle itself is a plain record in device.ts. */

import { formatOrder, packedElements, type TensorOrder, unpackBytes } from "../codegen/index.ts";
import {
  DTYPE_NAMES,
  DTYPES,
  type DType,
  decodeArray,
  encodeArray,
  isDType,
  LaunchError,
  storageBytes,
} from "../dsl/index.ts";
import type { Device, Tensor } from "./device.ts";

/** Views must start at a multiple of this many bytes: WebGPU's minStorageBufferOffsetAlignment, and enough for any vector access. */
export const TENSOR_ALIGNMENT = 256;

export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((n, size) => n * size, 1);
}

export function tensorBytes(tensor: Pick<Tensor, "dtype" | "shape" | "order">): number {
  const { dtype, shape, order } = tensor;
  return storageBytes(
    dtype,
    order === undefined ? elementsOf(shape) : packedElements(order, shape),
  );
}

/**
 * A new tensor with undefined content.
 * @param shape sizes in elements, each an integer ≥ 0
 * @throws LaunchError TW3001 when a size is negative or not an integer
 */
export function emptyTensor(device: Device, dtype: DType, shape: readonly number[]): Tensor {
  checkDevice(device);
  checkDType(dtype);
  checkShape(shape);
  const buffer = device.alloc(Math.max(4, storageBytes(dtype, elementsOf(shape))));
  return { buffer, byteOffset: 0, dtype, shape: [...shape] };
}

/** A new tensor of zeros. */
export function zeroTensor(device: Device, dtype: DType, shape: readonly number[]): Tensor {
  const tensor = emptyTensor(device, dtype, shape);
  device.fill(tensor.buffer, 0, tensor.buffer.bytes, 0);
  return tensor;
}

/**
 * A new tensor from numbers, floats rounded to `dtype` (nearest even).
 * @param values row-major, as many as the shape has elements; of an integer dtype whole numbers in its range, of bool 0 and 1
 * @throws LaunchError TW3002 for another number of values, TW3010 for one that the dtype has not
 */
export function tensorFrom(
  device: Device,
  dtype: DType,
  shape: readonly number[],
  values: ArrayLike<number>,
): Tensor {
  checkDevice(device);
  checkDType(dtype);
  checkShape(shape);
  const expected = elementsOf(shape);
  if (values?.length !== expected) {
    throw new LaunchError({
      code: "TW3002",
      message: "a tensor was given the wrong number of values",
      seen: values === undefined ? "no values" : `${values.length} values`,
      expected: `${expected} for shape [${shape.join(", ")}]`,
      remedy: "pass one value for each element, in row-major order",
    });
  }
  if (DTYPES[dtype].kind !== "float") checkWhole(dtype, values);
  return tensorFromBytes(device, dtype, shape, encodeArray(dtype, values));
}

/**
 * A new tensor from bytes that a repacker packed.
 * @param order as the repacker has it; row-major where absent
 */
export function packedTensorFromBytes(
  device: Device,
  dtype: DType,
  shape: readonly number[],
  bytes: Uint8Array,
  order: TensorOrder = "rows",
): Tensor {
  if (order === "rows") return tensorFromBytes(device, dtype, shape, bytes);
  checkDevice(device);
  checkDType(dtype);
  checkShape(shape);
  const size = storageBytes(dtype, packedElements(order, shape));
  const buffer = device.alloc(Math.max(4, size));
  const tensor: Tensor = { buffer, byteOffset: 0, dtype, shape: [...shape], order };
  writeTensor(tensor, bytes);
  return tensor;
}

/** A new tensor from storage bytes (little endian; two sub-byte elements a byte, low nibble first). */
export function tensorFromBytes(
  device: Device,
  dtype: DType,
  shape: readonly number[],
  bytes: Uint8Array,
): Tensor {
  const tensor = emptyTensor(device, dtype, shape);
  writeTensor(tensor, bytes);
  return tensor;
}

/** Replaces the content of a tensor by storage bytes, given as any typed array. @throws LaunchError TW3002 for another number of them */
export function writeTensor(tensor: Tensor, bytes: ArrayBufferView): void {
  const expected = tensorBytes(tensor);
  if (!ArrayBuffer.isView(bytes) || bytes.byteLength !== expected) {
    throw new LaunchError({
      code: "TW3002",
      message: "a tensor was given the wrong number of bytes",
      seen: ArrayBuffer.isView(bytes) ? `${bytes.byteLength} bytes` : typeof bytes,
      expected: `${expected} for ${tensor.dtype}[${tensor.shape.join(", ")}]`,
      remedy: "pass the storage bytes of the whole tensor",
    });
  }
  // Typed arrays of other elements are taken by their bytes, as the device would read them.
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (expected > 0) tensor.buffer.device.write(tensor.buffer, tensor.byteOffset, data);
}

/** Storage bytes of a tensor as they lie, in its order, after all work queued before. */
export async function readTensorBytes(tensor: Tensor): Promise<Uint8Array> {
  const bytes = tensorBytes(tensor);
  return bytes === 0
    ? new Uint8Array(0)
    : tensor.buffer.device.read(tensor.buffer, tensor.byteOffset, bytes);
}

/** Values of a tensor as numbers (exact for every dtype), row-major whatever its order, after all work queued before. */
export async function readTensor(tensor: Tensor): Promise<Float32Array | Int32Array | Uint32Array> {
  const { dtype, shape, order } = tensor;
  const bytes = await readTensorBytes(tensor);
  const rows = order === undefined ? bytes : unpackBytes(order, dtype, shape, bytes);
  return decodeArray(dtype, rows, elementsOf(shape));
}

/** The same bytes under another shape with as many elements. */
export function reshape(tensor: Tensor, shape: readonly number[]): Tensor {
  requireRows(tensor);
  checkShape(shape);
  if (elementsOf(shape) !== elementsOf(tensor.shape)) {
    throw new LaunchError({
      code: "TW3003",
      message: "a view has another number of elements than its tensor",
      seen: `[${shape.join(", ")}] of [${tensor.shape.join(", ")}]`,
      expected: `${elementsOf(tensor.shape)} elements`,
      remedy: "choose sizes whose product is the same",
    });
  }
  return { ...tensor, shape: [...shape] };
}

/**
 * Rows [start, end) along the first dim, sharing the bytes.
 * @throws LaunchError TW3004 when the view would not start at a multiple of TENSOR_ALIGNMENT bytes
 */
export function sliceRows(tensor: Tensor, start: number, end: number): Tensor {
  requireRows(tensor);
  const [rows = 0, ...rest] = tensor.shape;
  const rowBytes = (DTYPES[tensor.dtype].bits * elementsOf(rest)) / 8;
  const byteOffset = tensor.byteOffset + start * rowBytes;
  if (
    !Number.isInteger(start) ||
    !Number.isInteger(end) ||
    start < 0 ||
    end < start ||
    end > rows ||
    !Number.isInteger(byteOffset) ||
    byteOffset % TENSOR_ALIGNMENT !== 0
  ) {
    throw new LaunchError({
      code: "TW3004",
      message: "a slice of rows cannot be a view",
      seen: `rows ${start} to ${end} of ${rows}, byte offset ${byteOffset}`,
      expected: `a range inside the tensor that starts at a multiple of ${TENSOR_ALIGNMENT} bytes`,
      remedy: "start the slice elsewhere, or slice from row 0",
    });
  }
  return { ...tensor, byteOffset, shape: [end - start, ...rest] };
}

function requireRows({ order }: Tensor): void {
  if (order === undefined) return;
  throw new LaunchError({
    code: "TW3012",
    message: "a packed tensor has no views",
    seen: `a tensor in the order ${formatOrder(order)}`,
    expected: "a row-major tensor",
    remedy: "take the view first and pack it then, or unpack the tensor",
  });
}

function checkDType(dtype: unknown): void {
  if (isDType(dtype)) return;
  throw new LaunchError({
    code: "TW3008",
    message: "a tensor's dtype is not known",
    seen: String(dtype),
    expected: DTYPE_NAMES.join(", "),
    remedy: "use one of these names; float32 is f32, bfloat16 is bf16",
  });
}

/** Opening is asynchronous, so a promise of a device is passed easily. */
function checkDevice(device: unknown): void {
  const given = device as Partial<Device> | null | undefined;
  if (typeof given?.alloc === "function") return;
  throw new LaunchError({
    code: "TW3009",
    message: "what a tensor shall live on is no device",
    seen: given instanceof Promise ? "a promise" : given === null ? "null" : typeof given,
    expected: "a device that openDevice() gave",
    remedy: "write: const device = await openDevice();",
  });
}

function checkShape(shape: readonly number[]): void {
  const isList = Array.isArray(shape);
  const bad = isList ? shape.find((size) => !isSize(size)) : undefined;
  if (isList && shape.every(isSize)) return;
  throw new LaunchError({
    code: "TW3001",
    message: isList
      ? "a tensor's shape holds a size that is no size"
      : "a tensor's shape is no list of sizes",
    seen: isList ? `[${shape.join(", ")}]` : String(shape),
    expected: "integers from 0 to 2147483647, in a list",
    remedy: isList ? `correct the size ${bad}` : "write [rows, columns], or [] for one element",
  });
}

function isSize(size: unknown): boolean {
  return typeof size === "number" && Number.isInteger(size) && size >= 0 && size < 2 ** 31;
}

/** Numbers that an integer dtype has not would change on their way. Casts inside kernels saturate; here it is a mistake. */
function checkWhole(dtype: DType, values: ArrayLike<number>): void {
  const { kind, bits, signed } = DTYPES[dtype];
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const most = kind === "bool" ? 1 : 2 ** (signed ? bits - 1 : bits) - 1;
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]); // booleans count as 0 and 1
    if (Number.isInteger(value) && value >= least && value <= most) continue;
    throw new LaunchError({
      code: "TW3010",
      message: `a value does not fit ${dtype}`,
      seen: `${values[i]} at index ${i}`,
      expected: `whole numbers from ${least} to ${most}`,
      remedy: "round and clamp the values, or use a float dtype",
    });
  }
}
