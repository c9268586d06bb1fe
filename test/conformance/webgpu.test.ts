/** [test/conformance] The suite on WebGPU: the GPU that is there, or a software one. Every case of every group. */
import { conformsTo } from "../support/conformance.ts";
import { describeDevices } from "../support/devices.ts";

await describeDevices(
  "conformance",
  (device) => {
    conformsTo(() => device, { unsupported: [/TW2001/] }); // more workgroup memory than the adapter has
  },
  ["webgpu"],
);
