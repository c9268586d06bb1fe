/** [test/unit/runtime] Packed tensors: the host's and the device's repacker agree bit for bit and undo themselves; what a launch takes and refuses. */
import { afterAll, describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { storageBytes } from "../../../dsl/index.ts";
import {
  CoreDevice,
  cdiv,
  type DType,
  dequant,
  explain,
  kernel,
  load,
  openDevice,
  orderProblem,
  out,
  type PackedOrder,
  packArguments,
  packBytes,
  packed,
  packedElements,
  packedTensorFromBytes,
  packTensor,
  pid,
  readTensor,
  readTensorBytes,
  repacker,
  reshape,
  sliceRows,
  store,
  tensor,
  tensorFrom,
  tensorFromBytes,
  tile,
  unpackBytes,
  unpackTensor,
} from "../../../index.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";
import { randomBelow } from "../emulation/open.ts";

const rows = kernel(
  {
    name: "dequant_rows",
    params: { w: packed("u4", "N", "K"), s: tensor("f32", "N"), y: out("f32", "N", "K") },
    config: { BN: 16, BK: 64 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, y }, { BN, BK }) => {
    const at = [tile(pid(0), BN), tile(pid(1), BK)] as const;
    store(y, at, dequant(load(w, at), load(s, [tile(pid(0), BN)]), { zero: 8, to: "f32" }));
  },
);

/** A random order: digits of both sides that multiply to a small block, shuffled. */
function randomOrder(random: (bound: number) => number): PackedOrder {
  const digits: { extent: number; side: "row" | "column"; stride: number }[] = [];
  const block = { row: 1, column: 1 };
  for (let left = 2 + random(5); left > 0; left--) {
    const side = random(2) === 0 ? ("row" as const) : ("column" as const);
    const extent = [2, 2, 4, 3, 8][random(5)] ?? 2;
    digits.push({ extent, side, stride: block[side] });
    block[side] *= extent;
  }
  for (let i = digits.length - 1; i > 0; i--) {
    const j = random(i + 1);
    const [a, b] = [digits[i], digits[j]];
    if (a !== undefined && b !== undefined) [digits[i], digits[j]] = [b, a];
  }
  return { block: [block.row, block.column], digits };
}

const DTYPES: readonly DType[] = ["u4", "i4", "nf4", "f4e2m1", "u8", "f8e8m0", "bf16", "i32"];

const interpreter = await openDevice("interpreter");
const emulation = openEmulation();
const emulated =
  "reason" in emulation
    ? undefined
    : new CoreDevice(new EmulatedBackend(emulation, { target: cudaSpec("sm_80") }));
if ("reason" in emulation) console.warn(`skipped: emulated repackers: ${emulation.reason}`);
const DEVICES = [interpreter, ...(emulated === undefined ? [] : [emulated])];

afterAll(async () => {
  for (const device of DEVICES) await device.close();
});

describe.each(DEVICES)("the repackers of $info.name", (device) => {
  it.each(DTYPES)(
    "agree with the host's and undo themselves: %s in random orders",
    async (dtype) => {
      const random = randomBelow(DTYPES.indexOf(dtype) + 3);
      for (let turn = 0; turn < 4; turn++) {
        const order = randomOrder(random);
        expect(orderProblem(order)).toBeUndefined();
        const shape = Array.from({ length: 1 + random(3) }, () => 1 + random(20));
        const bytes = new Uint8Array(
          storageBytes(
            dtype,
            shape.reduce((n, size) => n * size, 1),
          ),
        );
        // No NaN among the numbers of 16 bits: their payloads may change.
        bytes.forEach((_, i) => {
          bytes[i] = dtype === "bf16" ? random(0x7f) : random(256);
        });
        if (dtype.endsWith("4") || dtype === "f4e2m1") clearTail(bytes, shape);
        const plain = tensorFromBytes(device, dtype, shape, bytes);
        const there = packTensor(plain, order);
        const onHost = packBytes(order, dtype, shape, bytes);
        expect(await readTensorBytes(there)).toEqual(onHost);
        expect(onHost.byteLength).toBe(storageBytes(dtype, packedElements(order, shape)));
        expect(await readTensor(there)).toEqual(await readTensor(plain));
        const back = unpackTensor(there);
        expect(back.order).toBeUndefined();
        expect(clearTail(await readTensorBytes(back), shape, dtype)).toEqual(bytes);
      }
    },
  );
});

it("unpacks more rows than cuda has programs along the second axis", () => {
  const backend = new RecordingBackend();
  const device = new CoreDevice(backend);
  const order: PackedOrder = { block: [1, 2], digits: [{ extent: 2, side: "column", stride: 1 }] };
  const bytes = new Uint8Array(storageBytes("u8", 70_000 * 2));
  const table = packedTensorFromBytes(device, "u8", [70_000, 2], bytes, order);
  expect(unpackTensor(table).shape).toEqual([70_000, 2]);
  expect(backend.launches.at(-1)?.grid).toEqual([70_000, 1, 1]);
});

/** The half byte behind the last of an odd number of 4-bit elements is nobody's: 0 for comparing. */
function clearTail(bytes: Uint8Array, shape: readonly number[], dtype: DType = "u4"): Uint8Array {
  const count = shape.reduce((n, size) => n * size, 1);
  const last = bytes.length - 1;
  if (storageBytes(dtype, 2) === 1 && count % 2 === 1) bytes[last] = (bytes[last] ?? 0) & 15;
  return bytes;
}

const CUDA = { specialization: {}, target: cudaSpec("sm_80"), divisibility: { N: 1, K: 16 } };

describe("repacker()", () => {
  it("gives the order that the compiler chose, and explain() says why", () => {
    const { w } = repacker(rows, CUDA);
    if (w === undefined || w.order === "rows") throw new Error("no order");
    expect(w.dtype).toBe("u4");
    const { text } = explain(rows, CUDA);
    expect(text).toMatch(/pack-tensors: w: block\(\d+, \d+\) digits\(.*\), chosen: a lane reads/);
    const bytes = Uint8Array.from({ length: (37 * 64) / 2 }, (_, i) => (i * 31) & 255);
    const there = w.pack([37, 64], bytes);
    expect(there).toEqual(packBytes(w.order, "u4", [37, 64], bytes));
    expect(w.unpack([37, 64], there)).toEqual(bytes);
  });

  it("keeps an order that is given, and copies where that is row-major", () => {
    const order = randomOrder(randomBelow(5));
    expect(repacker(rows, { ...CUDA, orders: { w: order } })["w"]?.order).toEqual(order);
    const plain = repacker(rows, { ...CUDA, orders: { w: "rows" } })["w"];
    expect(plain?.order).toBe("rows");
    expect(plain?.pack([2, 2], Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2));
  });

  it.each([
    ["rows", [16, 8], 8, 1],
    ["a digit takes 0 values", [16, 8], 0, 1],
    ["stride 2 follows 1", [16, 8], 16, 2],
  ] as const)("refuses an order that is none: %s", (problem, block, extent, stride) => {
    const columns = { extent: 8, side: "column", stride: 1 } as const;
    const order: PackedOrder = { block, digits: [columns, { extent, side: "row", stride }] };
    const refused = new RegExp(`TW2305[^]*${problem}[^]*remedy: `);
    expect(() => repacker(rows, { ...CUDA, orders: { w: order } })).toThrow(refused);
    expect(() => packBytes(order, "u4", [2, 2], new Uint8Array(2))).toThrow(refused);
    expect(() => unpackBytes(order, "u4", [2, 2], new Uint8Array(64))).toThrow(refused);
    const plain = tensorFrom(interpreter, "u4", [2, 2], [1, 2, 3, 4]);
    expect(() => packTensor(plain, order)).toThrow(refused);
  });

  it("refuses orders of tensors that are not packed, and bytes that are not the tensor's", () => {
    expect(() => repacker(rows, { ...CUDA, orders: { s: "rows" } })).toThrow(
      /TW2306[\s\S]*orders of w[\s\S]*remedy: /,
    );
    const plain = repacker(rows, { ...CUDA, orders: { w: "rows" } })["w"];
    expect(() => plain?.pack([2, 2], Uint8Array.of(1))).toThrow(RangeError);
    expect(() => plain?.unpack([2, 2], Uint8Array.of(1, 2, 3))).toThrow(RangeError);
  });

  it("gives the same order for tiles of other sizes, so that kernels share the bytes", () => {
    const orders = [16, 32, 64].map((BN) => {
      const specialization = { config: { BN, BK: 64 } };
      return repacker(rows, { ...CUDA, specialization })["w"]?.order;
    });
    expect(orders[1]).toEqual(orders[0]);
  });
});

describe("a launch with packed tensors", () => {
  const values = Array.from({ length: 21 * 80 }, (_, i) => (i * 7) % 16);
  const expected = values.map((v, i) => (v - 8) * (1 + Math.floor(i / 80)));
  it.each(DEVICES)("reads every order on $info.name", async (device) => {
    const s = tensorFrom(
      device,
      "f32",
      [21],
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
    const w = tensorFrom(device, "u4", [21, 80], values);
    const y = tensorFrom(device, "f32", [21, 80], values);
    const chosen = packArguments(device, rows, { w, s, y });
    const given = packTensor(w, randomOrder(randomBelow(9)));
    for (const args of [{ w, s, y }, chosen, { w: given, s, y }]) {
      device.launch(rows, args);
      expect([...(await readTensor(y))]).toEqual(expected);
    }
    expect(device.packedOrders(rows, { w: given, s, y })).toEqual(
      device === interpreter ? {} : { w: given.order },
    );
  });

  it("compiles once for each order", () => {
    const backend = new RecordingBackend();
    const device = new CoreDevice(backend);
    const w = tensorFrom(device, "u4", [21, 80], values);
    const s = tensorFrom(device, "f32", [21], values.slice(0, 21));
    const y = tensorFrom(device, "f32", [21, 80], values);
    const order = randomOrder(randomBelow(11));
    const bytes = packBytes(order, "u4", [21, 80], new Uint8Array(840));
    const other = packedTensorFromBytes(device, "u4", [21, 80], bytes, order);
    for (const weights of [w, other, w, other]) device.launch(rows, { w: weights, s, y });
    const made = backend.artifacts.map(({ params }) =>
      params.find(({ kind }) => kind === "tensor"),
    );
    expect(made.map((param) => param?.kind === "tensor" && param.order)).toEqual([
      undefined,
      order,
    ]);
  });

  it("refuses them where the kernel reads rows, and views of them", () => {
    const plain = kernel(
      { name: "copy_rows", params: { x: tensor("u4", "N"), y: out("u4", "N") }, grid: () => 1 },
      () => {},
    );
    const x = tensorFrom(interpreter, "u4", [4], [1, 2, 3, 4]);
    const order: PackedOrder = {
      block: [1, 2],
      digits: [{ extent: 2, side: "column", stride: 1 }],
    };
    const there = packTensor(x, order);
    expect(() => interpreter.launch(plain, { x: there, y: x })).toThrow(
      /TW3116: copy_rows: tensor 'x' is packed, but the kernel reads rows[\s\S]*unpackTensor\(x\)/,
    );
    expect(() => reshape(there, [2, 2])).toThrow("TW3012: a packed tensor has no views");
    expect(() => sliceRows(there, 0, 2)).toThrow("TW3012");
  });
});
