/** [test/unit/emulation] The third tier as text for sm_90a, run on the CPU: roles, rings and dots as the kernel writes them. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { explicitGemm } from "../../../examples/18-explicit-gemm.ts";
import { readTensor, tensorFrom } from "../../../index.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");

/** -1, 0 and 1: sums are exact in any order, and in bf16. */
function whole(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => ((i * 37 + seed * 11 + (i >> 3)) % 3) - 1);
}

describe.skipIf("reason" in emulation)("explicit roles", () => {
  it.each([
    [
      "two warpgroups, ragged",
      [150, 70, 200],
      { BM: 128, BN: 64, BK: 64, stages: 3, consumers: 2 },
    ],
    ["one warpgroup, one trip", [64, 48, 40], { BM: 64, BN: 32, BK: 32, stages: 2, consumers: 1 }],
    ["no trips", [70, 32, 0], { BM: 64, BN: 32, BK: 64, stages: 2, consumers: 1 }],
  ] as const)("%s", async (_, [M, N, K], config) => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const [x, w] = [whole(M * K, 1), whole(N * K, 2)];
    const args = {
      x: tensorFrom(device, "bf16", [M, K], x),
      w: tensorFrom(device, "bf16", [N, K], w),
      y: tensorFrom(device, "bf16", [M, N], new Float32Array(M * N).fill(7)),
    };
    device.launch(explicitGemm, args, { config: { ...config, group: 2 } });
    const expected = Float32Array.from({ length: M * N }, (_, i) => {
      const [row, column] = [Math.floor(i / N), i % N];
      let sum = 0;
      for (let k = 0; k < K; k++) sum += (x[row * K + k] ?? 0) * (w[column * K + k] ?? 0);
      return sum;
    });
    expect(await readTensor(args.y)).toEqual(expected);
  });
});
