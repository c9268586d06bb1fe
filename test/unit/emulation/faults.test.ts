/** [test/unit/emulation] Mistakes planted in a pipelined GEMM are found; the right text gives no finding and the right values. */
import { expect, it } from "vitest";
import { f16Bits } from "../../../dsl/core/rounding.ts";
import type { EmulatedLaunch, EmulatedRun } from "../../support/emulation-protocol.ts";
import { GEMM, GEMM_FAULTS, type GemmFault, gemmText } from "./gemm-kernel.ts";
import { describeEmulated, floatsOf, i32, input, kindsOf, output, randomBelow } from "./open.ts";

interface Problem {
  readonly launch: EmulatedLaunch;
  readonly expected: Float32Array;
}

/** Small whole numbers, so that every sum is exact and a wrong place is a wrong number. */
function problem(
  fault: GemmFault,
  m: number,
  n: number,
  k: number,
  seeds: readonly number[],
): Problem {
  const random = randomBelow(m * 31 + n * 7 + k);
  const a = Array.from({ length: m * k }, () => random(17) - 8);
  const b = Array.from({ length: n * k }, () => random(17) - 8);
  const expected = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let q = 0; q < k; q++) sum += (a[i * k + q] ?? 0) * (b[j * k + q] ?? 0);
      expected[i * n + j] = sum;
    }
  }
  const launch: EmulatedLaunch = {
    kernel: fault,
    grid: [Math.ceil(n / GEMM.tileN), Math.ceil(m / GEMM.tileM), 1],
    threads: GEMM.threads,
    sharedBytes: GEMM.sharedBytes,
    args: [
      input("a", Uint16Array.from(a, f16Bits)),
      input("b", Uint16Array.from(b, f16Bits)),
      output("c", new Float32Array(m * n).fill(Number.NaN)),
      i32(m),
      i32(n),
      i32(k),
    ],
    seeds,
  };
  return { launch, expected };
}

function hasWrongValues(runs: readonly EmulatedRun[], expected: Float32Array): boolean {
  return runs.some((run) => floatsOf(run, "c").some((value, i) => value !== expected[i]));
}

describeEmulated("planted faults", (emulation) => {
  const unit = emulation.build(
    GEMM_FAULTS.map((fault) => ({ id: fault, entry: "gemm", text: gemmText(fault) })),
    { seconds: 30 },
  );
  const shapes: readonly (readonly [number, number, number])[] = [
    [37, 29, 136],
    [32, 32, 32],
    [1, 1, 8],
    [64, 33, 40],
    [31, 65, 200],
    [33, 1, 64],
  ];

  it.each(shapes)("gives no finding and exact sums for %i x %i x %i on 8 seeds", (m, n, k) => {
    const { launch, expected } = problem("none", m, n, k, [1, 2, 3, 4, 5, 6, 7, 8]);
    const runs = unit.launch(launch);
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    for (const run of runs) expect(floatsOf(run, "c")).toEqual(expected);
  });

  const faults: readonly (readonly [GemmFault, string])[] = [
    ["no-barrier", "race"],
    ["no-wait", "early-read"],
    ["wait-one-less", "early-read"],
    ["no-commit", "early-read"],
    ["stage-in-use", "race"],
    ["stage-past-end", "oob-shared"],
    ["no-prologue", "uninit"],
    ["no-shared-base", "oob-shared"],
    ["load-mask", "oob-global"],
    ["store-mask", "oob-global"],
    ["divergent-barrier", "misuse"],
    ["copies-left", "left-pending"],
    ["misaligned", "misuse"],
  ];
  it.each(faults)("reports %s as %s on every seed", (fault, kind) => {
    const { launch } = problem(fault, 37, 29, 136, [1, 2, 3, 4, 5, 6]);
    for (const run of unit.launch(launch)) expect(kindsOf([run])).toContain(kind);
  });

  it.each(["wrong-swizzle", "swapped-fragment", "wrong-row", "store-columns"] as const)(
    "shows %s as wrong values",
    (fault) => {
      const { launch, expected } = problem(fault, 37, 29, 136, [1, 2, 3]);
      const runs = unit.launch(launch);
      expect(hasWrongValues(runs, expected)).toBe(true);
    },
  );

  it("names the allocation, both places and both threads in a race", () => {
    const { launch } = problem("no-barrier", 37, 29, 136, [1]);
    const text =
      unit.launch(launch)[0]?.reports.find((report) => report.kind === "race")?.text ?? "";
    expect(text).toMatch(
      /^thread \d+ \(warp \d lane \d+\): tw_\w+ at no-barrier:\d+ (reads|writes) byte 0x\w+ \(stages\+\d+\)/,
    );
    expect(text).toMatch(
      /with no barrier after it was .* by thread \d+ \(warp \d lane \d+\), tw_\w+ at no-barrier:\d+/,
    );
    expect(text).toMatch(/\[no-barrier block \(\d,\d,0\)\]$/);
  });

  it("runs blocks interleaved with the same sums", () => {
    const { launch, expected } = problem("none", 70, 70, 40, [1, 2, 3]);
    const runs = unit.launch({ ...launch, resident: 4 });
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    for (const run of runs) expect(floatsOf(run, "c")).toEqual(expected);
  });

  it("computes the same without checks", () => {
    const { launch, expected } = problem("none", 70, 70, 40, [1]);
    const runs = unit.launch({ ...launch, check: false });
    expect(floatsOf(runs[0], "c")).toEqual(expected);
  });

  it("counts no bank conflicts with the right swizzle and some with a wrong one", () => {
    const extra = (fault: GemmFault): number => {
      const { launch } = problem(fault, 64, 64, 64, [1]);
      const banks = unit.launch(launch)[0]?.banks ?? [];
      return banks
        .filter((use) => use.site.includes("ldmatrix"))
        .reduce((sum, use) => sum + use.wavefronts - use.ideal, 0);
    };
    expect(extra("none")).toBe(0);
    expect(extra("wrong-swizzle")).toBeGreaterThan(0);
  });
});
