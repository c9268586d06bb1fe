/** [runtime/drivers] Streams, events and captured graphs of the drivers whose APIs have the same calls under other names. Knows neither. */
import { invariant } from "../../../dsl/index.ts";
import type { DeviceEvent, Graph, Stream } from "../../device.ts";

/** The calls of one API; each gives a status. `to` receives a handle, or a time in ms. */
export interface StreamCalls {
  createStream(to: [bigint]): number;
  destroyStream(stream: bigint): number;
  /** Of launches on this stream alone, whatever other threads do. */
  beginCapture(stream: bigint): number;
  endCapture(stream: bigint, to: [bigint]): number;
  instantiate(to: [bigint], graph: bigint): number;
  destroyGraph(graph: bigint): number;
  launchGraph(executable: bigint, stream: bigint): number;
  destroyExecutable(executable: bigint): number;
  createEvent(to: [bigint]): number;
  recordEvent(event: bigint, stream: bigint): number;
  queryEvent(event: bigint): number;
  elapsed(to: [number], from: bigint, until: bigint): number;
  destroyEvent(event: bigint): number;
}

export interface StreamApi {
  readonly calls: StreamCalls;
  /** What the calls are called in messages. */
  readonly names: Readonly<Record<keyof StreamCalls, string>>;
  /** Status of an event that has not happened yet. */
  readonly notReady: number;
  /** @throws DeviceError where the status is none of success */
  check(status: number, call: string, context?: string): void;
  /** @throws LaunchError TW3117 for a stream of another driver */
  handleOf(stream: Stream): bigint;
}

/** What a driver does beside a capture and a replay. */
export interface CaptureHooks<Written> {
  /** After the recording, also where it failed; what it gives goes to every `replay`. */
  recorded(stream: bigint): Written;
  replay(stream: bigint, written: Written): void;
  /** After the graph is gone. */
  closed(): void;
}

const NO_HOOKS: CaptureHooks<undefined> = {
  recorded: () => undefined,
  replay: () => undefined,
  closed: () => undefined,
};
/** Waits shorter than this spin. */
const SPIN_MS = 0.2;

export class Streams {
  readonly #api: StreamApi;
  #capturing = false;

  constructor(api: StreamApi) {
    this.#api = api;
  }

  /** Handle of a new stream. */
  create(): bigint {
    return made(this.#api, "createStream", (to) => this.#api.calls.createStream(to));
  }

  /** @param stream where it is recorded unless another is named */
  createEvent(stream: bigint): NativeEvent {
    return new NativeEvent(this.#api, stream);
  }

  /** Waits for what was queued on a stream. */
  async drain(stream: bigint): Promise<void> {
    const event = this.createEvent(stream);
    try {
      event.record();
      await event.wait();
    } finally {
      event.close();
    }
  }

  /** @param usual stream of replays that name none */
  capture(usual: bigint, record: (handle: bigint) => void, hooks?: undefined): Graph;
  capture<Written>(
    usual: bigint,
    record: (handle: bigint) => void,
    hooks: CaptureHooks<Written>,
  ): Graph;
  capture(
    usual: bigint,
    record: (handle: bigint) => void,
    hooks: CaptureHooks<unknown> = NO_HOOKS,
  ): Graph {
    const { calls, names, check, handleOf } = this.#api;
    invariant(!this.#capturing, () => "captures do not nest");
    const stream = this.create();
    const graph: [bigint] = [0n];
    let written: unknown;
    let executable: bigint;
    try {
      check(calls.beginCapture(stream), names.beginCapture);
      written = this.#recorded(stream, record, hooks, graph);
      executable = made(this.#api, "instantiate", (to) => calls.instantiate(to, graph[0]));
    } finally {
      if (graph[0] !== 0n) calls.destroyGraph(graph[0]);
      calls.destroyStream(stream);
    }
    return {
      launch: (on) => {
        const target = on === undefined ? usual : handleOf(on);
        hooks.replay(target, written);
        check(calls.launchGraph(executable, target), names.launchGraph);
      },
      close: () => {
        check(calls.destroyExecutable(executable), names.destroyExecutable);
        hooks.closed();
      },
    };
  }

  /** Records between the two calls of a capture. Where that fails its own error is told, and nothing is kept. */
  #recorded<Written>(
    stream: bigint,
    record: (handle: bigint) => void,
    hooks: CaptureHooks<Written>,
    graph: [bigint],
  ): Written {
    const { calls, names, check } = this.#api;
    this.#capturing = true;
    try {
      record(stream);
    } catch (error) {
      this.#capturing = false;
      hooks.recorded(stream);
      calls.endCapture(stream, graph);
      hooks.closed();
      throw error;
    }
    this.#capturing = false;
    const written = hooks.recorded(stream);
    check(calls.endCapture(stream, graph), names.endCapture);
    return written;
  }
}

function made(
  { check, names }: StreamApi,
  call: keyof StreamCalls,
  make: (to: [bigint]) => number,
): bigint {
  const to: [bigint] = [0n];
  check(make(to), names[call]);
  return to[0];
}

class NativeEvent implements DeviceEvent {
  readonly #api: StreamApi;
  readonly #stream: bigint;
  readonly #handle: bigint;

  constructor(api: StreamApi, stream: bigint) {
    this.#api = api;
    this.#stream = stream;
    this.#handle = made(api, "createEvent", (to) => api.calls.createEvent(to));
  }

  record(stream?: Stream): void {
    const { calls, names, check, handleOf } = this.#api;
    const on = stream === undefined ? this.#stream : handleOf(stream);
    check(calls.recordEvent(this.#handle, on), names.recordEvent);
  }

  /** Polls: short waits spin, long ones give the event loop its turns. */
  async wait(): Promise<void> {
    const { calls, names, check, notReady } = this.#api;
    const spinUntil = performance.now() + SPIN_MS;
    for (;;) {
      const status = calls.queryEvent(this.#handle);
      if (status === 0) return;
      if (status !== notReady) check(status, names.queryEvent, "after earlier launches");
      if (performance.now() > spinUntil) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  elapsedMs(since: DeviceEvent): number {
    const { calls, names, check } = this.#api;
    const ms: [number] = [0];
    check(calls.elapsed(ms, (since as NativeEvent).#handle, this.#handle), names.elapsed);
    return ms[0];
  }

  close(): void {
    this.#api.calls.destroyEvent(this.#handle);
  }
}
