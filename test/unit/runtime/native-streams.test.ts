/** [test/unit/runtime] Streams, events and captures over a native API that only notes its calls: what the cuda and hip drivers share. */
import { describe, expect, it } from "vitest";
import { DeviceError } from "../../../dsl/index.ts";
import type { Stream } from "../../../runtime/device.ts";
import {
  type StreamApi,
  type StreamCalls,
  Streams,
} from "../../../runtime/drivers/native/streams.ts";

const NOT_READY = 600;

/** Handles count up from 1; `failing` is the call that gives 2; an event is ready at the third question. */
function fakeApi(failing?: keyof StreamCalls) {
  const log: string[] = [];
  let [next, asked] = [1n, 0];
  const call = (name: keyof StreamCalls, ...args: readonly unknown[]): number => {
    log.push([name, ...args].join(" "));
    return name === failing ? 2 : 0;
  };
  const give = (name: keyof StreamCalls, to: [bigint], ...args: readonly unknown[]): number => {
    to[0] = next++;
    return call(name, ...args, "->", to[0]);
  };
  const calls: StreamCalls = {
    createStream: (to) => give("createStream", to),
    destroyStream: (stream) => call("destroyStream", stream),
    beginCapture: (stream) => call("beginCapture", stream),
    endCapture: (stream, to) => give("endCapture", to, stream),
    instantiate: (to, graph) => give("instantiate", to, graph),
    destroyGraph: (graph) => call("destroyGraph", graph),
    launchGraph: (executable, stream) => call("launchGraph", executable, stream),
    destroyExecutable: (executable) => call("destroyExecutable", executable),
    createEvent: (to) => give("createEvent", to),
    recordEvent: (event, stream) => call("recordEvent", event, stream),
    queryEvent: (event) => call("queryEvent", event) || (++asked % 3 === 0 ? 0 : NOT_READY),
    elapsed: (to, from, until) => {
      to[0] = 1.5;
      return call("elapsed", from, until);
    },
    destroyEvent: (event) => call("destroyEvent", event),
  };
  const names = Object.fromEntries(Object.keys(calls).map((name) => [name, `fake_${name}`]));
  const api: StreamApi = {
    calls,
    names: names as StreamApi["names"],
    notReady: NOT_READY,
    check: (status, name, context = "") => {
      if (status !== 0)
        throw new DeviceError({ code: "TW3204", message: `${name} ${context}`, remedy: "none" });
    },
    handleOf: (stream) => (stream as Stream & { readonly handle: bigint }).handle,
  };
  return { log, streams: new Streams(api) };
}

const STREAM = { driver: "fake", handle: 70n } as unknown as Stream;

describe("native streams", () => {
  it("wait until an event has happened, and give it back", async () => {
    const { log, streams } = fakeApi();
    await streams.drain(5n);
    const asked = ["queryEvent 1", "queryEvent 1", "queryEvent 1"];
    expect(log).toEqual(["createEvent -> 1", "recordEvent 1 5", ...asked, "destroyEvent 1"]);
  });

  it("record events on the stream that is named, and measure between two", () => {
    const { log, streams } = fakeApi();
    const [from, until] = [streams.createEvent(5n), streams.createEvent(5n)];
    from.record(STREAM);
    until.record();
    expect(until.elapsedMs(from)).toBe(1.5);
    expect(log.slice(2)).toEqual(["recordEvent 1 70", "recordEvent 2 5", "elapsed 1 2"]);
  });

  it("keep nothing of a recording that fails, and tell its own error", () => {
    const { log, streams } = fakeApi("endCapture");
    const noted: string[] = [];
    const hooks = {
      recorded: () => void noted.push("recorded"),
      replay: () => {},
      closed: () => void noted.push("closed"),
    };
    const fail = () => {
      throw new RangeError("out of pages");
    };
    expect(() => streams.capture(5n, fail, hooks)).toThrow("out of pages");
    expect(log.slice(2)).toEqual(["endCapture 1 -> 2", "destroyGraph 2", "destroyStream 1"]);
    expect(noted).toEqual(["recorded", "closed"]);
    expect(() => streams.capture(5n, () => {}, hooks)).toThrow("fake_endCapture");
  });

  it("capture on a stream of their own and replay where they are told", () => {
    const { log, streams } = fakeApi();
    const noted: unknown[] = [];
    const hooks = {
      recorded: (stream: bigint) => `written by ${stream}`,
      replay: (...args: readonly unknown[]) => void noted.push(args),
      closed: () => void noted.push("closed"),
    };
    const graph = streams.capture(5n, (handle) => log.push(`recorded on ${handle}`), hooks);
    graph.launch();
    graph.launch(STREAM);
    graph.close();
    expect(log).toEqual([
      ...["createStream -> 1", "beginCapture 1", "recorded on 1", "endCapture 1 -> 2"],
      ...["instantiate 2 -> 3", "destroyGraph 2", "destroyStream 1"],
      ...["launchGraph 3 5", "launchGraph 3 70", "destroyExecutable 3"],
    ]);
    expect(noted).toEqual([[5n, "written by 1"], [70n, "written by 1"], "closed"]);
  });

  it("end a capture whose recording fails, and can capture again", () => {
    const { log, streams } = fakeApi();
    const fail = (): void => {
      throw new Error("no such launch");
    };
    expect(() => streams.capture(5n, fail)).toThrow("no such launch");
    expect(log.slice(-3)).toEqual(["endCapture 1 -> 2", "destroyGraph 2", "destroyStream 1"]);
    expect(() => streams.capture(5n, () => streams.capture(5n, () => undefined))).toThrow(/nest/);
    expect(() => streams.capture(5n, () => undefined)).not.toThrow();
  });

  it("name the call that failed", async () => {
    await expect(fakeApi("queryEvent").streams.drain(5n)).rejects.toThrow(
      /fake_queryEvent after earlier launches/,
    );
    expect(() => fakeApi("instantiate").streams.capture(5n, () => undefined)).toThrow(
      /fake_instantiate/,
    );
  });
});
