/** [runtime] Packed tensors on a device: into the order that a kernel reads best, and back, by launches of the repackers. */
import {
  type DeviceRepack,
  devicePack,
  deviceUnpack,
  type PackedOrder,
  packedElements,
} from "../codegen/index.ts";
import { type KernelDefinition, storageBytes } from "../dsl/index.ts";
import type { Device, KernelArgument, LaunchOptions, Tensor } from "./device.ts";
import { tensorBytes } from "./tensor.ts";

/** Bytes that a tensor takes in an order, at least a word. */
function packedBytes(order: PackedOrder, { dtype, shape }: Tensor): number {
  return Math.max(4, storageBytes(dtype, packedElements(order, shape)));
}

function launch(repack: DeviceRepack, x: Tensor, y: Tensor): void {
  const { kernel, specialization, codes, from, to, scalars } = repack;
  const view = ({ buffer, byteOffset }: Tensor, shape: readonly number[]): Tensor => ({
    buffer,
    byteOffset,
    dtype: codes,
    shape,
  });
  const { config, dtypes } = specialization;
  const options = { ...(config && { config }), ...(dtypes && { dtypes }) };
  x.buffer.device.launch(kernel, { x: view(x, from), y: view(y, to), ...scalars }, options);
}

/**
 * A new tensor with the elements of a row-major one in another order.
 * @returns a tensor of the same shape; only `packed` parameters take it
 */
export function packTensor(tensor: Tensor, order: PackedOrder): Tensor {
  const { dtype, shape } = tensor;
  const repack = devicePack(order, dtype, shape);
  const buffer = tensor.buffer.device.alloc(packedBytes(order, tensor));
  const packed: Tensor = { buffer, byteOffset: 0, dtype, shape: [...shape], order };
  launch(repack, tensor, packed);
  return packed;
}

/** A new row-major tensor with the elements of any tensor. */
export function unpackTensor(tensor: Tensor): Tensor {
  const { dtype, shape, order } = tensor;
  const device = tensor.buffer.device;
  const buffer = device.alloc(Math.max(4, tensorBytes({ dtype, shape })));
  const plain: Tensor = { buffer, byteOffset: 0, dtype, shape: [...shape] };
  if (order === undefined)
    device.copy(tensor.buffer, tensor.byteOffset, buffer, 0, tensorBytes(tensor));
  else launch(deviceUnpack(order, dtype, shape), tensor, plain);
  return plain;
}

/**
 * Packs the row-major tensors among the arguments that the kernel takes packed, once and for all launches with arguments of these
 * shapes and dtypes.
 * @returns the arguments with new tensors in their place; the old ones stay as they are
 */
export function packArguments(
  device: Device,
  kernel: KernelDefinition,
  args: Readonly<Record<string, KernelArgument>>,
  options?: LaunchOptions,
): Readonly<Record<string, KernelArgument>> {
  const packed: Record<string, KernelArgument> = { ...args };
  for (const [name, order] of Object.entries(device.packedOrders(kernel, args, options))) {
    const tensor = args[name];
    if (typeof tensor === "object" && tensor.order === undefined)
      packed[name] = packTensor(tensor, order);
  }
  return packed;
}
