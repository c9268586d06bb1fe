/** [test/unit/runtime] The harness without a device: statistics, rounds, expressions, descriptions, reports, comparisons, pictures. */
import { describe, expect, it } from "vitest";
import { linear } from "../../../dsl/kernels/linear.ts";
import { rmsNorm } from "../../../dsl/kernels/rms-norm.ts";
import { voidNote } from "../../../runtime/bench/ceilings.ts";
import {
  compareReports,
  formatComparisons,
  hasRegressions,
} from "../../../runtime/bench/compare.ts";
import { evaluate } from "../../../runtime/bench/expression.ts";
import { parseForeign, readForeign, scopeOf, variantsFor } from "../../../runtime/bench/foreign.ts";
import { completeProblem, costOf, dimNamesOf } from "../../../runtime/bench/problem.ts";
import { type BenchReport, REPORT_FORMAT, timingOf } from "../../../runtime/bench/report.ts";
import { rooflineSvg } from "../../../runtime/bench/roofline.ts";
import { alternatingRounds, measureInRounds } from "../../../runtime/bench/rounds.ts";
import {
  geometricMean,
  median,
  pairedRatio,
  quantile,
  spreadOf,
} from "../../../runtime/bench/statistics.ts";
import { formatReport } from "../../../runtime/bench/table.ts";

describe("statistics", () => {
  it("interpolate between order statistics", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([10, 0], 0.2)).toBe(2);
    expect(quantile([5], 0.8)).toBe(5);
    expect(median([])).toBeNaN();
    expect(spreadOf([5, 1, 4, 2, 3, 6])).toEqual({ median: 3.5, p20: 2, p80: 5, count: 6 });
    expect(geometricMean([1, 4])).toBeCloseTo(2, 12);
  });

  it("compare within rounds, so that what slows a whole round falls out", () => {
    expect(pairedRatio([10, 20, 40], [11, 22, 44])).toBeCloseTo(1.1, 12);
    // Medians alone would say 22 / 20.
    expect(pairedRatio([10, 20, 40], [20, 22, 44])).toBeCloseTo(1.1, 12);
    expect(pairedRatio([10, 20, 40], [20, 40, 44])).toBeCloseTo(2, 12);
  });
});

describe("rounds", () => {
  it.each([1, 2, 3, 4, 5])("of %i contenders put each equally often in each place", (n) => {
    const rounds = alternatingRounds(n, 7);
    expect(rounds.length).toBe(Math.ceil(7 / n) * n);
    for (let place = 0; place < n; place++) {
      const counts = Array.from(
        { length: n },
        (_, i) => rounds.filter((order) => order[place] === i).length,
      );
      expect(counts).toEqual(Array(n).fill(rounds.length / n));
    }
    for (const order of rounds) expect([...order].sort()).toEqual([...order.keys()]);
  });

  it("run backwards in every second cycle", () => {
    expect(alternatingRounds(3, 4)).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
      [0, 2, 1],
      [1, 0, 2],
    ]);
    expect(alternatingRounds(0, 5)).toEqual([]);
  });

  it("collect by contender in the order of the rounds", async () => {
    const seen: string[] = [];
    const results = await measureInRounds(2, 2, async (contender, round) => {
      seen.push(`${round}:${contender}`);
      return round * 10 + contender;
    });
    expect(seen).toEqual(["0:0", "0:1", "1:1", "1:0"]);
    expect(results).toEqual([
      [0, 10],
      [1, 11],
    ]);
  });
});

describe("expressions", () => {
  const scope = { M: 1000, BM: 128, CM: 2, ZERO: 0 };

  it.each([
    ["cdiv(M, BM * CM) * CM", 8],
    ["M / BM", 7],
    ["M % BM + 1", 105],
    ["-M + 2 * (BM - 3)", -750],
    ["M >= 1000 && BM != 64", 1],
    ["ZERO > 0 ? 1 : M < 5 ? 2 : 3", 3],
    ["!ZERO || M", 1],
    ["min(M, max(BM, 300))", 300],
    [17, 17],
  ])("%s is %i", (text, value) => {
    expect(evaluate(text, scope, "test") + 0).toBe(value);
  });

  it.each([
    ["M +", "the end"],
    ["M N", "'N'"],
    ["Q * 2", "'Q'"],
    ["cdiv(M)", "')'"],
    ["M $ 2", "'$ 2'"],
    ["M % ZERO", "the value NaN"],
    ["constructor", "'constructor'"],
  ])("%s has no value: %s", (text, seen) => {
    expect(() => evaluate(text, scope, "grid of x")).toThrow(/TW3310: grid of x/);
    expect(() => evaluate(text, scope, "grid of x")).toThrow(seen);
  });
});

