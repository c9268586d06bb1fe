/**
 * [test/bench] Our matrix products beside cuBLAS and foreign texts on one GPU, for machines without the test runner:
 * `tsx test/bench/gemm-device.ts [--texts DIR] [--set large|decode|few|fp8|int8|w4|quick] [--only 8192x8192x8192] [--config BM=128,BN=256] [--json FILE]`.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { configList } from "../../engine/cli/pair-flags.ts";
import {
  type BenchReport,
  BenchSession,
  type ContenderResult,
  type DType,
  formatReport,
  openDevice,
  readForeign,
  type Timing,
} from "../../index.ts";
import { geometricMean } from "../../runtime/bench/statistics.ts";

type Config = ReturnType<typeof configList>;
type Sizes = readonly [M: number, N: number, K: number];

interface Row {
  readonly kernel: string;
  readonly sizes: Sizes;
  readonly dtypes: Readonly<Record<string, DType>>;
  /** Beside the default config. */
  readonly configs: readonly Config[];
}

const BF16 = { T: "bf16", O: "bf16" } as const;
const LARGE: readonly Sizes[] = [
  [8192, 8192, 8192],
  [4096, 4096, 4096],
  [2048, 2048, 2048],
  [8192, 28672, 4096],
  [8192, 4096, 14336],
  [512, 6144, 4096],
  [256, 28672, 4096],
];
const WEIGHTS: readonly (readonly [N: number, K: number])[] = [
  [28672, 4096],
  [4096, 14336],
  [6144, 4096],
];
/** Configs that do well without the instructions of one chip; what the device's tuned tables name comes first anyway. */
const LARGE_CONFIGS: readonly Config[] = [
  { BM: 128, BN: 128, BK: 32, stages: 4, group: 8, warps: 8 },
  { BM: 128, BN: 256, BK: 64, stages: 3, group: 8, warps: 8 },
];
const linear =
  (configs: readonly Config[]) =>
  (sizes: Sizes): Row => {
    return { kernel: "linear", sizes, dtypes: BF16, configs };
  };
const decode = (kernel: string, rows: readonly number[]): readonly Row[] =>
  rows.flatMap((m) =>
    WEIGHTS.map(([n, k]) => ({ kernel, sizes: [m, n, k], dtypes: BF16, configs: [] }) as const),
  );
const FEW_ROWS = decode("linear", [1, 8, 16, 32, 64, 128]);

const SETS: Readonly<Record<string, readonly Row[]>> = {
  quick: [
    { kernel: "linear", sizes: [1000, 1032, 520], dtypes: BF16, configs: LARGE_CONFIGS },
    { kernel: "linear", sizes: [4096, 4096, 4096], dtypes: BF16, configs: LARGE_CONFIGS },
    { kernel: "linear_small", sizes: [1, 6144, 4096], dtypes: BF16, configs: [] },
  ],
  large: LARGE.map(linear(LARGE_CONFIGS)),
  decode: [...decode("linear_small", [1, 8]), ...FEW_ROWS],
  few: FEW_ROWS,
  fp8: (
    [
      [8192, 8192, 8192],
      [4096, 4096, 4096],
      [128, 28672, 4096],
      [16, 28672, 4096],
    ] as const
  ).flatMap((sizes) =>
    ["linear_fp8", "linear_fp8_tensor", "linear_fp8_block"].map(
      (kernel): Row => ({ kernel, sizes, dtypes: { O: "bf16" }, configs: [] }),
    ),
  ),
  w4: (
    [
      [1, 6144, 4096],
      [16, 6144, 4096],
      [16, 4096, 14336],
      [64, 6144, 4096],
    ] as const
  ).flatMap((sizes) =>
    ["linear_w4", "linear_w4_zeros"].map(
      (kernel): Row => ({
        kernel,
        sizes,
        dtypes: { T: "bf16", S: "bf16", O: "bf16", ...(kernel === "linear_w4" ? { W: "u4" } : {}) },
        configs: [1, 2].map((wide) => ({
          BM: sizes[0] > 16 ? 64 : 16,
          BN: 32 * wide,
          BK: 128,
          stages: 3,
        })),
      }),
    ),
  ),
  int8: [{ kernel: "linear_int8", sizes: [8192, 8192, 8192], dtypes: { O: "bf16" }, configs: [] }],
};
const FOREIGN = join(import.meta.dirname, "foreign");

const { values: flags } = parseArgs({
  options: {
    texts: { type: "string" },
    set: { type: "string", multiple: true, default: ["large"] },
    only: { type: "string", multiple: true, default: [] },
    config: { type: "string", multiple: true, default: [] },
    rounds: { type: "string" },
    device: { type: "string", default: "cuda" },
    json: { type: "string" },
  },
});

