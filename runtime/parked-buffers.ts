/** [runtime] Buffers that gave their memory back and take new memory later, as the same objects: tensors over them stay what they are. */
import type { Device, DeviceBuffer, ParkedBuffers } from "./device.ts";
import type { MemoryPool } from "./memory-pool.ts";

/** An array of the host is smaller than a buffer may be. */
const PART_BYTES = 2 ** 28;

/** See `Device.park`. @param pool of the device */
export async function parkBuffers(
  device: Device,
  pool: MemoryPool,
  buffers: readonly DeviceBuffer[],
  keepsContents: boolean,
): Promise<ParkedBuffers> {
  let kept: (readonly Uint8Array[])[] = [];
  if (keepsContents) for (const buffer of buffers) kept.push(await partsOf(device, buffer));
  const hostBytes = kept.flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
  await device.synchronize();
  let bytes = 0;
  for (const buffer of buffers) {
    pool.park(buffer);
    bytes += buffer.bytes;
  }
  pool.trim();
  let isParked = true;
  return {
    bytes,
    hostBytes,
    restore() {
      if (!isParked) throw new RangeError("buffers are restored once");
      const back: DeviceBuffer[] = [];
      try {
        for (const buffer of buffers) {
          pool.unpark(buffer);
          back.push(buffer);
        }
      } catch (error) {
        for (const buffer of back) pool.park(buffer); // all of them, or none
        pool.trim();
        throw error;
      }
      isParked = false;
      buffers.forEach((buffer, i) => {
        if (keepsContents) writeParts(device, buffer, kept[i] ?? []);
        else device.fill(buffer, 0, buffer.bytes, 0);
      });
      kept = [];
    },
    drop() {
      isParked = false;
      kept = [];
    },
  };
}

async function partsOf(device: Device, buffer: DeviceBuffer): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < buffer.bytes; at += PART_BYTES)
    parts.push(await device.read(buffer, at, Math.min(PART_BYTES, buffer.bytes - at)));
  return parts;
}

function writeParts(device: Device, buffer: DeviceBuffer, parts: readonly Uint8Array[]): void {
  parts.forEach((part, i) => {
    device.write(buffer, i * PART_BYTES, part);
  });
}
