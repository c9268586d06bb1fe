/** [test/unit/emulation] The third tier as text for sm_90a, run on the CPU: roles, rings and dots as the kernel writes them. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { explicitGemm } from "../../../examples/18-explicit-gemm.ts";
import {
  type DType,
  type KernelDefinition,
  readTensor,
  scheduleConfig,
  tensorFrom,
} from "../../../index.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";
import { changedGemm, OF_BYTES, TRIP_BY_TRIP } from "../../support/explicit-gemm.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");

/** -1, 0 and 1: sums are exact in any order, and in bf16. */
function whole(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => ((i * 37 + seed * 11 + (i >> 3)) % 3) - 1);
}

type Sizes = readonly [M: number, N: number, K: number];

/** The product on the emulated card, and what it is. */
async function multiply(
  kernel: KernelDefinition,
  [M, N, K]: Sizes,
  [of, to]: readonly [DType, DType],
  config: Readonly<Record<string, number | boolean>>,
) {
  if ("reason" in emulation) throw new Error(emulation.reason);
  const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
  const [x, w] = [whole(M * K, 1), whole(N * K, 2)];
  const args = {
    x: tensorFrom(device, of, [M, K], x),
    w: tensorFrom(device, of, [N, K], w),
    y: tensorFrom(device, to, [M, N], new Float32Array(M * N).fill(7)),
  };
  device.launch(kernel, args, { config: { ...config, group: 2 } });
  const expected = Float32Array.from({ length: M * N }, (_, i) => {
    const [row, column] = [Math.floor(i / N), i % N];
    let sum = 0;
    for (let k = 0; k < K; k++) sum += (x[row * K + k] ?? 0) * (w[column * K + k] ?? 0);
    return sum;
  });
  return { seen: await readTensor(args.y), expected };
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
  ] as const)("%s", async (_, sizes, config) => {
    const { seen, expected } = await multiply(explicitGemm, sizes, ["bf16", "bf16"], config);
    expect(seen).toEqual(expected);
  });

  it.each([
    ["e4m3, trip by trip", "f8e4m3", TRIP_BY_TRIP, {}],
    ["e5m2, in the tensor core", "f8e5m2", [], scheduleConfig({ fastSums: true })],
  ] as const)("8-bit floats: %s", async (_, of, changes, wishes) => {
    const kernel = changedGemm(...OF_BYTES, ...changes);
    const config = { BM: 64, BN: 32, BK: 64, stages: 2, consumers: 1, ...wishes };
    const { seen, expected } = await multiply(kernel, [70, 40, 208], [of, "f32"], config);
    expect(seen).toEqual(expected);
  });

  it("rows of 8-bit floats, scaled in registers", async () => {
    const kernel = changedGemm(["import {", "import { loadSlot,"], ...OF_BYTES, [
      "acc = dotAsync(slot(xs, n)",
      'const rows = cast(cast(loadSlot(xs, n), "f32") * 2, T);\n              acc = dotAsync(rows',
    ]);
    const config = { BM: 128, BN: 32, BK: 64, stages: 2, consumers: 2 };
    const { seen, expected } = await multiply(kernel, [130, 40, 176], ["f8e4m3", "f32"], {
      ...config,
      ...scheduleConfig({ fastSums: true }),
    });
    expect(seen).toEqual(expected.map((sum) => 2 * sum));
  });
});
