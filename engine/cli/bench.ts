/** [engine/cli] `tilewright bench`: measures kernels beside the vendor's library and foreign texts, and compares reports. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { type KernelDefinition, RequestError } from "../../dsl/index.ts";
import { KERNEL_ENTRIES, type KernelEntry } from "../../dsl/kernels/catalogue.ts";
import {
  type BenchOptions,
  type BenchProblem,
  type BenchReport,
  BenchSession,
  type BenchSubject,
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
import {
  configList,
  dtypesOf,
  modeList,
  type Shape,
  scalarPair,
  shapeOf,
  sizesOf,
} from "./bench-flags.ts";
import { findKernel } from "./compile.ts";
import { integer } from "./model-flags.ts";

export interface BenchFlags {
  readonly kernel: readonly string[];
  readonly shape: readonly Shape[];
  readonly dtype: readonly string[];
  readonly config: readonly Readonly<Record<string, number | boolean>>[];
  readonly scalar: Readonly<Record<string, number>>;
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

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

export function addBench(program: Command): void {
  program
    .command("bench")
    .description("measure kernels: every output checked, the vendor's library beside them")
    .argument("[file]", "TypeScript or JavaScript file that exports kernels; else the catalogue")
    .option("--kernel <name>", "may be repeated; every kernel of the catalogue", collect, [])
    .option(
      "--shape <sizes>",
      "M=4096,N=4096,K=4096 or 4096x4096x4096 (M, N, K, else the order of the tensors' dims); may be repeated",
      (text: string, before: readonly Shape[]) => [...before, shapeOf(text)],
      [],
    )
    .option("--dtype <name>", "bf16 for every variable that takes it, or T=bf16", collect, [])
    .option(
      "--config <pairs>",
      "BM=128,BN=256: one config; repeated, each is measured",
      (text: string, before: readonly object[]) => [...before, configList(text)],
      [],
    )
    .option("--scalar <name=value>", "a scalar of a kernel from a file", scalarPair, {})
    .option("--mode <names>", "cold, sustained, layers; what suits the problem", modeList)
    .option("--rounds <n>", "least rounds in which contenders alternate", integer)
    .option("--device <name>", "auto, cuda, webgpu, interpreter or null")
    .option("--no-vendor", "without the vendor's library")
    .option("--no-check", "without checking outputs (the table says so)")
    .option("--foreign <file>", "description of a foreign CUDA text; may be repeated", collect, [])
    .option("--foreign-texts <dir>", "where the texts lie, if not beside their descriptions")
    .option("--json <file>", "write the report")
    .option("--plot <file>", "write a roofline as SVG")
    .option("--compare <reports...>", "two reports; or one, with which this run is compared")
    .action(run);
}

async function run(file: string | undefined, flags: BenchFlags): Promise<void> {
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
  if (flags.json !== undefined)
    writeFileSync(flags.json, `${JSON.stringify(report, undefined, 1)}\n`);
  if (flags.plot !== undefined) writeFileSync(flags.plot, rooflineSvg(report));
  if (old !== undefined) compare(old, report);
  throwFailures(report);
}

/** One kernel and the problems that it is measured on. */
interface Job {
  readonly subject: BenchSubject;
  readonly problems: readonly BenchProblem[];
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

async function jobsOf(file: string | undefined, flags: BenchFlags): Promise<readonly Job[]> {
  if (file !== undefined) {
    const names = flags.kernel.length === 0 ? [undefined] : flags.kernel;
    const kernels = await Promise.all(names.map((name) => findKernel(file, name)));
    return kernels.map((kernel) => ({
      subject: { kernel },
      problems: shapedProblems(kernel, flags),
    }));
  }
  const entries =
    flags.kernel.length === 0 ? KERNEL_ENTRIES : flags.kernel.map((name) => entryOf(name));
  return entries.map((entry) => ({
    subject: entry,
    problems: flags.shape.length === 0 ? [sampleOf(entry, flags)] : entryProblems(entry, flags),
  }));
}

/** @throws RequestError TW4410 for a name that is not in the catalogue */
function entryOf(name: string): KernelEntry {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
  if (entry !== undefined) return entry;
  throw new RequestError({
    code: "TW4410",
    message: "there is no such kernel in the catalogue",
    seen: name,
    expected: KERNEL_ENTRIES.map(({ kernel }) => kernel.name).join(", "),
    remedy: "correct --kernel, or name the file that exports it as the first argument",
  });
}

/** The sample that moves most, where no shape is given. */
function sampleOf(entry: KernelEntry, { dtype }: BenchFlags): BenchProblem {
  const [largest] = [...entry.samples].sort((a, b) => entry.bytes(b) - entry.bytes(a));
  if (largest === undefined) throw new TypeError(`${entry.kernel.name} has no samples`);
  const { config: _config, ...problem } = largest;
  return { ...problem, dtypes: { ...problem.dtypes, ...dtypesOf(entry.kernel, dtype) } };
}

/** @throws RequestError TW4411 where the kernel's inputs need more than sizes */
function entryProblems(entry: KernelEntry, flags: BenchFlags): readonly BenchProblem[] {
  if (entry.samples.some(({ sequences }) => sequences !== undefined)) {
    throw new RequestError({
      code: "TW4411",
      message: `kernel '${entry.kernel.name}' works on sequences, which sizes alone do not say`,
      seen: "--shape",
      expected: "no --shape: its largest sample is measured",
      remedy: "leave --shape out, or call `benchmark()` with a problem that has sequences",
    });
  }
  return shapedProblems(entry.kernel, flags);
}

/** @throws RequestError TW4412 without sizes */
function shapedProblems(kernel: KernelDefinition, flags: BenchFlags): readonly BenchProblem[] {
  const dtypes = dtypesOf(kernel, flags.dtype);
  if (flags.shape.length === 0) {
    throw new RequestError({
      code: "TW4412",
      message: `there are no sizes for kernel '${kernel.name}'`,
      seen: "no --shape",
      expected: `--shape ${sizesOf(kernel)}`,
      remedy: "add the flag; it may be repeated",
    });
  }
  return flags.shape.map((shape) => ({ dims: shape(kernel), dtypes, scalars: flags.scalar }));
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
