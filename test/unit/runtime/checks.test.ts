/** [test/unit/runtime] The interpreter device with its checks on: what a GPU would hide is reported, with the place in the kernel. */
import { afterEach, expect, it, vi } from "vitest";
import {
  cast,
  emptyTensor,
  floordiv,
  kernel,
  openDevice,
  out,
  pid,
  readTensor,
  scalar,
  store,
} from "../../../index.ts";

const contended = kernel(
  { name: "contended", params: { y: out("f32", "N") }, grid: () => 4 },
  ({ y }) => {
    store(y, [0], cast(pid(0), "f32"));
  },
);

const divided = kernel(
  {
    name: "divided",
    params: { n: scalar("i32"), y: out("i32", "N") },
    grid: () => 1,
  },
  ({ n, y }) => {
    store(y, [0], floordiv(10, n) + 2147483647);
  },
);

afterEach(() => vi.unstubAllEnvs());

it("reports by place and program when asked, and nothing else", async () => {
  vi.stubEnv("TILEWRIGHT_CHECKS", "full");
  const device = await openDevice("interpreter");
  const y = emptyTensor(device, "f32", [1]);
  const z = emptyTensor(device, "i32", [1]);
  expect(() => device.launch(contended, { y })).toThrow(/checks\.test\.ts:\d+:\d+[\s\S]*program/);
  expect(() => device.launch(divided, { n: 0, y: z })).toThrow(/division by zero/);
  expect(() => device.launch(divided, { n: 3, y: z })).toThrow(/overflow/);
  device.launch(divided, { n: -10, y: z });
  expect(Array.from(await readTensor(z))).toEqual([2147483646]);
  await device.close();
});

it("runs as a device would when not asked: a divisor of 0 gives 0, sums wrap, one program wins", async () => {
  vi.stubEnv("TILEWRIGHT_CHECKS", "");
  const device = await openDevice("interpreter");
  const y = emptyTensor(device, "f32", [1]);
  const z = emptyTensor(device, "i32", [1]);
  device.launch(contended, { y });
  expect([0, 1, 2, 3]).toContain((await readTensor(y))[0]);
  device.launch(divided, { n: 0, y: z });
  expect(Array.from(await readTensor(z))).toEqual([2147483647]);
  device.launch(divided, { n: 10, y: z });
  expect(Array.from(await readTensor(z))).toEqual([-2147483648]);
  await device.close();
});

it("refuses a word that it does not know", async () => {
  vi.stubEnv("TILEWRIGHT_CHECKS", "yes");
  await expect(openDevice("interpreter")).rejects.toThrow(/TW3204[\s\S]*full or off/);
});
