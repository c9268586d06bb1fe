/** [runtime/drivers] Which bytes of which buffer a launch binds for each tensor, within the rules of WebGPU. No pipelines. */
import type { Tensor } from "../../device.ts";
import { tensorBytes } from "../../tensor.ts";
import type { GpuBuffer } from "./pipeline.ts";

/** The text may read words by fours: even an empty tensor binds that many bytes. */
const LEAST_BYTES = 16;

/** Bytes that are bound for a tensor. */
export function boundBytes(tensor: Tensor): number {
  return Math.max(LEAST_BYTES, Math.ceil(tensorBytes(tensor) / 4) * 4);
}

/**
 * Tensors that need a buffer of their own for one launch, by index. WebGPU lets a dispatch use a buffer either to read or to write, whole, and
 * binds no empty range: so the inputs that lie in a buffer beside an output are copied out, and so is the place of a tensor without elements.
 * Tensors that overlap never come here: the launch has refused them.
 * @param writable which of the tensors the kernel may write
 */
export function findStandIns(
  tensors: readonly Tensor[],
  writable: readonly boolean[],
): readonly number[] {
  return [...tensors.keys()].filter((i) => {
    const tensor = tensors[i];
    if (tensor === undefined) return false;
    const twins = [...tensors.keys()].filter(
      (j) => j !== i && tensors[j]?.buffer === tensor.buffer,
    );
    if (tensorBytes(tensor) === 0)
      return twins.length > 0 || tensor.byteOffset + LEAST_BYTES > tensor.buffer.bytes;
    return !writable[i] && twins.some((j) => writable[j]);
  });
}

/** A buffer with the tensor's bytes as they are at this place in the queue. The caller destroys it after the work is submitted. */
export function copyOut(device: GPUDevice, encoder: GPUCommandEncoder, tensor: Tensor): GPUBuffer {
  const copy = device.createBuffer({
    size: boundBytes(tensor),
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
  });
  const bytes = Math.ceil(tensorBytes(tensor) / 4) * 4;
  const { handle } = tensor.buffer as GpuBuffer;
  if (bytes > 0) encoder.copyBufferToBuffer(handle, tensor.byteOffset, copy, 0, bytes);
  return copy;
}
