/** [test/unit/runtime] Tuning runs on the interpreter: what is checked, kept, resumed, refused, and what launches get of it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { DeviceError, lowerKernel } from "../../../dsl/index.ts";
import { KERNEL_ENTRIES, siluAndMul } from "../../../dsl/kernels/catalogue.ts";
import { cdiv, kernel, load, out, pid, store, tensor, tile } from "../../../dsl/language.ts";
import { answered } from "../../../runtime/autotune/candidates.ts";
import { tunedTableSource } from "../../../runtime/autotune/export.ts";
import { TuningStore } from "../../../runtime/autotune/records.ts";
import { type TuneProgress, tune } from "../../../runtime/autotune/tune.ts";
import type { Backend } from "../../../runtime/backend.ts";
import type { Graph, Stream } from "../../../runtime/device.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { DiskCache } from "../../../runtime/disk-cache.ts";
import { InterpreterBackend } from "../../../runtime/drivers/interpreter/device.ts";
import { NullBackend } from "../../../runtime/drivers/null/device.ts";
import { emptyTensor, readTensor, tensorFrom } from "../../../runtime/tensor.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";

const QUICK = { budgetMs: 60_000, measure: { rounds: 2, warmupMs: 0, repeatMs: 0.5 } };

/** y = 2x; with B=16 the last block is left out, with B=4 a value is another one. */
const twice = kernel(
  {
    name: "twice",
    params: { x: tensor("f32", "N"), y: out("f32", "N") },
    config: { B: 64 },
    tune: { B: [4, 16, 32, 64] },
    grid: ({ N }, { B }) => cdiv(N, B) - (B === 16 ? 1 : 0),
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    store(y, [at], load(x, [at]) * (B === 4 ? 3 : 2));
  },
);

/** An interpreter that counts what it is asked to load, by config. */
class CountingBackend extends InterpreterBackend {
  readonly loaded: unknown[] = [];

  override load(what: Parameters<InterpreterBackend["load"]>[0]) {
    if (what.kind === "tile") this.loaded.push(what.tile.config["B"]);
    return super.load(what);
  }
}

function open(): { readonly backend: CountingBackend; readonly device: CoreDevice } {
  const backend = new CountingBackend();
  return { backend, device: new CoreDevice(backend) };
}

beforeAll(() => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
});

