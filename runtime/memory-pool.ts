/** [runtime] Caching allocator: freed buffers are kept by size class and handed out again. Knows nothing of what they hold. */
import type { Backend } from "./backend.ts";
import type { Device, DeviceBuffer } from "./device.ts";

/** Sizes are rounded up to 1/8 of a power of two, at least 256 bytes, so that at most 12.5 % is wasted. */
export function sizeClass(bytes: number): number {
  if (bytes <= 256) return 256;
  const step = Math.max(256, 2 ** (Math.ceil(Math.log2(bytes)) - 3));
  return Math.ceil(bytes / step) * step;
}

export interface PoolSource {
  alloc(bytes: number): DeviceBuffer;
  release(buffer: DeviceBuffer): void;
  /** Told of each buffer that is handed out again. */
  reuse?(buffer: DeviceBuffer): void;
}

export class MemoryPool {
  /** Over a backend's memory, for a device. */
  static over(backend: Backend, owner: Device): MemoryPool {
    return new MemoryPool({
      alloc: (bytes) => backend.alloc(bytes, owner),
      release: (buffer) => backend.release(buffer),
      reuse: (buffer) => backend.reuse?.(buffer),
    });
  }

  readonly #source: PoolSource;
  readonly #free = new Map<number, DeviceBuffer[]>();
  readonly #live = new Set<DeviceBuffer>();
  #heldBytes = 0;
  #liveBytes = 0;

  constructor(source: PoolSource) {
    this.#source = source;
  }

  /** Bytes taken from the device, in use or kept. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get liveBytes(): number {
    return this.#liveBytes;
  }

  alloc(bytes: number): DeviceBuffer {
    const size = sizeClass(bytes);
    const kept = this.#free.get(size)?.pop();
    if (kept !== undefined) this.#source.reuse?.(kept);
    const buffer = kept ?? this.#take(size);
    this.#live.add(buffer);
    this.#liveBytes += size;
    return buffer;
  }

  isLive(buffer: DeviceBuffer): boolean {
    return this.#live.has(buffer);
  }

  /** Returns whether the buffer was live; a second free of one buffer is the caller's error to report. */
  free(buffer: DeviceBuffer): boolean {
    if (!this.#live.delete(buffer)) return false;
    this.#liveBytes -= buffer.bytes;
    const list = this.#free.get(buffer.bytes);
    if (list === undefined) this.#free.set(buffer.bytes, [buffer]);
    else list.push(buffer);
    return true;
  }

  /** Takes a live buffer's memory from it. It is not live until `unpark`. */
  park(buffer: DeviceBuffer): void {
    if (!this.#live.delete(buffer)) throw new RangeError("only a live buffer can be parked");
    this.#liveBytes -= buffer.bytes;
    this.#heldBytes -= buffer.bytes;
    this.#source.release(buffer);
  }

  /** Gives a parked buffer memory of its size. Its content is not defined. @throws what the device throws where there is no room */
  unpark(buffer: DeviceBuffer): void {
    const fresh = this.alloc(buffer.bytes);
    this.#live.delete(fresh);
    Object.assign(buffer, fresh); // what a driver knows of its memory are plain fields of it
    this.#live.add(buffer);
  }

  /** Gives all kept buffers back to the device. */
  trim(): void {
    for (const list of this.#free.values()) {
      for (const buffer of list) {
        this.#heldBytes -= buffer.bytes;
        this.#source.release(buffer);
      }
    }
    this.#free.clear();
  }

  close(): void {
    this.trim();
    for (const buffer of this.#live) this.#source.release(buffer);
    this.#live.clear();
    this.#heldBytes = 0;
    this.#liveBytes = 0;
  }

  #take(size: number): DeviceBuffer {
    this.#heldBytes += size;
    try {
      return this.#source.alloc(size);
    } catch (error) {
      this.#heldBytes -= size;
      if (this.#heldBytes === this.#liveBytes) throw error;
      this.trim(); // kept buffers of other sizes may be what is missing
      this.#heldBytes += size;
      return this.#source.alloc(size);
    }
  }
}
