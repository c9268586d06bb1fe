/** [test/unit/emulation] Mistakes planted in a TMA and wgmma GEMM are found; the right text gives no finding and the right values. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { bf16Bits } from "../../../dsl/core/rounding.ts";
import type { EmulatedLaunch, EmulatedRun } from "../../support/emulation-protocol.ts";
import {
  bytesOf,
  describeEmulated,
  i32,
  input,
  kindsOf,
  output,
  randomBelow,
  tensorMap,
} from "./open.ts";
import { WGMMA_FAULTS, WGMMA_GEMM, type WgmmaFault, wgmmaGemmText } from "./wgmma-gemm-kernel.ts";

interface Problem {
  readonly launch: EmulatedLaunch;
  readonly expected: Uint16Array;
}

/** -1, 0 and 1, so that every sum is exact also in bf16. */
function problem(
  fault: WgmmaFault,
  [m, n, k]: readonly [number, number, number],
  seeds: readonly number[],
  blocks = 2,
): Problem {
  const random = randomBelow(m * 31 + n * 7 + k);
  const a = Array.from({ length: m * k }, () => random(3) - 1);
  const b = Array.from({ length: n * k }, () => random(3) - 1);
  const expected = new Uint16Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let q = 0; q < k; q++) sum += (a[i * k + q] ?? 0) * (b[j * k + q] ?? 0);
      expected[i * n + j] = bf16Bits(sum);
    }
  }
  const launch: EmulatedLaunch = {
    kernel: fault,
    grid: [blocks, 1, 1],
    threads: WGMMA_GEMM.threads,
    sharedBytes: WGMMA_GEMM.sharedBytes,
    args: [
      input("a", Uint16Array.from(a, bf16Bits)),
      input("b", Uint16Array.from(b, bf16Bits)),
      output("c", new Uint16Array(m * n).fill(0x7fc0)),
      i32(m),
      i32(n),
      i32(k),
      tensorMap("a", [m, k], [64, 64], 2, 128),
      tensorMap("b", [n, k], [64, 64], 2, 128),
      tensorMap("c", [m, n], [16, 64], 2, 128),
    ],
    seeds,
  };
  return { launch, expected };
}

function valuesOf(run: EmulatedRun): Uint16Array {
  return new Uint16Array(bytesOf(run, "c").buffer);
}

function hasWrongValues(runs: readonly EmulatedRun[], expected: Uint16Array): boolean {
  return runs.some((run) => valuesOf(run).some((value, i) => value !== expected[i]));
}

/** bf16 bits of numbers in [-1, 1), by the generator of the measurement. */
function measuredNumbers(seed: number): () => number {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return bf16Bits(((state >>> 8) & 0xffff) / 32768 - 1);
  };
}