describe("tuning", () => {
  it("takes the fastest right config; wrong ones are never timed", async () => {
    const { device } = open();
    const seen: TuneProgress[] = [];
    const onProgress = (progress: TuneProgress) => seen.push(progress);
    const result = await tune(device, twice, { dims: { N: 100 } }, { ...QUICK, onProgress });
    expect(result.counts).toEqual({
      space: 4,
      measured: 4,
      reused: 0,
      failed: 0,
      wrong: 2,
      left: 0,
    });
    expect(result.checkedBy).toBe("the interpreter");
    const byB = new Map(result.results.map((record) => [record.config["B"], record]));
    expect(byB.get(16)).toMatchObject({
      status: "wrong",
      reason: expect.stringMatching(/y\[96\]/),
    });
    expect(byB.get(4)).toMatchObject({ status: "wrong" });
    expect([byB.get(16)?.us, byB.get(4)?.us]).toEqual([undefined, undefined]);
    expect(byB.get(64)?.us?.median).toBeGreaterThan(0);
    expect([32, 64]).toContain(result.winner.config["B"]);
    expect(result.winner).toMatchObject({ mode: "cold", gigabytesPerSecond: expect.any(Number) });
    expect(new Set(seen.map(({ phase }) => phase))).toContain("time");
    expect(seen.at(-1)).toMatchObject({ phase: "done", best: { us: expect.any(Number) } });
  });

  it("goes on where an earlier run ended, and measures only what is new", async () => {
    const store = new TuningStore();
    const { device, backend } = open();
    const narrow = { ...twice, tune: { B: [64] } };
    await tune(device, narrow, { dims: { N: 100 } }, { ...QUICK, store });
    backend.loaded.length = 0;
    const again = await tune(device, narrow, { dims: { N: 100 } }, { ...QUICK, store });
    expect(backend.loaded).toEqual([]);
    expect(again.counts).toMatchObject({ measured: 0, reused: 1 });
    // A million padded elements are far slower than 64, so that the old winner need not defend itself, on a busy machine either.
    const wider = { ...twice, tune: { B: [64, 4096 * 256] } };
    const more = await tune(device, wider, { dims: { N: 100 } }, { ...QUICK, store });
    expect(more.counts).toMatchObject({ space: 2, measured: 1, reused: 1 });
    expect(backend.loaded).toEqual([4096 * 256]);
    expect(more.winner.config).toEqual({ B: 64 });
    const forced = await tune(
      device,
      narrow,
      { dims: { N: 100 } },
      { ...QUICK, store, again: true },
    );
    expect(forced.counts).toMatchObject({ measured: 1, reused: 0 });
  });

  it("resumes after an interruption with what was kept", async () => {
    const store = new TuningStore();
    const stop = new Error("stopped");
    const first = open();
    const interrupted = tune(
      first.device,
      { ...twice, tune: { B: [32, 64] } },
      { dims: { N: 100 } },
      {
        ...QUICK,
        store,
        onProgress: ({ phase }) => {
          if (phase === "finals" || phase === "done") throw stop;
        },
      },
    );
    await expect(interrupted).rejects.toBe(stop);
    const second = open();
    const { counts } = await tune(
      second.device,
      { ...twice, tune: { B: [16, 32, 64] } },
      { dims: { N: 100 } },
      { ...QUICK, store },
    );
    expect(counts).toMatchObject({ measured: 1, reused: 2, wrong: 1 });
  });

  it("records what does not compile, and goes on", async () => {
    const { device } = open();
    const configs = [{ B: 32 }, { B: 32, cluster: 9 }];
    const { results, counts } = await tune(
      device,
      twice,
      { dims: { N: 64 } },
      { ...QUICK, configs },
    );
    expect(counts).toMatchObject({ space: 3, failed: 1 });
    expect(results.find(({ status }) => status === "failed")?.reason).toMatch(/cluster/);
  });

  it("says so where nothing is right", async () => {
    const { device } = open();
    const wrong = { ...twice, config: { B: 4 }, tune: { B: [16] } };
    const subject = {
      kernel: wrong,
      reference: ({ tensors }: { tensors: Readonly<Record<string, { data: Float64Array }>> }) => ({
        y: {
          data: (tensors["x"]?.data ?? new Float64Array()).map((v) => 2 * v),
          tolerance: { kind: "exact" as const },
        },
      }),
    };
    await expect(tune(device, subject, { dims: { N: 40 } }, QUICK)).rejects.toThrow(
      /TW3343.*\n.*y: 40 of 40 elements differ/,
    );
  });

  it("runs on a caller's tensors and leaves them alone", async () => {
    const { device } = open();
    const values = Array.from({ length: 50 }, (_, i) => i / 4);
    const args = {
      x: tensorFrom(device, "f32", [50], values),
      y: tensorFrom(device, "f32", [50], values),
    };
    const result = await tune(device, twice, args, QUICK);
    expect(result.dims).toEqual({ N: 50 });
    expect(result.counts.wrong).toBe(2);
    expect([...(await readTensor(args.x))]).toEqual(values);
    expect([...(await readTensor(args.y))]).toEqual(values);
  });

  it("works on catalogue entries, with functions and dtypes, against their own references", async () => {
    const { device } = open();
    const entry = KERNEL_ENTRIES.find(({ kernel: { name } }) => name === "linear");
    if (entry === undefined) throw new Error("no linear");
    const on = { dims: { M: 5, N: 20, K: 40 }, dtypes: { T: "bf16", O: "f32" } } as const;
    const configs = [{ BM: 16, BN: 32, BK: 16 }];
    const result = await tune(device, entry, on, { ...QUICK, configs });
    expect(result).toMatchObject({
      bucket: "K40u8,M5,N20u4",
      checkedBy: "double sums on the host",
      counts: { space: 2, wrong: 0, failed: 0 },
      dtypes: { T: "bf16", O: "f32" },
    });
    expect(result.winner.speedup).toBeGreaterThan(0);
  });
});

