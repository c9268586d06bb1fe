/** [runtime] Buffers in this process's memory, shared by the interpreter and null backends. */
import type { Device, DeviceBuffer } from "./device.ts";

export interface HostBuffer extends DeviceBuffer {
  data: Uint8Array;
}

const NOTHING = new Uint8Array(0);

export function hostBuffer(bytes: number, owner: Device): HostBuffer {
  return { device: owner, bytes, data: new Uint8Array(bytes) };
}

export function hostData(buffer: DeviceBuffer): Uint8Array {
  return (buffer as HostBuffer).data;
}

export const hostMemory = {
  alloc: hostBuffer,
  /** Whoever still has the buffer has no bytes. */
  release(buffer: DeviceBuffer): void {
    (buffer as HostBuffer).data = NOTHING;
  },
  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    hostData(buffer).set(data, byteOffset);
  },
  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    return hostData(buffer).slice(byteOffset, byteOffset + bytes);
  },
  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    hostData(to).set(hostData(from).subarray(fromOffset, fromOffset + bytes), toOffset);
  },
  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    hostData(buffer).fill(value, byteOffset, byteOffset + bytes);
  },
} as const;