describe("descriptions of foreign texts", () => {
  const text = {
    format: "tilewright-foreign-1",
    name: "theirs",
    computes: ["linear"],
    dtypes: { T: "bf16", O: "bf16" },
    files: ["a.cuh"],
    entry: "gemm",
    defines: { BM: 128 },
    settings: { CTAS: 0 },
    derived: { TILES: "cdiv(M, BM)", AT_ONCE: "CTAS > 0 ? CTAS : SMS" },
    variants: [{ name: "few", for: "M <= 512", defines: { BM: 64 } }, { name: "all" }],
    threads: 384,
    grid: ["min(TILES, AT_ONCE)"],
    arguments: [
      { map: "x", box: ["BM", 64], swizzle: 128 },
      { tensor: "w" },
      { word: "M" },
      { scratch: "TILES * 4", fill: 1, when: "BM > 64" },
    ],
  };

  it("are completed with what they leave out", () => {
    const parsed = parseForeign(text, "x.json", "texts");
    expect(parsed).toMatchObject({
      grid: ["min(TILES, AT_ONCE)", 1, 1],
      cluster: 1,
      sharedBytes: 0,
      dependentLaunch: false,
      accumulation: "f32",
      folder: "texts",
    });
    expect(parsed.arguments.map(({ kind }) => kind)).toEqual(["map", "tensor", "word", "scratch"]);
  });

  it("choose variants by sizes and derive names in order", () => {
    const parsed = parseForeign(text, "x.json", "texts");
    const dims = { M: 300, N: 8, K: 8 };
    const [few, all] = variantsFor(parsed, dims);
    expect([few?.name, all?.name]).toEqual(["few", "all"]);
    expect(variantsFor(parsed, { ...dims, M: 4096 }).map(({ name }) => name)).toEqual(["all"]);
    if (few === undefined) throw new Error("no variant");
    const scope = scopeOf(parsed, few, dims, { SMS: 132, CLUSTERS: 132 });
    expect(scope).toMatchObject({ BM: 64, TILES: 5, AT_ONCE: 132 });
  });

  it("are refused with everything that is wrong", () => {
    const bad = { ...text, format: 2, grid: "x", arguments: [{ thing: 1 }], defines: { A: 1.5 } };
    expect(() => parseForeign(bad, "x.json", "")).toThrow(
      /format: 2[\s\S]*grid: "x"[\s\S]*defines[\s\S]*"thing":1/,
    );
    expect(() => parseForeign([], "x.json", "")).toThrow(/TW3311/);
    expect(() => readForeign("nowhere.json")).toThrow(/TW3311/);
  });

  it.each(["gemm-bf16", "gemm-fp8", "skinny-bf16", "gemv-bf16", "skinny-mma-bf16"])(
    "%s of this repository give every problem a launch that fits",
    (name) => {
      const parsed = readForeign(`test/bench/foreign/${name}.json`);
      let launches = 0;
      for (const M of [1, 8, 16, 32, 64, 128, 256, 512, 2048, 8192]) {
        const dims = { M, N: 28672, K: 4096 };
        for (const variant of variantsFor(parsed, dims)) {
          const scope = scopeOf(parsed, variant, dims, { SMS: 132, CLUSTERS: 66 });
          const value = (expression: string | number) => evaluate(expression, scope, name);
          expect(value(parsed.sharedBytes)).toBeLessThanOrEqual(232448);
          expect(value(parsed.threads) % 32).toBe(0);
          expect(value(parsed.grid[0])).toBeGreaterThan(0);
          expect(value(parsed.grid[0]) % value(parsed.cluster)).toBe(0);
          launches++;
        }
      }
      expect(launches).toBeGreaterThan(0);
    },
  );
});

