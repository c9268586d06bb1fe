/** [engine/model-bench] A device that can time each launch that passes through it. It is another one's face: buffers and launches are that one's. */
import type { KernelDefinition } from "../../dsl/index.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  Graph,
  KernelArgument,
  LaunchOptions,
  Stream,
} from "../../runtime/index.ts";

type Arguments = Readonly<Record<string, KernelArgument>>;

export interface TracedLaunch {
  readonly kernel: string;
  readonly args: Arguments;
  /** Milliseconds from the first launch of the trace to the start of this one. */
  readonly startMs: number;
  readonly ms: number;
}

interface Recorded {
  readonly kernel: string;
  readonly args: Arguments;
  readonly start: DeviceEvent | number;
  readonly end: DeviceEvent | number;
}

/** Filled again and again ahead of a trace, so that the host is done with all launches before the device begins with them. */
const COVER_BYTES = 2 ** 28;
const COVER_FILLS = 400;

export class TracedDevice implements Device {
  readonly #device: Device;
  #recorded: Recorded[] | undefined;
  readonly createStream?: () => Stream;
  readonly createEvent?: () => DeviceEvent;
  readonly capture?: (record: (stream: Stream) => void) => Graph;

  constructor(device: Device) {
    this.#device = device;
    const { createStream, createEvent, capture } = device;
    if (createStream !== undefined) this.createStream = createStream;
    if (createEvent !== undefined) this.createEvent = createEvent;
    if (capture !== undefined) this.capture = capture;
  }

  get info() {
    return this.#device.info;
  }

  get limits() {
    return this.#device.limits;
  }

  get target() {
    return this.#device.target;
  }

  alloc(bytes: number): DeviceBuffer {
    return this.#device.alloc(bytes);
  }

  free(buffer: DeviceBuffer): void {
    this.#device.free(buffer);
  }

  trim(): void {
    this.#device.trim();
  }

  park(...args: Parameters<Device["park"]>): ReturnType<Device["park"]> {
    return this.#device.park(...args);
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#device.write(buffer, byteOffset, data);
  }

  read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    return this.#device.read(buffer, byteOffset, bytes);
  }

  copy(from: DeviceBuffer, fromAt: number, to: DeviceBuffer, toAt: number, bytes: number): void {
    this.#device.copy(from, fromAt, to, toAt, bytes);
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    this.#device.fill(buffer, byteOffset, bytes, value);
  }

  launch(kernel: KernelDefinition, args: Arguments, options?: LaunchOptions): void {
    const recorded = this.#recorded;
    if (recorded === undefined) {
      this.#device.launch(kernel, args, options);
      return;
    }
    const start = this.#now();
    this.#device.launch(kernel, args, options);
    recorded.push({ kernel: kernel.name, args, start, end: this.#now() });
  }

  packedOrders(kernel: KernelDefinition, args: Arguments, options?: LaunchOptions) {
    return this.#device.packedOrders(kernel, args, options);
  }

  prepare(kernel: KernelDefinition, args: Arguments, options?: LaunchOptions): Promise<void> {
    return this.#device.prepare(kernel, args, options);
  }

  synchronize(): Promise<void> {
    return this.#device.synchronize();
  }

  /** Does nothing: who opened the device closes it. */
  async close(): Promise<void> {}

  /**
   * Times every launch of `run` by events around it; where the device has none, by the host's clock around the call.
   * @param run queues launches one by one; what it captures is not timed
   */
  async trace(run: () => Promise<unknown>): Promise<readonly TracedLaunch[]> {
    const recorded: Recorded[] = [];
    const cover = this.info.hardware ? this.#cover() : undefined;
    this.#recorded = recorded;
    try {
      await run();
      await this.#device.synchronize();
    } finally {
      this.#recorded = undefined;
      if (cover !== undefined) this.#device.free(cover);
    }
    const first = recorded[0]?.start ?? 0;
    const launches = recorded.map(({ kernel, args, start, end }) => ({
      kernel,
      args,
      startMs: between(first, start),
      ms: between(start, end),
    }));
    for (const { start, end } of recorded) for (const at of [start, end]) closeEvent(at);
    return launches;
  }

  #cover(): DeviceBuffer {
    const bytes = Math.min(COVER_BYTES, this.limits.maxBufferBytes);
    const buffer = this.#device.alloc(bytes);
    for (let i = 0; i < COVER_FILLS; i++) this.#device.fill(buffer, 0, bytes, 0);
    return buffer;
  }

  #now(): DeviceEvent | number {
    const event = this.createEvent?.();
    event?.record();
    return event ?? performance.now();
  }
}

function between(from: DeviceEvent | number, to: DeviceEvent | number): number {
  if (typeof from === "number" || typeof to === "number") return Number(to) - Number(from);
  return from === to ? 0 : to.elapsedMs(from);
}

function closeEvent(at: DeviceEvent | number): void {
  if (typeof at !== "number") at.close?.();
}
