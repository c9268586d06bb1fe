/** [test/unit/runtime] Tensor maps, argument slots and persistent grids of the CUDA driver, with memory and driver of the test's own. */
import { describe, expect, it } from "vitest";
import { type ArtifactParam, RAGGED_SIZE, type TensorMapParam } from "../../../codegen/artifact.ts";
import { DeviceError } from "../../../dsl/core/errors.ts";
import type { Device, Tensor } from "../../../runtime/device.ts";
import { ArgumentBlock } from "../../../runtime/drivers/cuda/argument-block.ts";
import type { CudaDriver } from "../../../runtime/drivers/cuda/driver.ts";
import { CudaFunction } from "../../../runtime/drivers/cuda/function.ts";
import { launchGrid } from "../../../runtime/drivers/cuda/launch-grid.ts";
import { type TensorMapFields, tensorMapFields } from "../../../runtime/drivers/cuda/tensor-map.ts";
import type { NativeMemory } from "../../../runtime/drivers/cuda/tensor-map-cache.ts";

const MAP: TensorMapParam = {
  kind: "tensor_map",
  name: "map_x",
  tensor: "x",
  dtype: "bf16",
  box: [128, 64],
  swizzle: 128,
};

const tensorParam = (name: string): ArtifactParam => ({
  kind: "tensor",
  name,
  dtype: "bf16",
  shape: ["M", "K"],
  access: "in",
});

/** Gives each array a megabyte of addresses, so that a slot can be followed to what it points at. */
class FakeMemory implements NativeMemory {
  readonly arrays: ArrayBufferView[] = [];
  readonly encoded: { readonly address: bigint; readonly fields: TensorMapFields }[] = [];
  numCounters = 0;

  addressOf(array: ArrayBufferView): bigint {
    this.arrays.push(array);
    return BigInt(this.arrays.length) * 2n ** 20n + 8n;
  }

  encodeTensorMap(address: bigint, fields: TensorMapFields): void {
    this.encoded.push({ address, fields });
  }

  counter(): bigint {
    return BigInt(0xc000 + 8 * this.numCounters++);
  }

  word(address: bigint): number {
    return this.#view(address).getUint32(0, true);
  }

  pointer(address: bigint): bigint {
    return this.#view(address).getBigUint64(0, true);
  }

  #view(address: bigint): DataView {
    const array = this.arrays[Number(address >> 20n) - 1];
    if (array === undefined) throw new Error(`no array at ${address}`);
    return new DataView(array.buffer, array.byteOffset + Number(address & 0xfffffn) - 8);
  }
}

const at = (bytes: number, ...shape: number[]): Tensor => ({
  buffer: { device: {} as Device, bytes },
  byteOffset: 0,
  dtype: "bf16",
  shape,
});
const pointerOf = (tensor: Tensor) => BigInt(tensor.buffer.bytes);

