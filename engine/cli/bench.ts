/** [engine/cli] `tilewright bench`: measures kernels beside the vendor's library and foreign texts, and compares reports. Models: bench-model.ts. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { RequestError } from "../../dsl/index.ts";
import {
  type BenchOptions,
  type BenchReport,
  BenchSession,
  compareReports,
  formatComparisons,
  formatReport,
  hasRegressions,
  openDevice,
  parseReport,
  readForeign,
  rooflineSvg,
  type TimingMode,
} from "../../runtime/index.ts";
import { modeList } from "./bench-flags.ts";
import { addBenchModelFlags, type BenchModelFlags, runBenchModel } from "./bench-model.ts";
import { writeOutput } from "./flag-file.ts";
import { addJobFlags, collect, type Job, type JobFlags, jobsOf } from "./kernel-jobs.ts";
import { DEVICE_ABOUT, integer } from "./model-flags.ts";

export interface BenchFlags extends JobFlags, BenchModelFlags {
  readonly mode?: readonly TimingMode[];
  readonly rounds?: number;
  readonly device?: string;
  readonly vendor: boolean;
  readonly check: boolean;
  readonly foreign: readonly string[];
  readonly foreignTexts?: string;
  readonly json?: string;
  readonly plot?: string;
  readonly compare?: readonly string[];
}

export function addBench(program: Command): void {
  const command = program
    .command("bench")
    .description("measure kernels: every output checked, the vendor's library beside them");
  addJobFlags(command, {
    kernel: "may be repeated; every kernel of the catalogue",
    config: "BM=128,BN=256: one config; repeated, each is measured",
  })
    .option("--mode <names>", "cold, sustained, layers; what suits the problem", modeList)
    .option("--rounds <n>", "least rounds in which contenders alternate", integer)
    .option("--device <name>", DEVICE_ABOUT)
    .option("--no-vendor", "without the vendor's library")
    .option("--no-check", "without checking outputs (the table says so)")
    .option("--foreign <file>", "description of a foreign CUDA text; may be repeated", collect, [])
    .option("--foreign-texts <dir>", "where the texts lie, if not beside their descriptions")
    .option("--json <file>", "write the report")
    .option("--plot <file>", "write a roofline as SVG")
    .option("--compare <reports...>", "two reports; or one, with which this run is compared");
  addBenchModelFlags(command).action(run);
}

async function run(file: string | undefined, flags: BenchFlags): Promise<void> {
  if (flags.model !== undefined) {
    await runBenchModel(flags.model, flags);
    return;
  }
  const [before, after, ...more] = flags.compare ?? [];
  if (more.length > 0) {
    throw new RequestError({
      code: "TW4417",
      message: "--compare was given too many reports",
      seen: `${more.length + 2}`,
      expected: "two, or one with which this run is compared",
      remedy: "compare them in pairs",
    });
  }
  if (before !== undefined && after !== undefined) {
    compare(readReport(before), readReport(after));
    return;
  }
  const jobs = await jobsOf(file, flags);
  const old = before === undefined ? undefined : readReport(before);
  const report = await measure(jobs, flags);
  process.stdout.write(formatReport(report));
  writeOutput("--json", flags.json, () => `${JSON.stringify(report, undefined, 1)}\n`);
  writeOutput("--plot", flags.plot, () => rooflineSvg(report));
  if (old !== undefined) compare(old, report);
  throwFailures(report);
}

/** Measures all; what was found before a failure is still reported, on stderr. */
async function measure(jobs: readonly Job[], flags: BenchFlags): Promise<BenchReport> {
  const foreign = flags.foreign.map((path) => readForeign(path, flags.foreignTexts));
  const options: BenchOptions = {
    configs: flags.config,
    vendor: flags.vendor,
    check: flags.check,
    foreign,
    ...(flags.mode === undefined ? {} : { modes: flags.mode }),
    ...(flags.rounds === undefined ? {} : { measure: { rounds: flags.rounds } }),
    onProgress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
    },
  };
  const device = await openDevice(flags.device);
  try {
    const session = await BenchSession.open(device, options);
    try {
      for (const { subject, problems } of jobs)
        for (const problem of problems) await session.run(subject, problem);
      return session.report();
    } catch (error) {
      if (session.report().results.length > 0) process.stderr.write(formatReport(session.report()));
      throw error;
    } finally {
      session.close();
    }
  } finally {
    await device.close();
  }
}

function readReport(path: string): BenchReport {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new RequestError({
      code: "TW4413",
      message: "a report cannot be read",
      seen: error instanceof Error ? error.message : String(error),
      expected: "a file that `bench --json` wrote",
      remedy: "correct the path",
    });
  }
  return parseReport(json, path);
}

/** @throws RequestError TW4414 where something became slower, so that the exit code says it */
function compare(before: BenchReport, after: BenchReport): void {
  const compared = compareReports(before, after);
  process.stdout.write(formatComparisons(compared));
  if (!hasRegressions(compared)) return;
  const slower = compared.comparisons.filter(({ verdict }) => verdict === "slower").length;
  throw new RequestError({
    code: "TW4414",
    message: "kernels became slower",
    seen: `${slower} of ${compared.comparisons.length} timings`,
    expected: "none beyond the noise",
    remedy: "see the lines above; measure again to be sure",
  });
}

/** @throws RequestError TW4415 where a kernel of ours failed, after the table was printed */
function throwFailures({ results }: BenchReport): void {
  const failed = results.flatMap(({ problem, contenders }) =>
    contenders
      .filter(({ role, failure }) => role === "own" && failure !== undefined)
      .map(({ name, detail }) => `${name} ${problem} (${detail})`),
  );
  if (failed.length === 0) return;
  throw new RequestError({
    code: "TW4415",
    message: "kernels were not timed because they did not run or computed something else",
    seen: failed.join("; "),
    expected: "right outputs",
    remedy: "the reasons stand beneath the table",
  });
}
