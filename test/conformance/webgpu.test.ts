/** [test/conformance] The suite on WebGPU: the GPU that is there, or a software one. A software one runs each sample of a kernel in one choice of dtypes. */
import { conformsTo, inTurns } from "../support/conformance.ts";
import { describeDevices } from "../support/devices.ts";

await describeDevices(
  "conformance",
  (device) => {
    const unsupported = [
      /TW2001/, // more workgroup memory than the adapter has
      /TW2310/, // no memory order between programs
    ];
    conformsTo(
      () => device,
      device.info.hardware ? { unsupported } : { unsupported, filter: inTurns(1) },
    );
  },
  ["webgpu"],
);
