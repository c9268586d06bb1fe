/** [test/regressions] What lies outside a tensor of nf4 reads as 0, whose code is 7: CUDA and HIP texts gave code 0, which is -1. Found by a random program. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../codegen/targets/hip/features.ts";
import { cast, kernel, load, out, pid, span, store, tensor, tile } from "../../index.ts";
import { CoreDevice, emptyTensor, readTensor, tensorFrom } from "../../runtime/index.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";

const pastTheEnd = kernel(
  {
    name: "past_the_end",
    params: { x: tensor("nf4", "M", "N"), y: out("f32", 1, 8) },
    config: { BM: 1, BN: 8 },
    grid: () => [1, 1],
  },
  ({ x, y }, { BM, BN }) => {
    const v = cast(load(x, [tile(pid(0), BM), tile(pid(1), BN)]), "f32");
    store(y, [span(0, BM), span(0, BN)], v);
  },
);

const emulation = openEmulation();
const reason = "reason" in emulation ? emulation.reason : undefined;
if (reason !== undefined) console.warn(`skipped: what nf4 reads outside: ${reason}`);

describe.skipIf(reason !== undefined)("nf4 outside of a tensor", () => {
  it.each([cudaSpec("sm_80"), hipSpec("gfx90a")])("is 0 on $arch", async (target) => {
    if ("reason" in emulation) return;
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const x = tensorFrom(device, "nf4", [1, 3], [1, -1, 1]);
    const y = emptyTensor(device, "f32", [1, 8]);
    device.launch(pastTheEnd, { x, y });
    expect([...(await readTensor(y))]).toEqual([1, -1, 1, 0, 0, 0, 0, 0]);
    await device.close();
  });
});
