/** [test/unit/runtime] What a launch refuses, by code and by name; devices, views and freed buffers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Device,
  type DType,
  emptyTensor,
  type KernelArgument,
  kernel,
  load,
  openDevice,
  out,
  pid,
  readTensor,
  reshape,
  scalar,
  sliceRows,
  store,
  tensor,
  tensorFrom,
  tile,
  writeTensor,
} from "../../../index.ts";

const scaled = kernel(
  {
    name: "scaled",
    dtypes: { T: ["f32", "f16"] },
    params: { x: tensor("T", "R", "N"), y: out("T", "R", "N"), times: scalar("i32") },
    config: { BR: 2, BN: 4 },
    grid: ({ R, N }, { BR, BN }) => [Math.ceil(R / BR), Math.ceil(N / BN)],
  },
  ({ x, y }, { BR, BN }) => {
    const at = [tile(pid(0), BR), tile(pid(1), BN)] as const;
    store(y, at, load(x, at));
  },
);

let device: Device;
let other: Device;

beforeAll(async () => {
  device = await openDevice("interpreter");
  other = await openDevice("null");
});
afterAll(async () => {
  await device.close();
  await other.close();
});

function good(): Record<string, KernelArgument> {
  return {
    x: tensorFrom(
      device,
      "f32",
      [3, 5],
      Float32Array.from({ length: 15 }, (_, i) => i),
    ),
    y: emptyTensor(device, "f32", [3, 5]),
    times: 2,
  };
}

describe("a launch", () => {
  it("runs when its arguments fit", async () => {
    const args = good();
    device.launch(scaled, args);
    expect(Array.from(await readTensor(args["y"] as never))).toEqual(
      Array.from({ length: 15 }, (_, i) => i),
    );
  });

  it("does nothing for an empty tensor", () => {
    const empty = () => emptyTensor(device, "f32", [0, 5]);
    expect(() => device.launch(scaled, { x: empty(), y: empty(), times: 1 })).not.toThrow();
  });

  const cases: readonly (readonly [
    string,
    string,
    (args: Record<string, KernelArgument>) => void,
    RegExp,
  ])[] = [
    [
      "a missing tensor",
      "TW3101",
      (args) => delete args["x"],
      /tensor 'x' is missing[\s\S]*T\[R, N\]/,
    ],
    [
      "a host array",
      "TW3101",
      (args) => Object.assign(args, { x: new Float32Array(15) }),
      /'x' is no tensor[\s\S]*Float32Array/,
    ],
    [
      "a tensor of another device",
      "TW3102",
      (args) => Object.assign(args, { x: emptyTensor(other, "f32", [3, 5]) }),
      /'x' lives on another device[\s\S]*null device/,
    ],
    [
      "another rank",
      "TW3104",
      (args) => Object.assign(args, { x: emptyTensor(device, "f32", [15]) }),
      /'x' has another rank[\s\S]*\[15\]/,
    ],
    [
      "a dtype that is not allowed",
      "TW3105",
      (args) => Object.assign(args, { x: emptyTensor(device, "i32", [3, 5]) }),
      /i32[\s\S]*f32 or f16/,
    ],
    [
      "two dtypes for one variable",
      "TW3106",
      (args) => Object.assign(args, { y: emptyTensor(device, "f16", [3, 5]) }),
      /'x' and 'y'/,
    ],
    [
      "sizes that do not agree",
      "TW3107",
      (args) => Object.assign(args, { y: emptyTensor(device, "f32", [3, 6]) }),
      /y\.N = 6[\s\S]*5, as in x/,
    ],
    ["a missing scalar", "TW3108", (args) => delete args["times"], /'times' is missing/],
    [
      "a scalar as text",
      "TW3108",
      (args) => Object.assign(args, { times: "1" }),
      /'times' is no number/,
    ],
    [
      "an argument too many",
      "TW3109",
      (args) => Object.assign(args, { z: 1 }),
      /unknown argument 'z'/,
    ],
    [
      "one tensor to read and to write",
      "TW3114",
      (args) => Object.assign(args, { y: args["x"] }),
      /'x' and 'y' overlap, and the kernel writes 'y'[\s\S]*bytes 0 to 60[\s\S]*inout\(\)/,
    ],
    [
      "a fraction for an integer",
      "TW3113",
      (args) => Object.assign(args, { times: 1.5 }),
      /'times' is no i32/,
    ],
  ];

  it.each(cases)("refuses %s (%s)", (_name, code, spoil, text) => {
    const args = good();
    spoil(args);
    expect(() => device.launch(scaled, args)).toThrow(code);
    expect(() => device.launch(scaled, args)).toThrow(text);
  });

  it("tells apart two devices of one name", async () => {
    const twin = await openDevice("interpreter");
    const args = Object.assign(good(), { x: emptyTensor(twin, "f32", [3, 5]) });
    const run = () => device.launch(scaled, args);
    expect(run).toThrow(/seen: +another device called TypeScript interpreter: two were opened/);
    await twin.close();
  });

  it.each([undefined, null])("refuses %s for its arguments, naming what is missing", (args) => {
    const run = () => device.launch(scaled, args as never);
    expect(run).toThrow(/TW3101[\s\S]*'x'[\s\S]*TW3101[\s\S]*'y'[\s\S]*TW3108[\s\S]*'times'/);
  });

  it("refuses options that it does not know", () => {
    const options = { confg: { BR: 1 } } as never;
    const run = () => device.launch(scaled, good(), options);
    expect(run).toThrow(/TW3115[\s\S]*'confg'[\s\S]*config, dims[\s\S]*did you mean 'config'/);
  });

  it("says which sizes made a grid that is no count", () => {
    const run = () => device.launch(scaled, good(), { config: { BR: 0 } });
    expect(run).toThrow(
      /TW3111[\s\S]*Infinity × 2, for R = 3, N = 5 and the config BR = 0, BN = 4/,
    );
  });

  it("names a dim and a config value that a grid misspells", () => {
    type Sizes = Readonly<Record<string, number>>;
    const grid = ({ Rows = Number.NaN, R = 1 }: Sizes, { BRR = 1 }: Sizes) => (Rows * R) / BRR;
    const definition = { ...scaled, grid } as typeof scaled;
    expect(() => device.launch(definition, good())).toThrow(
      /TW3111[\s\S]*seen: +NaN, for R = 3.*; no dim Rows; no config value BRR\n[\s\S]*'BR'/,
    );
  });

  it("says where wishes belong that are given as an option", () => {
    const options = { schedule: { splitK: 2 } } as never;
    expect(() => device.launch(scaled, good(), options)).toThrow(/TW3115[\s\S]*scheduleConfig/);
    const nested = { config: { schedule: { splitK: 2 } } } as never;
    expect(() => device.launch(scaled, good(), nested)).toThrow(/TW1013[\s\S]*scheduleConfig/);
  });

  it("names everything that is wrong at once", () => {
    const args = { ...good(), y: emptyTensor(device, "f16", [3, 6]), times: 0.5 };
    expect(() => device.launch(scaled, args)).toThrow(/TW3106[\s\S]*TW3107[\s\S]*TW3113/);
  });

  it("refuses a freed tensor and a second free", () => {
    const args = good();
    const x = args["x"] as ReturnType<typeof emptyTensor>;
    device.free(x.buffer);
    expect(() => device.launch(scaled, args)).toThrow("TW3103");
    expect(() => device.free(x.buffer)).toThrow("TW3006");
  });

  it("refuses what is no kernel, and a grid that is no count", () => {
    expect(() => device.launch({} as never, {})).toThrow("TW3100");
    const grid = () => Number.NaN;
    expect(() => device.launch({ ...scaled, grid }, good())).toThrow("TW3111");
  });
});

describe("tensors", () => {
  it.each([
    ["a size that is no size", () => emptyTensor(device, "f32", [2, -1]), "TW3001"],
    ["the wrong number of values", () => tensorFrom(device, "f32", [3], [1, 2]), "TW3002"],
    ["a shape that is no list", () => emptyTensor(device, "f32", 5 as never), "TW3001"],
    ["no shape", () => emptyTensor(device, "f32", undefined as never), "TW3001"],
    ["a size past 32 bits", () => emptyTensor(device, "u8", [2 ** 31, 0]), "TW3001"],
    ["no values", () => tensorFrom(device, "f32", [3], undefined as never), "TW3002"],
    [
      "a device that is still opening",
      () => emptyTensor(openDevice("null") as never, "f32", [3]),
      "TW3009",
    ],
    ["no device", () => tensorFrom(undefined as never, "f32", [1], [1]), "TW3009"],
    ["a fraction for an integer", () => tensorFrom(device, "i32", [2], [1, 1.5]), "TW3010"],
    ["NaN for an integer", () => tensorFrom(device, "u8", [1], [Number.NaN]), "TW3010"],
    ["an integer out of range", () => tensorFrom(device, "i4", [2], [7, 8]), "TW3010"],
    ["a negative unsigned", () => tensorFrom(device, "u32", [1], [-1]), "TW3010"],
    ["a number for a bool", () => tensorFrom(device, "bool", [1], [2]), "TW3010"],
    ["a negative view", () => reshape(emptyTensor(device, "f32", [6]), [-2, -3]), "TW3001"],
    ["a slice of half a row", () => sliceRows(emptyTensor(device, "f32", [4]), 0, 1.5), "TW3004"],
    [
      "a slice to nowhere",
      () => sliceRows(emptyTensor(device, "f32", [4]), 0, Number.NaN),
      "TW3004",
    ],
    [
      "bytes that are none",
      () => writeTensor(emptyTensor(device, "f32", [1]), [1] as never),
      "TW3002",
    ],
    ["a dtype that is not known", () => emptyTensor(device, "float32" as never, [3]), "TW3008"],
    ["a view of another size", () => reshape(emptyTensor(device, "f32", [6]), [4]), "TW3003"],
    [
      "a slice that starts between bindings",
      () => sliceRows(emptyTensor(device, "f32", [4, 3]), 1, 2),
      "TW3004",
    ],
    [
      "a read past the end",
      () => device.write(device.alloc(256), 200, new Uint8Array(100)),
      "TW3007",
    ],
    ["more than the device holds", () => device.alloc(2 ** 40), "TW3005"],
  ] as const)("refuse %s", (_name, act, code) => {
    expect(act).toThrow(code);
  });

  it("take typed arrays by their bytes", async () => {
    const x = emptyTensor(device, "f32", [2]);
    writeTensor(x, Float32Array.of(5, 6));
    expect(Array.from(await readTensor(x))).toEqual([5, 6]);
    const both = Float64Array.of(0, 1);
    writeTensor(x, both.subarray(1));
    expect(Array.from(await readTensor(x))).toEqual([0, 1.875]); // the halves of 1 as a double
  });

  it("of whole numbers hold every number in range", async () => {
    const edges = {
      i8: [-128, 127],
      u4: [0, 15],
      i32: [-(2 ** 31), 2 ** 31 - 1],
      u32: [0, 2 ** 32 - 1],
    };
    for (const [dtype, values] of Object.entries(edges)) {
      const x = tensorFrom(device, dtype as DType, [2], values);
      expect(Array.from(await readTensor(x))).toEqual(values);
    }
  });

  it("share their bytes with views", async () => {
    const whole = tensorFrom(
      device,
      "f32",
      [2, 64],
      Float32Array.from({ length: 128 }, (_, i) => i),
    );
    expect(Array.from(await readTensor(sliceRows(whole, 1, 2))).slice(0, 2)).toEqual([64, 65]);
  });
});

describe("a closed device", () => {
  it("says that it is closed, whatever it is asked, and closes once", async () => {
    const closed = await openDevice("interpreter");
    const x = tensorFrom(closed, "f32", [1], [1]);
    await Promise.all([closed.close(), closed.close()]);
    await closed.close();
    const uses = [
      () => closed.launch(scaled, { x, y: x, times: 1 }),
      () => closed.alloc(4),
      () => closed.free(x.buffer),
      () => closed.write(x.buffer, 0, new Uint8Array(4)),
      () => closed.copy(x.buffer, 0, x.buffer, 0, 4),
      () => emptyTensor(closed, "f32", [1]),
    ];
    for (const use of uses) expect(use).toThrow(/TW3011[\s\S]*the device is closed/);
    await expect(readTensor(x)).rejects.toThrow("TW3011");
    await expect(closed.synchronize()).rejects.toThrow("TW3011");
    await expect(closed.prepare(scaled, { x, y: x, times: 1 })).rejects.toThrow("TW3011");
  });
});
