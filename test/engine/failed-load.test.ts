/** [test/engine] A load that fails on a caller's device: whichever allocation it is, and in the warm-up too, nothing stays there. */
import { expect, it } from "vitest";
import { loadModel } from "../../engine/load.ts";
import { InterpreterBackend } from "../../runtime/drivers/interpreter/device.ts";
import { CoreDevice, type DeviceBuffer } from "../../runtime/index.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel();

/** A device that has no memory left from its allocation `failsAt` on, and that knows what is not freed. */
function countingDevice(failsAt: number) {
  const device = new CoreDevice(new InterpreterBackend());
  const live = new Set<DeviceBuffer>();
  const [alloc, free] = [device.alloc.bind(device), device.free.bind(device)];
  let allocations = 0;
  device.alloc = (bytes) => {
    if (++allocations >= failsAt) throw new Error("no memory left");
    const buffer = alloc(bytes);
    live.add(buffer);
    return buffer;
  };
  device.free = (buffer) => {
    live.delete(buffer);
    free(buffer);
  };
  return { device, live, count: () => allocations };
}

const options = { model, warmUp: true, maxNumSeqs: 2, maxModelLen: 64 } as const;

it("leaves nothing on the device, wherever memory runs out", async () => {
  const whole = countingDevice(Number.POSITIVE_INFINITY);
  const loaded = await loadModel({ ...options, device: whole.device });
  loaded.runner.close();
  expect(whole.live.size).toBe(0);
  await whole.device.close();
  const left: Record<number, number> = {};
  for (let failsAt = 1; failsAt <= whole.count(); failsAt++) {
    const { device, live } = countingDevice(failsAt);
    const failure = await loadModel({ ...options, device }).then(
      () => "none",
      (error: Error) => error.message,
    );
    expect(failure, `allocation ${failsAt} of ${whole.count()}`).toBe("no memory left");
    if (live.size > 0) left[failsAt] = live.size;
    await device.close();
  }
  expect(left).toEqual({});
});
