/** [test/unit/codegen/scheduled] Late sums in kernels that trips past the last would change: part of a row, and sums that are more than added to. */
import { describe, expect, it } from "vitest";
import { explain } from "../../../../codegen/index.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { type KernelDefinition, scheduled } from "../../../../dsl/index.ts";
import { kernel, out, tensor } from "../../../../dsl/language.ts";
import { dot, floordiv, load, range, span, store, zeros } from "../../../../dsl/ops/catalogue.ts";
import { CoreDevice } from "../../../../runtime/device-core.ts";
import { emptyTensor, readTensor, tensorFromBytes } from "../../../../runtime/index.ts";
import { EmulatedBackend } from "../../../support/emulated-backend.ts";
import { openEmulation } from "../../../support/emulation.ts";

const target = cudaSpec("sm_90a");
const [ROWS, COLUMNS, LENGTH] = [128, 64, 512];
const signature = {
  params: {
    x: tensor("f8e4m3", "M", "K"),
    w: tensor("f8e4m3", "N", "K"),
    y: out("f32", "M", "N"),
  },
  config: { BM: ROWS, BN: COLUMNS, BK: 128, stages: 2 },
  grid: () => 1,
} as const;

const half = kernel({ ...signature, name: "half" }, ({ x, w, y, K }, { BM, BN, BK, stages }) => {
  let acc = zeros("f32", BM, BN);
  for (const k of range(0, floordiv(K, 2), BK, { stages }))
    acc = acc + dot(load(x, [span(0, BM), span(k, BK)]), load(w, [span(0, BN), span(k, BK)]));
  store(y, [span(0, BM), span(0, BN)], acc);
});

const faded = kernel({ ...signature, name: "faded" }, ({ x, w, y, K }, { BM, BN, BK, stages }) => {
  let acc = zeros("f32", BM, BN);
  for (const k of range(0, K - 128, BK, { stages }))
    acc = acc * 0.5 + dot(load(x, [span(0, BM), span(k, BK)]), load(w, [span(0, BN), span(k, BK)]));
  store(y, [span(0, BM), span(0, BN)], acc);
});

const emulation = openEmulation();

describe.skipIf("reason" in emulation)("late sums", () => {
  it.each([
    ["a part of a row", half, /^not as asked: trips past the last one/],
    ["sums that fade", faded, /^not as asked: a trip does more/],
  ] as const)("do not change %s", async (_what, plain: KernelDefinition, why) => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const ones = (rows: number) => new Uint8Array(rows * LENGTH).fill(0x38); // 1 in f8e4m3
    const x = tensorFromBytes(device, "f8e4m3", [ROWS, LENGTH], ones(ROWS));
    const w = tensorFromBytes(device, "f8e4m3", [COLUMNS, LENGTH], ones(COLUMNS));
    const results: number[] = [];
    for (const one of [plain, scheduled(plain, { lateSums: true })]) {
      const y = emptyTensor(device, "f32", [ROWS, COLUMNS]);
      device.launch(one, { x, w, y });
      results.push((await readTensor(y))[0] ?? Number.NaN);
    }
    expect(results[1]).toBe(results[0]);
    const divisibility = { M: 16, N: 16, K: 16 };
    const asked = scheduled(plain, { lateSums: true });
    const { schedule } = explain(asked, { specialization: {}, target, divisibility });
    expect(schedule["lateSums"]).toMatch(why);
  });
});
