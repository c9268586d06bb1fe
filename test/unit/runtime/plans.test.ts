/** [test/unit/runtime] Which launches share a compiled kernel, what the driver is given, and smaller configs where memory lacks. */
import { beforeAll, describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  cdiv,
  deviceFunction,
  dot,
  fnParam,
  kernel,
  load,
  out,
  pid,
  range,
  scalar,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../../dsl/language.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { emptyTensor } from "../../../runtime/tensor.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";

const scale = kernel(
  {
    name: "scale",
    dtypes: { T: ["f32", "f16"] },
    params: {
      x: tensor("T", "R", "N", "D"),
      y: out("T", "R", "N", "D"),
      by: scalar("f32"),
      first: scalar("i32"),
      f: fnParam((v: number) => v),
    },
    config: { BN: 32 },
    specialize: ["D"],
    grid: ({ R, N }, { BN }) => [cdiv(N, BN), R],
  },
  ({ x, y, f, D }, { BN }) => {
    const v = load(x, [pid(1), tile(pid(0), BN), tile(0, D)]);
    store(y, [pid(1), tile(pid(0), BN), tile(0, D)], f(v));
  },
);

const product = kernel(
  {
    name: "product",
    params: { x: tensor("f32", "M", "K"), w: tensor("f32", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 128, BN: 128, BK: 64 },
    tune: { BM: [16, 32, 64, 128], BN: [16, 32, 64, 128], BK: [64] },
    when: ({ BM, BN }) => BM === BN,
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, y, K }, { BM, BN, BK }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK))
      acc = dot(
        load(x, [tile(pid(0), BM), span(k, BK)]),
        load(w, [tile(pid(1), BN), span(k, BK)]),
        acc,
      );
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], acc);
  },
);

const negate = deviceFunction((v: number) => -v);
const double = deviceFunction((v: number) => v + v);

beforeAll(() => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
});

function open(spec = cudaSpec("sm_80")) {
  const backend = new RecordingBackend(spec);
  const device = new CoreDevice(backend);
  const launch = (shape: readonly number[], options = {}, dtype: "f32" | "f16" = "f32"): void => {
    const [x, y] = [emptyTensor(device, dtype, shape), emptyTensor(device, dtype, shape)];
    device.launch(scale, { x, y, by: 0.5, first: -3 }, options);
  };
  return { backend, device, launch };
}

describe("plans", () => {
  it("are shared by launches that differ in sizes bound at launch", () => {
    const { backend, launch } = open();
    for (const rows of [1, 2, 7, 100]) launch([rows, 32, 16]);
    expect(backend.artifacts.length).toBe(1);
    expect(backend.launches.map(({ grid }) => grid)).toEqual([
      [1, 1, 1],
      [1, 2, 1],
      [1, 7, 1],
      [1, 100, 1],
    ]);
  });

  it("differ by dtype, specialised size, divisibility, config and function", () => {
    const { backend, launch } = open();
    launch([2, 32, 16]);
    launch([2, 32, 16], {}, "f16");
    launch([2, 32, 8]);
    launch([2, 31, 16]);
    launch([2, 32, 16], { config: { BN: 16 } });
    launch([2, 32, 16], { functions: { f: negate } });
    launch([2, 32, 16], { functions: { f: double } });
    expect(backend.artifacts.length).toBe(7);
    expect(new Set(backend.artifacts.map((artifact) => artifact.hash)).size).toBe(7);
    launch([5, 48, 16]); // 48 is as divisible as 32
    launch([2, 32, 16], { functions: { f: negate } });
    launch([2, 64, 16], Object.freeze({ config: Object.freeze({ BN: 16 }) }));
    launch([2, 33, 16]);
    expect(backend.artifacts.length).toBe(7);
    expect(backend.launches.length).toBe(11);
  });

  it("give the driver dims, then scalars, as bits in the order of the interface", () => {
    const { backend, launch } = open();
    launch([3, 40, 16]);
    const [artifact] = backend.artifacts;
    expect(
      artifact?.params.flatMap((p) => (p.kind === "dim" || p.kind === "scalar" ? [p.name] : [])),
    ).toEqual(["R", "N", "by", "first"]);
    const half = new Uint32Array(Float32Array.of(0.5).buffer)[0];
    expect(backend.launches[0]?.words).toEqual([3, 40, half, 2 ** 32 - 3]);
  });

  it("are not made for launches without programs", () => {
    const { backend, launch } = open();
    launch([0, 32, 16]);
    launch([4, 0, 16]);
    expect([backend.artifacts.length, backend.launches.length]).toEqual([0, 0]);
    launch([4, 32, 16]);
    launch([0, 32, 16]);
    expect([backend.artifacts.length, backend.launches.length]).toEqual([1, 1]);
  });

  it("are made ahead by prepare", async () => {
    const { backend, device, launch } = open();
    const tensors = () => ({
      x: emptyTensor(device, "f32", [2, 32, 16]),
      y: emptyTensor(device, "f32", [2, 32, 16]),
    });
    await device.prepare(scale, { ...tensors(), by: 1, first: 0 });
    expect([backend.artifacts.length, backend.launches.length]).toEqual([1, 0]);
    launch([9, 32, 16]);
    expect([backend.artifacts.length, backend.launches.length]).toEqual([1, 1]);
  });

  it("refuse a grid that the device does not have", () => {
    const { launch } = open();
    expect(() => launch([65536, 32, 16])).toThrow("TW3112");
  });
});

describe("a device with little shared memory", () => {
  const small = { ...cudaSpec("sm_80"), maxSharedBytes: 20 * 1024 };

  function launchProduct(spec: typeof small, options = {}) {
    const { backend, device } = open(spec);
    const args = {
      x: emptyTensor(device, "f32", [256, 128]),
      w: emptyTensor(device, "f32", [256, 128]),
      y: emptyTensor(device, "f32", [256, 256]),
    };
    device.launch(product, args, options);
    return backend;
  }

  it("gets the nearest smaller config, with a remark, and its grid", () => {
    const full = launchProduct(cudaSpec("sm_80"));
    expect(full.artifacts[0]?.config).toEqual({ BM: 128, BN: 128, BK: 64 });
    expect(full.launches[0]?.grid).toEqual([2, 2, 1]);
    const backend = launchProduct({ ...small, maxSharedBytes: 2 * 1024 });
    const [artifact] = backend.artifacts;
    const { BM, BN } = artifact?.config ?? {};
    expect(BM).toBe(BN); // what `when` rules out is not tried
    expect(Number(BM)).toBeLessThan(128);
    expect(artifact?.sharedBytes).toBeLessThanOrEqual(2 * 1024);
    expect(artifact?.remarks[0]?.message).toMatch(
      /^BM=\d+, BN=\d+ instead of the default: .*shared memory/,
    );
    expect(backend.launches[0]?.grid).toEqual([256 / Number(BM), 256 / Number(BN), 1]);
  });

  it("refuses a config that the launch names", () => {
    const config = { BM: 128, BN: 128 };
    expect(() => launchProduct({ ...small, maxSharedBytes: 2 * 1024 }, { config })).toThrow(
      "TW2001",
    );
  });

  it("says what is missing where nothing fits", () => {
    expect(() => launchProduct({ ...small, maxSharedBytes: 64 })).toThrow(
      /TW2001[\s\S]*at most 64 bytes/,
    );
  });
});
