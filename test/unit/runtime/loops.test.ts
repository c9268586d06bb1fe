/** [test/unit/runtime] Loops that a wrong argument would make endless: every device that opens here comes back. */
import { expect, it } from "vitest";
import {
  cast,
  type Device,
  emptyTensor,
  kernel,
  out,
  range,
  readTensor,
  scalar,
  store,
} from "../../../index.ts";
import { describeDevices } from "../../support/devices.ts";

const counted = kernel(
  {
    name: "counted",
    params: { step: scalar("i32"), y: out("f32", "N") },
    grid: () => 1,
  },
  ({ step, y }) => {
    let trips = 0;
    for (const _ of range(0, 10, step)) trips += 1;
    store(y, [0], cast(trips, "f32"));
  },
);

await describeDevices("a loop whose step is bound at launch", (device: Device) => {
  it.each([
    [1, 10],
    [3, 4],
    [10, 1],
    [2147483647, 1],
  ])("of %i makes %i trips", async (step, trips) => {
    const y = emptyTensor(device, "f32", [1]);
    device.launch(counted, { step, y });
    expect(Array.from(await readTensor(y))).toEqual([trips]);
  });

  it.each([0, -1, -2147483648])("of %i is reported, or ends", async (step) => {
    const y = emptyTensor(device, "f32", [1]);
    const run = async () => {
      device.launch(counted, { step, y });
      return Array.from(await readTensor(y));
    };
    if (device.info.driver === "interpreter") await expect(run()).rejects.toThrow("TW1310");
    else expect(await run()).toEqual([10]);
  });
});
