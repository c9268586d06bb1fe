/** [test/unit/runtime] Tensors that share a buffer in one launch, and tensors without elements: one rule on every device that opens here. */
import { beforeEach, expect, it } from "vitest";
import {
  cast,
  cdiv,
  type Device,
  emptyTensor,
  full,
  gather,
  inout,
  iota,
  kernel,
  load,
  out,
  pid,
  range,
  readTensor,
  sliceRows,
  store,
  sum,
  type Tensor,
  tensor,
  tensorFrom,
  tile,
} from "../../../index.ts";
import { describeDevices } from "../../support/devices.ts";

const addTo = kernel(
  {
    name: "add_to",
    params: { x: tensor("f32", "N"), y: inout("f32", "N"), z: out("f32", "N") },
    config: { B: 64 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y, z }, { B }) => {
    const at = [tile(pid(0), B)] as const;
    const total = load(x, at) + load(y, at);
    store(y, at, total);
    store(z, at, total);
  },
);

const rowSum = kernel(
  {
    name: "row_sum",
    params: { x: tensor("f32", "R", "N"), y: out("f32", "R") },
    config: { B: 32 },
    grid: ({ R }) => R,
  },
  ({ x, y, N }, { B }) => {
    let total = 0;
    for (const i of range(cdiv(N, B))) total += sum(load(x, [pid(0), tile(i, B)]), "B");
    store(y, [pid(0)], total);
  },
);

/** Loads from tensors that may be empty while the output is not: every lane is outside, by bounds, by index -1 and by mask. */
const absent = kernel(
  {
    name: "absent",
    dtypes: { T: ["f32", "f16", "u8"] },
    params: { x: tensor("T", "N"), table: tensor("T", "K", "N"), y: out("f32", "M") },
    config: { B: 32 },
    grid: ({ M }, { B }) => cdiv(M, B),
  },
  ({ x, table, y }, { B }) => {
    const at = tile(pid(0), B);
    const byBounds = cast(load(x, [at], { fill: 1 }), "f32");
    const none = full("i32", -1, B);
    const byIndex = cast(load(table, [gather(none), 0], { fill: 2 }), "f32");
    const byMask = cast(load(x, [at], { fill: 4, mask: iota(B) < 0 }), "f32");
    store(y, [at], byBounds + byIndex + byMask);
  },
);

await describeDevices("tensors of one buffer", (device: Device) => {
  let whole: Tensor;
  beforeEach(() => {
    whole = tensorFrom(
      device,
      "f32",
      [256],
      Float32Array.from({ length: 256 }, (_, i) => i),
    );
  });
  const rows = (from: number, to: number) => sliceRows(whole, from, to);

  it("may be read and written where they share no bytes, launch after launch", async () => {
    const z = emptyTensor(device, "f32", [64]);
    for (let i = 0; i < 3; i++) device.launch(addTo, { x: rows(0, 64), y: rows(64, 128), z });
    device.launch(addTo, { x: rows(64, 128), y: rows(128, 192), z: rows(192, 256) });
    const got = Array.from(await readTensor(whole));
    const want = Array.from({ length: 256 }, (_, i) => {
      if (i < 64) return i;
      if (i < 128) return i + 3 * (i - 64);
      const second = i - 64 < 128 ? i - 64 : i - 128;
      return second + 3 * (second - 64) + second + 64;
    });
    expect(got).toEqual(want);
  });

  it("may be read twice", async () => {
    const both = kernel(
      {
        name: "both",
        params: { a: tensor("f32", "N"), b: tensor("f32", "N"), y: out("f32", "N") },
        config: { B: 64 },
        grid: ({ N }, { B }) => cdiv(N, B),
      },
      ({ a, b, y }, { B }) => {
        const at = [tile(pid(0), B)] as const;
        store(y, at, load(a, at) * load(b, at));
      },
    );
    const y = emptyTensor(device, "f32", [64]);
    device.launch(both, { a: rows(64, 128), b: rows(64, 128), y });
    expect(Array.from(await readTensor(y))).toEqual(
      Array.from({ length: 64 }, (_, i) => (i + 64) ** 2),
    );
  });

  it.each([
    ["the same bytes", [0, 64], [0, 64], /'x' and 'y' overlap/],
    ["some bytes", [0, 128], [64, 192], /bytes 0 to 512 and bytes 256 to 768/],
  ] as const)("are refused where they share %s and one is written", (_name, x, y, message) => {
    const z = emptyTensor(device, "f32", [x[1] - x[0]]);
    const launch = () => device.launch(addTo, { x: rows(x[0], x[1]), y: rows(y[0], y[1]), z });
    expect(launch).toThrow(/TW3114/);
    expect(launch).toThrow(message);
  });

  it("are empty without harm, also behind the last byte and beside others", async () => {
    const y = tensorFrom(device, "f32", [3], [9, 9, 9]);
    device.launch(rowSum, { x: emptyTensor(device, "f32", [3, 0]), y });
    expect(Array.from(await readTensor(y))).toEqual([0, 0, 0]);
    const behind = { ...rows(256, 256), shape: [64, 0] };
    device.launch(rowSum, { x: behind, y: rows(0, 64) });
    const got = Array.from(await readTensor(whole));
    expect(got.slice(0, 66)).toEqual([...Array.from({ length: 64 }, () => 0), 64, 65]);
    for (const dtype of ["f32", "f16", "u8"] as const) {
      const x = emptyTensor(device, dtype, [0]);
      const table = emptyTensor(device, dtype, [0, 0]);
      const out = emptyTensor(device, "f32", [5]);
      device.launch(absent, { x, table, y: out });
      expect(Array.from(await readTensor(out))).toEqual([7, 7, 7, 7, 7]);
    }
    const none = rows(256, 256);
    device.launch(addTo, { x: none, y: none, z: none });
    await device.synchronize();
  });
});