describe("a device that was tuned", () => {
  it("gives launches without a config the winner, in its and in later processes", async () => {
    const path = mkdtempSync(join(tmpdir(), "tilewright-tuned-"));
    process.env["TILEWRIGHT_CACHE_DIR"] = path;
    try {
      const { device, backend } = open();
      const x = tensorFrom(device, "f32", [100], Array(100).fill(1));
      const y = emptyTensor(device, "f32", [100]);
      device.launch(twice, { x, y });
      expect(backend.loaded).toEqual([64]);
      const kept = device.tuning;
      await tune(device, twice, { x, y }, { ...QUICK, configs: [{ B: 32 }] });
      const key = { kernel: "twice", device: "interpreter-typescript-interpreter" };
      const hash = (kept.note(nameOfNote(path)) ?? "").match(/"hash":"(\w+)"/)?.[1] ?? "";
      // Whichever was faster here, let it be this one.
      const full = { ...key, hash, dtypes: {}, bucket: "N96" };
      expect(kept.read(full).configs.size).toBe(2);
      kept.add(full, { N: 100 }, [{ winner: { B: 32 }, us: 1, made: "test" }]);
      device.refreshTuning(twice);
      backend.loaded.length = 0;
      device.launch(twice, { x, y });
      device.launch(twice, { x, y });
      const later = open();
      const [x2, y2] = [
        emptyTensor(later.device, "f32", [100]),
        emptyTensor(later.device, "f32", [100]),
      ];
      later.device.launch(twice, { x: x2, y: y2 });
      expect(later.backend.loaded).toEqual([32]);
      expect([...(await readTensor(y))]).toEqual(Array(100).fill(2));
      const source = tunedTableSource(device, [{ kernel: twice, specialization: {} }]);
      expect(source).toContain("export const TYPESCRIPT_INTERPRETER: TunedTable = {\n  twice: [\n");
      expect(source).toContain("    { dims: { N: [100, 100] }, config: { B: 32 } },\n");
    } finally {
      process.env["TILEWRIGHT_CACHE_DIR"] = "off";
    }
  });

  it("has artifacts of other processes ready, and keeps them", async () => {
    const backend = new RecordingBackend(cudaSpec("sm_80"));
    const device = new CoreDevice(backend);
    const args = {
      x: emptyTensor(device, "f32", [4, 2, 64]),
      y: emptyTensor(device, "f32", [4, 64]),
    };
    const options = Object.freeze({ config: Object.freeze({ BR: 2, BI: 256 }) });
    const request = device.describeLaunch(siluAndMul, args, options);
    expect(request).toMatchObject({
      specialization: { dtypes: { T: "f32" }, config: { BR: 2, BI: 256 } },
      divisibility: { I: 16 },
    });
    const artifact = compile(siluAndMul, { ...request, target: backend.target });
    const { dependencies } = lowerKernel(siluAndMul, request.specialization);
    await device.adopt(siluAndMul, args, options, { artifact, dependencies, binaries: new Map() });
    device.launch(siluAndMul, args, options);
    expect(device.cacheStatistics.compiles).toBe(0);
    expect(backend.launches.length).toBe(1);
  });
});

describe("a device that hangs or fails", () => {
  it("is given up after a while, with the config by name", async () => {
    const contender = { name: "k", detail: "B=7" };
    await expect(answered(new Promise(() => {}), contender, 20)).rejects.toThrow(
      /TW3344[\s\S]*B=7/,
    );
    expect(await answered(Promise.resolve(3), contender, 20)).toBe(3);
  });

  it("ends the run, and the next one passes the config by", async () => {
    const store = new TuningStore();
    const backend = new CountingBackend();
    const lost = new DeviceError({ code: "TW3203", message: "the context is gone" });
    let isLost = false;
    const { enqueue } = backend;
    backend.enqueue = (work) => {
      if (work.grid[0] === 2) isLost = true; // the config B=64 of 100 elements
      enqueue.call(backend, work);
      if (isLost) throw new Error("illegal address");
    };
    backend.synchronize = async () => {
      if (isLost) throw lost;
    };
    const device = new CoreDevice(backend);
    const kernel = { ...twice, config: { B: 32 }, tune: { B: [64] } };
    const on = { dims: { N: 100 } };
    await expect(tune(device, kernel, on, { ...QUICK, store })).rejects.toThrow(/TW3203/);
    const { results, winner } = await tune(open().device, kernel, on, { ...QUICK, store });
    expect(winner.config).toEqual({ B: 32 });
    expect(results.find(({ config }) => config["B"] === 64)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/the device was lost: TW3203/),
    });
  });
});

describe("tuning is refused", () => {
  it("inside a capture, at once, and the capture survives", async () => {
    const backend: Backend = new InterpreterBackend();
    const stream: Stream = { driver: "interpreter" };
    backend.capture = (record): Graph => {
      record(stream);
      return { launch: () => {}, close: () => {} };
    };
    const device = new CoreDevice(backend);
    const begin = () => void tune(device, twice, { dims: { N: 8 } }, QUICK);
    expect(() => device.capture?.(begin)).toThrow(/TW3341.*captured/);
    expect(device.isCapturing).toBe(false);
    expect(device.capture?.(() => {})).toBeDefined();
  });

  it("on a device that computes nothing, and for sizes that the kernel does not have", async () => {
    const none = new CoreDevice(new NullBackend());
    expect(() => tune(none, twice, { dims: { N: 8 } })).toThrow(/TW3340/);
    const { device } = open();
    expect(() => tune(device, twice, { dims: { M: 8 } })).toThrow(/TW3301/);
  });
});

/** The note of a kernel's source in the only store of a folder. */
function nameOfNote(path: string): string {
  const names = new DiskCache(join(path, "tuning"), 1).names();
  return names.find((name) => name.endsWith(".source.json")) ?? "";
}