describe("a map with ends along a dim", () => {
  const map: TensorMapParam = { ...MAP, box: [16, 1, 64], ragged: 0 };
  const tensor = { pointer: 0x100000n, dtype: "bf16", shape: [100, 4, 64] } as const;

  it("has two dims more, outermost, and begins where the tensor does", () => {
    const { rank, pointer, dims, strides, box } = tensorMapFields("k", map, tensor);
    expect({ rank, dims: [...dims], strides: [...strides], box: [...box] }).toEqual({
      rank: 5,
      dims: [64n, 4n, 2n ** 30n, 0x7fff0000n, 0x7fff0000n],
      strides: [128n, 512n, 512n, 2n ** 34n - 512n],
      box: [64, 1, 16, 1, 1],
    });
    expect(pointer).toBe(tensor.pointer);
  });

  it.each([0, 1, 57, 100])(
    "puts rows below end %i at their own addresses, others out of bounds",
    (end) => {
      const { pointer, dims, strides } = tensorMapFields("k", map, tensor);
      for (let row = 0; row < 120; row++) {
        const coordinates = [0, 0, row + RAGGED_SIZE - end, end, RAGGED_SIZE].map(BigInt);
        const isInside = coordinates.every((x, dim) => x >= 0n && x < (dims[dim] ?? 0n));
        expect(isInside).toBe(row < end);
        const place = coordinates
          .slice(1)
          .reduce((sum, x, i) => sum + x * (strides[i] ?? 0n), pointer);
        expect(BigInt.asUintN(64, place)).toBe(tensor.pointer + BigInt(row) * 512n);
      }
    },
  );

  it("has its last dims as one where it would have too many", () => {
    const shape = [9, 16, 4, 128];
    const folded: TensorMapParam = { ...map, box: [1, 16, 64], ragged: 1, folded: 2 };
    const { rank, dims, strides, box } = tensorMapFields("k", folded, { ...tensor, shape });
    expect({ rank, dims: [...dims], strides: [...strides], box: [...box] }).toEqual({
      rank: 5,
      dims: [512n, 2n ** 30n, 9n, 0x7fff0000n, 0x7fff0000n],
      strides: [1024n, 16384n, 1024n, 2n ** 34n - 1024n],
      box: [64, 16, 1, 1, 1],
    });
  });

  it("has slots in eights and heads in panels, so that a box brings all panels of many rows", () => {
    const shape = [9, 16, 4, 128];
    const { ragged: _, ...whole } = map;
    const grouped: TensorMapParam = { ...whole, box: [1, 2, 2, 8, 64], grouped: true };
    const { rank, dims, strides, box } = tensorMapFields("k", grouped, { ...tensor, shape });
    expect({ rank, dims: [...dims], strides: [...strides], box: [...box] }).toEqual({
      rank: 5,
      dims: [64n, 8n, 8n, 2n, 9n],
      strides: [1024n, 128n, 8192n, 16384n],
      box: [64, 8, 2, 2, 1],
    });
    const odd = () => tensorMapFields("k", grouped, { ...tensor, shape: [9, 12, 4, 128] });
    expect(odd).toThrow(/cannot be counted/);
  });

  it.each([
    ["the last dim", { ragged: 2 }, /none that has a stride/],
    ["too many dims", { box: [1, 1, 16, 64] }, /another rank/],
  ])("is refused for %s", (_, change, message) => {
    const shape = "box" in change ? [2, 2, 100, 64] : tensor.shape;
    const fields = () => tensorMapFields("k", { ...map, ...change }, { ...tensor, shape });
    expect(fields).toThrow(message);
  });
});

describe("the fields of a tensor map", () => {
  it("run from the innermost dim, with strides in bytes", () => {
    const fields = tensorMapFields("k", MAP, {
      pointer: 4096n,
      dtype: "bf16",
      shape: [1000, 4104],
    });
    expect(fields).toEqual({
      dataType: 9,
      rank: 2,
      pointer: 4096n,
      dims: BigUint64Array.of(4104n, 1000n),
      strides: BigUint64Array.of(8208n),
      box: Uint32Array.of(64, 128),
      elementStrides: Uint32Array.of(1, 1),
      swizzle: 3,
    });
  });

  it.each([
    ["f32", 7, 16, 64],
    ["f16", 6, 32, 64],
    ["f8e4m3", 0, 32, 32],
    ["i8", 0, 16, 0],
    ["i32", 3, 4, 0],
  ] as const)("of %s have data type %i", (dtype, dataType, width, swizzle) => {
    const map = { ...MAP, dtype, box: [8, width], swizzle };
    const fields = tensorMapFields("k", map, { pointer: 0n, dtype, shape: [64, 64] });
    expect(fields.dataType).toBe(dataType);
  });

  it("count empty dims as 1 and keep their strides legal", () => {
    const fields = tensorMapFields("k", MAP, { pointer: 0n, dtype: "bf16", shape: [3, 0] });
    expect([...fields.dims]).toEqual([1n, 3n]);
    expect([...fields.strides]).toEqual([16n]);
  });

  it("describe pairs of 4-bit elements as bytes", () => {
    const map: TensorMapParam = { ...MAP, dtype: "u8", box: [64, 32], swizzle: 32 };
    const fields = tensorMapFields("k", map, { pointer: 0n, dtype: "i4", shape: [10, 256] });
    expect([...fields.dims]).toEqual([128n, 10n]);
    expect([...fields.strides]).toEqual([128n]);
  });

  it("have a place for strides also in rank 1", () => {
    const map: TensorMapParam = { ...MAP, box: [256], swizzle: 0 };
    const fields = tensorMapFields("k", map, { pointer: 0n, dtype: "bf16", shape: [1001] });
    expect([fields.rank, fields.strides.length, [...fields.dims]]).toEqual([1, 1, [1001n]]);
  });

  it.each([
    ["an odd row", [8, 1001], MAP.box, 0n, /2002 bytes, from bf16\[8, 1001\]/],
    ["an odd address", [8, 64], MAP.box, 8n, /0x8\n.*multiple of 16 bytes/],
    ["another rank", [8, 8, 64], MAP.box, 0n, /box \[128, 64\] on a tensor of shape \[8, 8, 64\]/],
    ["a long box", [512, 64], [512, 64], 0n, /\[512, 64\]\n.*integers from 1 to 256/],
    ["a wide box", [8, 128], [8, 128], 0n, /256 bytes with a swizzle of 128/],
    ["a narrow box", [8, 128], [8, 4], 0n, /8 bytes with a swizzle of 128/],
  ])("are refused for %s", (_, shape, box, pointer, message) => {
    const fields = () =>
      tensorMapFields("k", { ...MAP, box }, { pointer, dtype: "bf16", shape: shape as number[] });
    expect(fields).toThrow(DeviceError);
    expect(fields).toThrow(/TW3213.*k: tensor map 'map_x' of 'x'/);
    expect(fields).toThrow(message);
  });
});