describe("problems", () => {
  it("name their dims as people write products", () => {
    expect(dimNamesOf(linear)).toEqual(["M", "N", "K"]);
    expect(dimNamesOf(rmsNorm)).toEqual(["R", "H"]);
  });

  it("are completed, or refused with what is missing", () => {
    const problem = completeProblem(linear, { dims: { M: 2, N: 3, K: 4 }, dtypes: { T: "f16" } });
    expect(problem).toMatchObject({ name: "M=2 N=3 K=4", dtypes: { T: "f16", O: "f32" } });
    expect(costOf({ kernel: linear }, problem)).toEqual({ bytes: 2 * (8 + 12) + 4 * 6, flops: 0 });
    expect(() => completeProblem(linear, { dims: { M: 2, Q: 3 } })).toThrow(
      /TW3301[\s\S]*N, K missing/,
    );
    expect(() =>
      completeProblem(linear, { dims: { M: 2, N: 3, K: 4 }, dtypes: { T: "i8" } }),
    ).toThrow(/TW3302[\s\S]*f32, f16, bf16/);
  });
});

const measured = (...rounds: readonly number[]) => ({ rounds, samples: rounds, chip: [] });
const limits = {
  bytes: 4e6,
  flops: 8e9,
  operandDType: "bf16" as const,
  ceilings: {
    copy: { perSecond: 4e12, how: "cuMemcpyDtoD" },
    products: { bf16: { perSecond: 800e12, how: "cuBLAS" } },
  },
};

function reportOf(ownUs: number, vendorUs: number, name = "H200"): BenchReport {
  const vendor = measured(vendorUs, vendorUs * 1.01, vendorUs * 0.99);
  const own = measured(ownUs, ownUs * 1.01, ownUs * 0.99);
  const rivals = { vendor, foreign: undefined };
  const row = (who: string, role: "own" | "vendor", times: typeof own) => ({
    name: who,
    role,
    detail: role === "own" ? "default config" : `Lt heuristic ${Math.round(vendorUs)}`,
    check: { passed: true, worst: 0.1, elements: 4096, relativeError: 0.0017 },
    timings: [timingOf("cold", times, limits, rivals)],
  });
  return {
    format: REPORT_FORMAT,
    startedAt: "2026-01-02T03:04:05.000Z",
    device: { driver: "cuda", name, hardware: true, versions: { nvrtc: "13.0" } },
    ceilings: limits.ceilings,
    notes: ["vendor: cuBLASLt 13.0.0"],
    results: [
      {
        kernel: "linear",
        problem: "M=64 N=64 K=64",
        dims: { M: 64, N: 64, K: 64 },
        dtypes: { T: "bf16", O: "bf16" },
        bytes: limits.bytes,
        flops: limits.flops,
        operandDType: "bf16",
        numSets: 3,
        checkedBy: "double sums on the device",
        contenders: [
          row("linear", "own", own),
          row("cuBLAS", "vendor", vendor),
          {
            name: "linear",
            role: "own",
            detail: "BM=8",
            failure: "y: 3 of 4096 elements differ",
            timings: [],
          },
        ],
      },
    ],
  };
}

