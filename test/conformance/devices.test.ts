/**
 * [test/conformance] The suite on the interpreter and on CUDA where a GPU is; WebGPU has a file of its own, so that both run at one time. Every
 * sample of every kernel runs in the interpreter in `test/unit/dsl/kernels/interpreted.test.ts`; here each does in one choice of dtypes.
 */
import { conformsTo, inTurns } from "../support/conformance.ts";
import { describeDevices } from "../support/devices.ts";

/** Memory of the machine, not meaning: what a device of this size may refuse. */
const UNSUPPORTED = [
  /TW2001/, // more shared memory than the device has
  /TW3112/, // grids that CUDA cannot launch along y or z
];

await describeDevices(
  "conformance",
  (device) => {
    const filter = device.info.hardware ? undefined : inTurns(0);
    conformsTo(() => device, { unsupported: UNSUPPORTED, ...(filter && { filter }) });
  },
  ["interpreter", "cuda"],
);