describe("an argument block", () => {
  const params: readonly ArtifactParam[] = [
    tensorParam("x"),
    tensorParam("y"),
    { kind: "dim", name: "M" },
    { kind: "scalar", name: "by", dtype: "f32" },
    { kind: "grid", axis: 0 },
    { kind: "grid", axis: 1 },
    { kind: "grid", axis: 2 },
    { ...MAP, name: "map_y", tensor: "y" },
    MAP,
  ];

  it("puts pointers, words, the true grid and maps where the kernel looks", () => {
    const memory = new FakeMemory();
    const block = new ArgumentBlock({ entry: "k", params }, memory);
    const tensors = [at(512, 8, 64), at(1024, 16, 64)];
    block.patch(tensors, pointerOf, Uint32Array.of(8, 77), [5, 6, 7]);
    const slots = params.map((_, i) => memory.pointer(block.slotsAddress + BigInt(8 * i)));
    expect(slots.slice(0, 2).map((slot) => memory.pointer(slot))).toEqual([512n, 1024n]);
    expect(slots.slice(2, 7).map((slot) => memory.word(slot))).toEqual([8, 77, 5, 6, 7]);
    expect(slots.slice(7)).toEqual(memory.encoded.map(({ address }) => address));
    expect(memory.encoded.map(({ fields }) => fields.pointer)).toEqual([1024n, 512n]);
    for (const { address } of memory.encoded) expect(address % 64n).toBe(0n);
  });

  it("takes a counter for each launch of a kernel that has one, and none for others", () => {
    const memory = new FakeMemory();
    const counted: ArtifactParam[] = [tensorParam("x"), { kind: "counter" }];
    const block = new ArgumentBlock({ entry: "k", params: counted }, memory);
    const launch = () => {
      block.patch([at(512, 8, 64)], pointerOf, new Uint32Array(0), [1, 1, 1]);
      return [0n, 8n].map((slot) => memory.pointer(memory.pointer(block.slotsAddress + slot)));
    };
    expect([launch(), launch()]).toEqual([
      [512n, 0xc000n],
      [512n, 0xc008n],
    ]);
    const plain = new ArgumentBlock({ entry: "k", params: [tensorParam("x")] }, memory);
    plain.patch([at(512, 8, 64)], pointerOf, new Uint32Array(0), [1, 1, 1]);
    expect(memory.numCounters).toBe(2);
  });

  it("encodes once for each address and shape, however often they return", () => {
    const memory = new FakeMemory();
    const block = new ArgumentBlock({ entry: "k", params: [tensorParam("x"), MAP] }, memory);
    const launch = (tensor: Tensor) => {
      block.patch([tensor], pointerOf, new Uint32Array(0), [1, 1, 1]);
      return memory.pointer(block.slotsAddress + 8n);
    };
    const first = launch(at(512, 8, 64));
    expect(launch(at(512, 8, 64))).toBe(first);
    const others = Array.from({ length: 80 }, (_, i) => launch(at(1024 * (i + 1), 8, 64)));
    expect(new Set([first, ...others]).size).toBe(81);
    expect(memory.encoded.length).toBe(81);
    expect(launch(at(512, 8, 64))).toBe(first);
    expect(Array.from({ length: 80 }, (_, i) => launch(at(1024 * (i + 1), 8, 64)))).toEqual(others);
    expect(memory.encoded.length).toBe(81);
    expect(launch(at(512, 9, 64))).not.toBe(first);
    expect(memory.encoded.length).toBe(82);
  });

  it("forgets old maps instead of growing without bound", () => {
    const memory = new FakeMemory();
    const block = new ArgumentBlock({ entry: "k", params: [tensorParam("x"), MAP] }, memory);
    for (let i = 1; i <= 5000; i++)
      block.patch([at(16 * i, 8, 64)], pointerOf, new Uint32Array(0), [1, 1, 1]);
    expect(memory.encoded.length).toBe(5000);
    block.patch([at(16, 8, 64)], pointerOf, new Uint32Array(0), [1, 1, 1]);
    expect(memory.encoded.length).toBe(5001);
  });
});

