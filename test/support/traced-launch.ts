/** [test/support] A process of its own that opens a device and launches a kernel of the catalogue, for tests of what DEBUG prints. */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { siluAndMul } from "../../dsl/kernels/catalogue.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { openDevice } from "../../runtime/open.ts";
import { emptyTensor, zeroTensor } from "../../runtime/tensor.ts";
import { RecordingBackend } from "./recording-backend.ts";

const device =
  process.argv[2] === "text"
    ? new CoreDevice(new RecordingBackend(cudaSpec("sm_80")))
    : await openDevice("interpreter");
const x = zeroTensor(device, "f32", [2, 2, 40]);
const y = emptyTensor(device, "f32", [2, 40]);
for (let i = 0; i < 3; i++) device.launch(siluAndMul, { x, y });
await device.synchronize();
await device.close();