function foreignTexts() {
  const { texts } = flags;
  if (texts === undefined || !existsSync(texts)) {
    process.stderr.write(`no foreign texts: ${texts ?? "--texts was not given"}\n`);
    return [];
  }
  return readdirSync(FOREIGN)
    .filter((file) => file.endsWith(".json"))
    .map((file) => readForeign(join(FOREIGN, file), texts));
}

function rowsWanted(): readonly Row[] {
  const rows = flags.set.flatMap((name) => {
    const found = SETS[name];
    if (found === undefined)
      throw new Error(`no set '${name}'; there are ${Object.keys(SETS).join(", ")}`);
    return found;
  });
  const configs = flags.config.map(configList);
  return rows
    .filter(({ sizes }) => flags.only.length === 0 || flags.only.includes(sizes.join("x")))
    .map((row) => (configs.length === 0 ? row : { ...row, configs }));
}

/** The best of a role in the mode that decides: the last one that was timed. */
function best(contenders: readonly ContenderResult[], role: ContenderResult["role"]) {
  const timed = contenders.flatMap((contender): readonly [string, Timing][] => {
    const timing = contender.timings.at(-1);
    if (contender.role !== role || timing === undefined) return [];
    return [[contender.detail, timing]];
  });
  return timed.sort(([, a], [, b]) => a.us.median - b.us.median)[0];
}

/** One line a problem, then the means: what a reader at the end of a log wants. */
function summary({ results, ceilings, notes }: BenchReport): string {
  const ratios: { readonly large: number[]; readonly few: number[] } = { large: [], few: [] };
  const lines = results.map(({ problem, contenders, dims }) => {
    const [own, vendor, foreign] = [
      best(contenders, "own"),
      best(contenders, "vendor"),
      best(contenders, "foreign"),
    ];
    const failed = contenders.filter(({ failure }) => failure !== undefined).length;
    const timing = own?.[1];
    if (timing?.ratioToVendor !== undefined)
      ratios[(dims["M"] ?? 0) > 128 ? "large" : "few"].push(timing.ratioToVendor);
    const us = (entry: typeof own) => entry?.[1].us.median.toFixed(2) ?? "–";
    return [
      problem.padEnd(26),
      (timing?.mode ?? "–").padEnd(9),
      us(own).padStart(9),
      us(vendor).padStart(9),
      us(foreign).padStart(9),
      (timing?.teraflops.toFixed(0) ?? "–").padStart(5),
      (timing?.ratioToVendor?.toFixed(3) ?? "–").padStart(7),
      (timing?.ratioToForeign?.toFixed(3) ?? "–").padStart(7),
      ` ${own?.[0] ?? ""}${failed > 0 ? `  ${failed} FAILED` : ""}`,
    ].join(" ");
  });
  const mean = (values: readonly number[]) =>
    values.length === 0 ? "–" : geometricMean(values).toFixed(3);
  const head = `${"".padEnd(26)} mode         own µs vendor µs foreign µ TFLOP × vend × forgn  config`;
  return [
    ...notes.map((note) => `note: ${note.split("\n")[0]}`),
    `copy ${((ceilings.copy?.perSecond ?? 0) / 1e12).toFixed(2)} TB/s`,
    head,
    ...lines,
    `mean of × vendor: more than 128 rows ${mean(ratios.large)}, fewer ${mean(ratios.few)}`,
  ].join("\n");
}

const device = await openDevice(flags.device);
const session = await BenchSession.open(device, {
  foreign: foreignTexts(),
  ...(flags.rounds === undefined ? {} : { measure: { rounds: Number(flags.rounds) } }),
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
let failure: unknown;
try {
  for (const { kernel, sizes, dtypes, configs } of rowsWanted()) {
    const entry = KERNEL_ENTRIES.find((candidate) => candidate.kernel.name === kernel);
    if (entry === undefined) throw new Error(`no kernel ${kernel}`);
    const [M, N, K] = sizes;
    const groups = {
      ...(/_block$|_w4/.test(kernel) ? { KG: Math.ceil(K / 128) } : {}),
      ...(kernel.endsWith("_block") ? { NG: Math.ceil(N / 128) } : {}),
    };
    await session.run(entry, { dims: { M, N, K, ...groups }, dtypes }, [undefined, ...configs]);
  }
} catch (error) {
  failure = error;
}
const report = session.report();
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(report, undefined, 1)}\n`);
process.stdout.write(`${formatReport(report)}\n${summary(report)}\n`);
if (failure !== undefined) {
  process.stderr.write(`${failure instanceof Error ? failure.stack : String(failure)}\n`);
  process.exit(1);
}
session.close();
await device.close();