describe("the grid of a launch", () => {
  const h200 = { multiprocessors: 132, cluster: 1, persistent: undefined };

  it.each([
    ["one wave", [100, 1, 1], 1, 1, [100, 1, 1]],
    ["a whole wave", [66, 2, 1], 1, 1, [132, 1, 1]],
    ["as few blocks as take as many waves", [32, 32, 1], 1, 1, [128, 1, 1]],
    ["two blocks a multiprocessor", [32, 32, 1], 2, 1, [256, 1, 1]],
    ["whole clusters", [129, 1, 1], 1, 2, [130, 1, 1]],
    ["three axes", [3, 5, 7], 1, 1, [105, 1, 1]],
  ] as const)("of a persistent kernel: %s", (_, grid, blocksPerSm, cluster, launched) => {
    expect(launchGrid("k", grid, { ...h200, persistent: { blocksPerSm }, cluster })).toEqual(
      launched,
    );
  });

  it("counts what clusters leave idle where the driver says so", () => {
    const residency = { ...h200, persistent: { blocksPerSm: 1 }, cluster: 4, activeClusters: 30 };
    expect(launchGrid("k", [240, 1, 1], residency)).toEqual([120, 1, 1]);
  });

  it("has no more programs than a block can count", () => {
    const residency = { ...h200, persistent: { blocksPerSm: 1 }, cluster: 1 };
    expect(() => launchGrid("k", [65536, 32768, 1], residency)).toThrow(
      /TW3215[\s\S]*65536 × 32768 × 1 programs/,
    );
  });

  it("is the true grid otherwise, in whole clusters only", () => {
    expect(launchGrid("k", [6, 5, 4], { ...h200, cluster: 2 })).toEqual([6, 5, 4]);
    expect(() => launchGrid("k", [7, 5, 4], { ...h200, cluster: 2 })).toThrow(
      /TW3214[\s\S]*7 × 5 × 4 blocks, clusters of 2/,
    );
  });

  it("is one block a program where a persistent kernel keeps none, in whole clusters", () => {
    const persistent = { blocksPerSm: 0 };
    expect(launchGrid("k", [7, 5, 9], { ...h200, persistent, cluster: 1 })).toEqual([315, 1, 1]);
    expect(launchGrid("k", [7, 5, 9], { ...h200, persistent, cluster: 2 })).toEqual([316, 1, 1]);
  });
});

describe("a CUDA function", () => {
  function load(shape: { sharedBytes?: number; cluster?: number; dependentLaunch?: boolean }) {
    const calls: { readonly name: string; readonly args: readonly unknown[] }[] = [];
    const library = new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args: unknown[]) => {
            calls.push({ name: String(name), args });
            if (name === "cuModuleGetFunction") (args[0] as bigint[])[0] = 7n;
            if (name === "cuOccupancyMaxActiveClusters") (args[0] as number[])[0] = 30;
            return 0;
          },
      },
    );
    const driver = { library, check: () => {}, facts: { multiprocessors: 132 } };
    const fn = new CudaFunction(driver as unknown as CudaDriver, 3n, {
      entry: "k",
      threads: 384,
      sharedBytes: 1024,
      cluster: 1,
      dependentLaunch: false,
      ...shape,
    });
    return { fn, calls };
  }

  it("asks for shared memory beyond what every block has", () => {
    expect(load({ sharedBytes: 48 * 1024 }).calls.map(({ name }) => name)).toEqual([
      "cuModuleGetFunction",
    ]);
    const { calls } = load({ sharedBytes: 229440 });
    expect(calls[1]).toEqual({ name: "cuFuncSetAttribute", args: [7n, 8, 229440] });
  });

  it("launches plainly, and through a launch configuration where it may overlap", () => {
    const plain = load({});
    plain.fn.launch([128, 2, 1], 9n, 11n);
    expect(plain.calls.at(-1)).toEqual({
      name: "cuLaunchKernel",
      args: [7n, 128, 2, 1, 384, 1, 1, 1024, 9n, 11n, null],
    });
    const dependent = load({ dependentLaunch: true });
    dependent.fn.launch([128, 2, 1], 9n, 11n);
    const { name, args } = dependent.calls.at(-1) ?? { name: "", args: [] };
    expect([name, ...args.slice(1)]).toEqual(["cuLaunchKernelEx", 7n, 11n, null]);
  });

  it("asks how many of its clusters run at once", () => {
    expect(load({ cluster: 4 }).fn.activeClusters()).toBe(30);
  });
});
