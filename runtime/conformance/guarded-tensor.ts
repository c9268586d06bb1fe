/** [runtime/conformance] Tensors with guard bytes around them, so that a write outside a tensor is seen. */
import { decodeArray, encodeArray } from "../../dsl/index.ts";
import type { HostTensor } from "../../dsl/kernels/catalogue.ts";
import type { Device, Tensor } from "../device.ts";
import { TENSOR_ALIGNMENT } from "../tensor.ts";

/** Bytes before and after a tensor; a multiple of the alignment that views need. */
const GUARD_BYTES = TENSOR_ALIGNMENT;
const GUARD = 0xa5;

export interface GuardedTensor {
  readonly tensor: Tensor;
  /** Bytes that were written before the launch. */
  readonly before: Uint8Array;
  readonly length: number;
}

/** Contents of a guarded tensor after the work that was queued before. */
export interface GuardedContents {
  readonly values: ArrayLike<number>;
  /** Offset of the first guard byte that changed, in bytes from the tensor's start; undefined where none did. */
  readonly damagedAt: number | undefined;
  /** Whether the tensor's own bytes changed. */
  readonly changed: boolean;
}

export function placeGuarded(device: Device, host: HostTensor): GuardedTensor {
  const bytes = encodeArray(host.dtype, host.data);
  const before = new Uint8Array(GUARD_BYTES + Math.ceil(bytes.length / 4) * 4 + GUARD_BYTES);
  before.fill(GUARD);
  before.set(bytes, GUARD_BYTES);
  const buffer = device.alloc(before.length);
  device.write(buffer, 0, before);
  return {
    tensor: { buffer, byteOffset: GUARD_BYTES, dtype: host.dtype, shape: host.shape },
    before,
    length: bytes.length,
  };
}

export async function readGuarded(
  device: Device,
  guarded: GuardedTensor,
  count: number,
): Promise<GuardedContents> {
  const { tensor, before, length } = guarded;
  const after = await device.read(tensor.buffer, 0, before.length);
  const end = GUARD_BYTES + length;
  const differs = (i: number): boolean => after[i] !== before[i];
  let damagedAt: number | undefined;
  let changed = false;
  for (let i = 0; i < before.length; i++) {
    if (!differs(i)) continue;
    if (i >= GUARD_BYTES && i < end) changed = true;
    else damagedAt ??= i - GUARD_BYTES;
  }
  const values = decodeArray(tensor.dtype, after.slice(GUARD_BYTES, end), count);
  return { values, damagedAt, changed };
}
