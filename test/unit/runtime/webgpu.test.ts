/** [test/unit/runtime] Failures of the WebGPU driver: where they surface and what they say. On Dawn's null backend, which needs no GPU. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Artifact } from "../../../codegen/artifact.ts";
import type { Loadable } from "../../../runtime/backend.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { WebGpuBackend } from "../../../runtime/drivers/webgpu/device.ts";
import { emptyTensor } from "../../../runtime/tensor.ts";

let backend: WebGpuBackend;
let device: CoreDevice;

beforeAll(async () => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
  backend = await WebGpuBackend.open({ dawn: ["backend=null"] });
  device = new CoreDevice(backend);
});
afterAll(async () => {
  await device.close();
});

function textOf(text: string, tensors = 1): Loadable {
  const params = Array.from({ length: tensors }, (_, i) => ({
    kind: "tensor" as const,
    name: `x${i}`,
    dtype: "f32" as const,
    shape: ["N"],
    access: "inout" as const,
  }));
  const artifact: Artifact = {
    kernel: "broken",
    entry: "broken",
    target: backend.target,
    text,
    params,
    dtypes: {},
    config: {},
    fixedDims: {},
    divisibility: {},
    threads: 32,
    sharedBytes: 0,
    hash: "0",
    remarks: [],
  };
  return { kind: "text", artifact };
}

const GOOD = `@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(32) fn broken() { x[0] = 1.0; }`;
const BAD = GOOD.replace("1.0", "1.0 + nowhere");

describe("text that WebGPU refuses", () => {
  it("is reported by the asynchronous load, with line and column", async () => {
    await expect(backend.loadAsync(textOf(BAD))).rejects.toThrow(
      /TW3224[\s\S]*2:\d+ error[\s\S]*nowhere/,
    );
    await device.synchronize(); // reported once
  });

  it("is reported by the next read, after a load that did not wait", async () => {
    const x = emptyTensor(device, "f32", [4]);
    backend.load(textOf(BAD));
    await expect(device.read(x.buffer, 0, 16)).rejects.toThrow(/TW3224[\s\S]*nowhere/);
    expect((await device.read(x.buffer, 0, 16)).length).toBe(16); // the device goes on
  });

  it("is reported by synchronize", async () => {
    backend.load(textOf(BAD));
    await expect(device.synchronize()).rejects.toThrow("TW3224");
    await device.synchronize();
  });

  it("fails its own load alone, where several are under way", async () => {
    const other = textOf(BAD.replace("nowhere", "elsewhere"));
    const loads = [textOf(BAD), textOf(GOOD), other, textOf(GOOD)].map((what) =>
      backend.loadAsync(what),
    );
    const settled = await Promise.allSettled(loads);
    expect(
      settled.map((one) => (one.status === "rejected" ? String(one.reason) : one.status)),
    ).toEqual([
      expect.stringContaining("nowhere"),
      "fulfilled",
      expect.stringContaining("elsewhere"),
      "fulfilled",
    ]);
    await device.synchronize();
  });

  it("is taken where it is right", async () => {
    await expect(backend.loadAsync(textOf(GOOD))).resolves.toMatchObject({
      entry: "broken",
    });
  });
});

describe("a kernel", () => {
  it("with more tensors than can be bound is refused before WebGPU sees it", () => {
    const most = backend.limits.maxStorageBuffers;
    expect(() => backend.load(textOf(GOOD, most + 1))).toThrow(/TW3222[\s\S]*storage buffers/);
  });

  it("with more dims and scalars than a launch carries is refused", () => {
    const { artifact } = textOf(GOOD) as Extract<Loadable, { kind: "text" }>;
    const dims = Array.from({ length: 61 }, (_, i) => ({ kind: "dim" as const, name: `d${i}` }));
    const what = {
      kind: "text" as const,
      artifact: { ...artifact, params: [...artifact.params, ...dims] },
    };
    expect(() => backend.load(what)).toThrow(/TW3222[\s\S]*61 dims and scalars/);
  });

  it("as tile IR is refused", () => {
    const tile = { kind: "tile", tile: { name: "k" } } as unknown as Loadable;
    expect(() => backend.load(tile)).toThrow("TW3212");
  });
});

describe("buffers", () => {
  it("take writes and reads that are no whole words", async () => {
    const buffer = device.alloc(64);
    const data = Uint8Array.from({ length: 11 }, (_, i) => i + 1);
    device.write(buffer, 8, data);
    expect((await device.read(buffer, 8, 11)).length).toBe(11);
    device.free(buffer);
  });

  it("are not used after their device is closed or they are freed", async () => {
    const buffer = device.alloc(64);
    device.free(buffer);
    expect(() => device.write(buffer, 0, new Uint8Array(4))).toThrow("TW3103");
    await expect(device.read(buffer, 0, 4)).rejects.toThrow("TW3103");
    expect(() => device.copy(buffer, 0, buffer, 0, 4)).toThrow("TW3103");
  });
});
