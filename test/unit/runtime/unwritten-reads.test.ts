/** [test/unit/runtime] The interpreter device with its checks on: reads of what nobody wrote are reported, and whoever writes is noticed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  atomicAdd,
  type Device,
  type DType,
  dequant,
  emptyTensor,
  inout,
  kernel,
  load,
  openDevice,
  out,
  packArguments,
  packed,
  readTensor,
  store,
  type Tensor,
  tensor,
  tensorFrom,
  tile,
  zeroTensor,
} from "../../../index.ts";

const copy = kernel(
  {
    name: "copy",
    dtypes: { T: ["f32", "bf16", "i8", "bool", "u4"] },
    params: { x: tensor("T", "N"), y: out("T", "N") },
    config: { B: 8 },
    grid: () => 1,
  },
  ({ x, y }, { B }) => {
    store(y, [tile(0, B)], load(x, [tile(0, B)]));
  },
);

/** Writes the first B elements alone. */
const begin = kernel(
  {
    name: "begin",
    params: { x: tensor("f32", 8), y: out("f32", "N") },
    config: { B: 4 },
    grid: () => 1,
  },
  ({ x, y }, { B }) => {
    store(y, [tile(0, B)], load(x, [tile(0, B)]));
  },
);

const count = kernel(
  { name: "count", params: { y: inout("f32", "N") }, grid: () => 1 },
  ({ y }) => {
    atomicAdd(y, [3], 1);
  },
);

const unpacked = kernel(
  {
    name: "unpacked",
    params: { w: packed("u4", "N", "K"), s: tensor("f32", "N"), y: out("f32", "N", "K") },
    config: { BN: 16, BK: 64 },
    grid: () => 1,
  },
  ({ w, s, y }, { BN, BK }) => {
    const at = [tile(0, BN), tile(0, BK)] as const;
    store(y, at, dequant(load(w, at), load(s, [tile(0, BN)]), { zero: 8, to: "f32" }));
  },
);

const ONES = [1, 1, 1, 1, 1, 1, 1, 1];
let device: Device;

async function open(checks: string): Promise<void> {
  vi.stubEnv("TILEWRIGHT_CHECKS", checks);
  device = await openDevice("interpreter");
}
afterEach(async () => {
  vi.unstubAllEnvs();
  await device.close();
});

/** What is reported of a read of all elements. */
function reading(x: Tensor): string {
  const y = emptyTensor(device, x.dtype, x.shape);
  try {
    device.launch(copy, { x, y });
    return "nothing";
  } catch (error) {
    const text = String(error);
    return /TW1305/.test(text) ? (/element \[(\d+)\]/.exec(text)?.[1] ?? text) : text;
  } finally {
    device.free(y.buffer);
  }
}

describe("with full checks", () => {
  beforeEach(() => open("full"));

  it.each(["f32", "bf16", "i8", "bool", "u4"] as const)("reports unwritten %s", (dtype: DType) => {
    expect(reading(emptyTensor(device, dtype, [8]))).toBe("0");
    expect(reading(zeroTensor(device, dtype, [8]))).toBe("nothing");
    expect(reading(tensorFrom(device, dtype, [8], ONES))).toBe("nothing");
    const written = emptyTensor(device, dtype, [8]);
    device.launch(copy, { x: tensorFrom(device, dtype, [8], ONES), y: written });
    expect(reading(written)).toBe("nothing");
  });

  it("names kernel, tensor, place and the first element that no program stored", async () => {
    const y = emptyTensor(device, "f32", [8]);
    device.launch(begin, { x: tensorFrom(device, "f32", [8], ONES), y });
    expect(reading(y)).toBe("4");
    expect(Array.from(await readTensor(y))).toEqual([1, 1, 1, 1, NaN, NaN, NaN, NaN]);
    const launch = () => device.launch(copy, { x: y, y: emptyTensor(device, "f32", [8]) });
    expect(launch).toThrow(/unwritten-reads\.test\.ts:\d+:\d+[\s\S]*copy[\s\S]*element of x/);
  });

  it("follows bytes: parts that the host writes or fills, and copies of what is not written", () => {
    const [x, y] = [emptyTensor(device, "f32", [8]), emptyTensor(device, "f32", [8])];
    device.write(x.buffer, 0, new Uint8Array(10));
    expect(reading(x)).toBe("2"); // half of it is written
    device.fill(x.buffer, 8, 12, 0);
    expect(reading(x)).toBe("5");
    device.copy(x.buffer, 0, y.buffer, 0, 32);
    expect(reading(y)).toBe("5");
    device.fill(y.buffer, 0, 32, 0);
    device.copy(x.buffer, 4, y.buffer, 0, 28);
    expect(reading(y)).toBe("4");
    expect(reading({ ...zeroTensor(device, "f32", [80]), shape: [8], byteOffset: 256 })).toBe(
      "nothing",
    );
  });

  it("knows what a launch wrote that ended with a report", () => {
    const y = emptyTensor(device, "f32", [8]);
    const x = emptyTensor(device, "f32", [8]);
    expect(() => device.launch(copy, { x, y })).toThrow("TW1305");
    expect(reading(y)).toBe("nothing");
  });

  it("takes memory that is handed out again, or given back and taken anew, for unwritten", async () => {
    const x = zeroTensor(device, "f32", [8]);
    device.free(x.buffer);
    const again = emptyTensor(device, "f32", [8]);
    expect(again.buffer).toBe(x.buffer);
    expect(reading(again)).toBe("0");
    const kept = zeroTensor(device, "f32", [8]);
    const parked = await device.park([kept.buffer], true);
    parked.restore();
    expect(reading(kept)).toBe("nothing");
  });

  it("reports an atomic on what nobody wrote", () => {
    const y = emptyTensor(device, "f32", [8]);
    expect(() => device.launch(count, { y })).toThrow(/TW1305[\s\S]*element \[3\]/);
    device.launch(count, { y: zeroTensor(device, "f32", [8]) });
  });

  it("sees through the order of packed tensors", () => {
    const y = emptyTensor(device, "f32", [16, 64]);
    const s = tensorFrom(device, "f32", [16], [...ONES, ...ONES]);
    const run = (w: Tensor) =>
      device.launch(unpacked, packArguments(device, unpacked, { w, s, y }));
    run(zeroTensor(device, "u4", [16, 64]));
    expect(() => run(emptyTensor(device, "u4", [16, 64]))).toThrow("TW1305");
  });
});

it("reports nothing without them", async () => {
  await open("");
  expect(reading(emptyTensor(device, "f32", [8]))).toBe("nothing");
});
