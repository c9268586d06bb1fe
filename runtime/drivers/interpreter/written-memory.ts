/** [runtime/drivers] Host memory that knows what was ever written of it, for reports of unwritten reads. Marks and bytes; no launches. */
import { unpackBytes } from "../../../codegen/index.ts";
import { DTYPES } from "../../../dsl/index.ts";
import type { Backend } from "../../backend.ts";
import type { Device, DeviceBuffer, Tensor } from "../../device.ts";
import { hostData, hostMemory } from "../../host-memory.ts";
import { elementsOf, tensorBytes } from "../../tensor.ts";

/** What a backend does with buffers. */
export type Memory = Pick<
  Backend,
  "alloc" | "release" | "reuse" | "write" | "read" | "copy" | "fill"
>;

interface MarkedBuffer extends DeviceBuffer {
  /** Of each byte: 1 where its low four bits were written, 2 where its high four bits were. Absent once the memory is released. */
  marks?: Uint8Array;
}

const WHOLE = 3;
/** NaN in every float that has one: what nobody wrote shows where the host reads it. */
const UNWRITTEN_BYTE = 0xff;

function marksOf(buffer: DeviceBuffer): Uint8Array {
  return (buffer as MarkedBuffer).marks ?? new Uint8Array(0);
}

/** Bytes of the host and of fills count as written; copies carry marks along; memory that is handed out again is unwritten. */
export const writtenMemory: Memory = {
  alloc(bytes: number, owner: Device): DeviceBuffer {
    const buffer: MarkedBuffer = hostMemory.alloc(bytes, owner);
    buffer.marks = new Uint8Array(bytes);
    hostData(buffer).fill(UNWRITTEN_BYTE);
    return buffer;
  },
  release(buffer) {
    hostMemory.release(buffer);
    delete (buffer as MarkedBuffer).marks;
  },
  reuse(buffer) {
    hostData(buffer).fill(UNWRITTEN_BYTE);
    marksOf(buffer).fill(0);
  },
  write(buffer, byteOffset, data) {
    hostMemory.write(buffer, byteOffset, data);
    marksOf(buffer).fill(WHOLE, byteOffset, byteOffset + data.byteLength);
  },
  read: hostMemory.read,
  copy(from, fromOffset, to, toOffset, bytes) {
    hostMemory.copy(from, fromOffset, to, toOffset, bytes);
    marksOf(to).set(marksOf(from).subarray(fromOffset, fromOffset + bytes), toOffset);
  },
  fill(buffer, byteOffset, bytes, value) {
    hostMemory.fill(buffer, byteOffset, bytes, value);
    marksOf(buffer).fill(WHOLE, byteOffset, byteOffset + bytes);
  },
};

/** One byte for each element of a tensor in row-major order: 1 where all of it was written, 0 where not. */
export function writtenElements(tensor: Tensor): Uint8Array {
  const { dtype, shape, order } = tensor;
  const { bits } = DTYPES[dtype];
  const marks = marksOfTensor(tensor);
  const places = new Uint8Array(Math.floor((marks.length * 8) / bits));
  for (let i = 0; i < places.length; i++) places[i] = isWritten(marks, bits, i) ? 1 : 0;
  return order === undefined
    ? places.subarray(0, elementsOf(shape))
    : unpackBytes(order, "u8", shape, places);
}

/** Takes over what a launch wrote. Tensors in an order of their own are only read. @param elements as `writtenElements` gave them, and stores set them */
export function markWritten(tensor: Tensor, elements: Uint8Array): void {
  if (tensor.order !== undefined) return;
  const { bits } = DTYPES[tensor.dtype];
  const marks = marksOfTensor(tensor);
  const size = bits / 8;
  for (let i = 0; i < elements.length; i++) {
    if (elements[i] === 0) continue;
    if (bits === 4) marks[i >> 1] = (marks[i >> 1] ?? 0) | (1 << (i & 1));
    else marks.fill(WHOLE, i * size, (i + 1) * size);
  }
}

function marksOfTensor(tensor: Tensor): Uint8Array {
  const { buffer, byteOffset } = tensor;
  return marksOf(buffer).subarray(byteOffset, byteOffset + tensorBytes(tensor));
}

function isWritten(marks: Uint8Array, bits: number, element: number): boolean {
  if (bits === 4) return ((marks[element >> 1] ?? 0) & (1 << (element & 1))) !== 0;
  const size = bits / 8;
  for (let i = element * size; i < (element + 1) * size; i++) if (marks[i] !== WHOLE) return false;
  return true;
}