describeEmulated("planted faults of TMA and wgmma", (emulation) => {
  const unit = emulation.build(
    WGMMA_FAULTS.map((fault) => ({ id: fault, entry: "gemm", text: wgmmaGemmText(fault) })),
    { seconds: 60 },
  );
  const shapes: readonly (readonly [number, number, number])[] = [
    [64, 64, 64],
    [100, 72, 264],
    [1, 8, 8],
    [193, 136, 72],
    [17, 200, 520],
  ];

  it.each(shapes)("gives no finding and exact sums for %i x %i x %i on 8 seeds", (...shape) => {
    const { launch, expected } = problem("none", shape, [1, 2, 3, 4, 5, 6, 7, 8]);
    const runs = unit.launch(launch);
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(hasWrongValues(runs, expected)).toBe(false);
  });

  it("computes the same without checks and with blocks side by side", () => {
    const { launch, expected } = problem("none", [130, 72, 200], [1, 2], 3);
    expect(hasWrongValues(unit.launch({ ...launch, check: false }), expected)).toBe(false);
    const together = unit.launch({ ...launch, resident: 3 });
    expect(together.flatMap((run) => run.reports)).toEqual([]);
    expect(hasWrongValues(together, expected)).toBe(false);
  });

  it("rounds a product of random numbers as an H200 does, bit for bit", () => {
    const [m, n, k] = [384, 256, 1024] as const;
    const random = measuredNumbers(m + n + k);
    const numbers = (count: number): Uint16Array => Uint16Array.from({ length: count }, random);
    const a = numbers(m * k);
    const b = numbers(n * k);
    const { launch } = problem("none", [m, n, k], [1], 3);
    const args = [input("a", a), input("b", b), ...launch.args.slice(2)];
    const [run] = unit.launch({ ...launch, args, check: false });
    // @source results of another text with the same sums, compiled by nvcc 13.0
    expect(createHash("sha256").update(bytesOf(run, "c")).digest("hex")).toBe(
      "b86985d8b8723eb17e8c54fd016e8410362b464ecb3078b599834223faebc3d0",
    );
  });

  const faults: readonly (readonly [WgmmaFault, string])[] = [
    ["expect-too-few", "mbarrier"],
    ["expect-too-many", "deadlock"],
    ["no-full-wait", "early-read"],
    ["full-parity", "early-read"],
    ["no-empty-wait", "overwrite-in-flight"],
    ["empty-parity", "deadlock"],
    ["empty-count", "deadlock"],
    ["early-free", "overwrite-in-flight"],
    ["never-free", "deadlock"],
    ["no-init-fence", "proxy"],
    ["no-init-barrier", "mbarrier"],
    ["no-wgmma-fence", "misuse"],
    ["no-wgmma-commit", "accumulator-early"],
    ["no-wgmma-wait", "accumulator-early"],
    ["no-proxy-fence", "proxy"],
    ["late-proxy-fence", "proxy"],
    ["no-panel-sync", "race"],
    ["no-read-wait", "overwrite-in-flight"],
    ["no-store-commit", "left-pending"],
    ["wrong-stage", "early-read"],
  ];
  const seeds = [1, 2, 3, 4, 5, 6];

  it.each(faults)("finds %s as %s", (fault, kind) => {
    const { launch } = problem(fault, [128, 136, 264], seeds);
    expect(kindsOf(unit.launch(launch))).toContain(kind);
  });

  const silent: readonly WgmmaFault[] = [
    "swapped-fragment",
    "panel-swizzle",
    "descriptor-swizzle",
    "descriptor-stride",
    "k-step",
  ];

  it.each(silent)("computes wrong values for %s", (fault) => {
    const { launch, expected } = problem(fault, [128, 136, 264], [1]);
    expect(hasWrongValues(unit.launch(launch), expected)).toBe(true);
  });

  it("covers every fault", () => {
    const covered = ["none", ...faults.map(([fault]) => fault), ...silent];
    expect(covered.sort()).toEqual([...WGMMA_FAULTS].sort());
  });

  it("says which buffer, which barrier and what is missing", () => {
    const textOf = (fault: WgmmaFault): string =>
      unit
        .launch(problem(fault, [128, 136, 264], [1, 2, 3]).launch)
        .flatMap((run) => run.reports.map((report) => report.text))
        .join("\n");
    expect(textOf("expect-too-many")).toMatch(
      /tw_mbarrier_wait at .*parity 0 of mbarrier 0x\w+ \(full\+0\): phase 0 under way, 0 of 1 arrivals and 16 bytes missing/,
    );
    expect(textOf("no-proxy-fence")).toMatch(
      /tw_tma_store_2d .*meets byte 0x\w+ \(panels\+\d+\) without tw_fence_proxy_async .*tw_stmatrix_x4/,
    );
    expect(textOf("early-free")).toMatch(
      /tw_tma_load_2d at .* writes byte 0x\w+ \(stages\+\d+\) .*before tw_wgmma_wait covered .*tw_wgmma_m64n64k16_f32_bf16/,
    );
  });
});