describe("a report", () => {
  it("derives rates, the share of the ceiling and the ratio to the vendor", () => {
    const timing = timingOf("cold", measured(16, 20, 18), limits, {
      vendor: measured(20, 22, 18),
      foreign: measured(8, 10, 9),
    });
    expect(timing.us.median).toBe(18);
    expect(timing.teraflops).toBeCloseTo(8e9 / 18e-6 / 1e12, 9);
    expect(timing.gigabytesPerSecond).toBeCloseTo(4e6 / 18e-6 / 1e9, 9);
    expect(timing.percentOfCeiling).toBeCloseTo((100 * 10) / 18, 9); // 10 µs of products, 1 µs of bytes
    expect(timing.ratioToVendor).toBeCloseTo(1.1, 9);
    expect(timing.ratioToForeign).toBeCloseTo(0.5, 9);
  });

  it("is one table, with the reasons of failures beneath", () => {
    expect(formatReport(reportOf(20, 22))).toMatchInlineSnapshot(`
      "H200 (cuda, nvrtc 13.0)
      copy 4.000 TB/s by cuMemcpyDtoD
      products of bf16 800 TFLOP/s by cuBLAS
      note: vendor: cuBLASLt 13.0.0

                                 mode    time µs      p20–p80  TFLOP/s   GB/s  % of ceiling  × vendor  check
      linear M=64 N=64 K=64 T=bf16 O=bf16 (checked by double sums on the device, 3 sets of tensors in turn)
        linear, default config   cold      20.00  19.88–20.12    400.0  200.0          50.0     1.100  4096 right, error 1.7e-3
        cuBLAS, Lt heuristic 22  cold      22.00  21.87–22.13    363.6  181.8          45.5     1.000  4096 right, error 1.7e-3
        linear, BM=8             –     not timed            –        –      –             –         –  FAILED

      M=64 N=64 K=64, linear BM=8: y: 3 of 4096 elements differ
      "
    `);
  });

  it("is a picture of ceilings and points", () => {
    const svg = rooflineSvg(reportOf(20, 22));
    expect(svg).toMatch(/^<svg [^>]*>\n<title>.+<\/title>\n[\s\S]*<\/svg>\n$/);
    expect(svg).toContain("H200, 2026-01-02");
    expect(svg).toContain("copy 4.00 TB/s");
    expect(svg).toContain("bf16 800 TFLOP/s");
    expect(svg.match(/<circle /g)?.length).toBe(4); // two points, two in the legend
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const empty = rooflineSvg({ ...reportOf(20, 22), results: [], ceilings: { products: {} } });
    expect(empty).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("says when copies are too slow for anything to count", () => {
    expect(voidNote("NVIDIA H200", { perSecond: 3.9e12, how: "" })).toMatch(/^void: .*3.90 TB\/s/);
    expect(voidNote("NVIDIA H200", { perSecond: 4.2e12, how: "" })).toBeUndefined();
    expect(voidNote("SwiftShader", { perSecond: 1e9, how: "" })).toBeUndefined();
  });
});

describe("a comparison of reports", () => {
  it("goes by the ratio to the vendor, which the state of the machine does not change", () => {
    const slowMachine = compareReports(reportOf(20, 22), reportOf(30, 33));
    expect(slowMachine.comparisons.map(({ verdict }) => verdict)).toEqual(["same", "same"]);
    expect(hasRegressions(slowMachine)).toBe(false);
    const slower = compareReports(reportOf(20, 22), reportOf(22, 22));
    expect(slower.comparisons[0]).toMatchObject({
      verdict: "slower",
      basis: "ratio to the vendor",
      speedup: expect.closeTo(20 / 22, 6),
    });
    expect(hasRegressions(slower)).toBe(true);
    const faster = compareReports(reportOf(20, 22), reportOf(18, 22));
    expect(faster.comparisons[0]?.verdict).toBe("faster");
  });

  it("goes by time where there is no vendor, beyond spread and 2 %", () => {
    const alone = (us: number): BenchReport => {
      const report = reportOf(us, us);
      return {
        ...report,
        results: report.results.map((result) => ({
          ...result,
          contenders: result.contenders.slice(0, 1).map((contender) => ({
            ...contender,
            timings: contender.timings.map(({ ratioToVendor: _, ...timing }) => timing),
          })),
        })),
      };
    };
    expect(compareReports(alone(20), alone(20.3)).comparisons[0]?.verdict).toBe("same");
    expect(compareReports(alone(20), alone(21)).comparisons[0]).toMatchObject({
      verdict: "slower",
      basis: "time",
    });
  });

  it("prints the worst first, what only one side has, and other machines", () => {
    const before = reportOf(20, 22);
    const after = reportOf(30, 22, "H100");
    const text = formatComparisons(
      compareReports(before, {
        ...after,
        results: after.results.map((result) => ({ ...result, kernel: "linear" })),
      }),
    );
    expect(text).toMatch(/^warning: the devices differ: H200, then H100\nslower 0\.667×/);
    expect(text).toContain("1 of 2 within the noise");
    const gone = formatComparisons(compareReports(before, { ...before, results: [] }));
    expect(gone).toContain("only before: linear M=64 N=64 K=64 bf16 bf16, cuBLAS, cold");
    expect(gone).toMatch(/^nothing to compare: no measurement is in both reports\n/);
  });
});
