/** [runtime/bench] Times launches on a device: by its events where it has them, else by the host's clock around a wait. */
import type { Device, DeviceEvent } from "../device.ts";

/** Events that one batch may hold; more launches than half of it are timed in several batches. */
const MAX_EVENTS = 2048;

export class DeviceClock {
  readonly device: Device;
  readonly usesEvents: boolean;
  readonly #events: DeviceEvent[] = [];

  constructor(device: Device) {
    this.device = device;
    this.usesEvents = device.createEvent !== undefined;
  }

  /**
   * Times each of `count` runs alone.
   * @param before queued ahead of each run and not counted
   * @returns milliseconds of each run
   */
  async each(
    count: number,
    before: (i: number) => void,
    run: (i: number) => void,
  ): Promise<readonly number[]> {
    const times: number[] = [];
    if (!this.usesEvents) {
      for (let i = 0; i < count; i++) {
        before(i);
        await this.device.synchronize();
        times.push(await this.#hostSpan(() => run(i)));
      }
      return times;
    }
    const batch = MAX_EVENTS / 2;
    for (let start = 0; start < count; start += batch) {
      const size = Math.min(batch, count - start);
      for (let i = 0; i < size; i++) {
        before(start + i);
        this.#event(2 * i).record();
        run(start + i);
        this.#event(2 * i + 1).record();
      }
      await this.device.synchronize();
      for (let i = 0; i < size; i++)
        times.push(this.#event(2 * i + 1).elapsedMs(this.#event(2 * i)));
    }
    return times;
  }

  /**
   * Milliseconds from the start of the first to the end of the last thing that `enqueue` queues.
   * @param meanwhile runs on the host after the queueing, while the device works
   */
  async span(enqueue: () => void, meanwhile?: () => Promise<void>): Promise<number> {
    await this.device.synchronize();
    if (!this.usesEvents) return this.#hostSpan(enqueue);
    this.#event(0).record();
    enqueue();
    this.#event(1).record();
    await meanwhile?.();
    await this.device.synchronize();
    return this.#event(1).elapsedMs(this.#event(0));
  }

  close(): void {
    for (const event of this.#events.splice(0)) event.close?.();
  }

  async #hostSpan(enqueue: () => void): Promise<number> {
    const start = performance.now();
    enqueue();
    await this.device.synchronize();
    return performance.now() - start;
  }

  #event(i: number): DeviceEvent {
    let event = this.#events[i];
    if (event === undefined) {
      if (this.device.createEvent === undefined) throw new Error("a device without events");
      event = this.device.createEvent();
      this.#events[i] = event;
    }
    return event;
  }
}
