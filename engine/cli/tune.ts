/** [engine/cli] `tilewright tune`: finds the fastest config of a kernel for some sizes, and writes winners as a table. */
import { type Command, InvalidArgumentError } from "commander";
import { DeviceError, RequestError } from "../../dsl/index.ts";
import {
  type Device,
  openDevice,
  type TimingMode,
  type TuneResult,
  tune,
  tunedTableSource,
} from "../../runtime/index.ts";
import { modeList } from "./bench-flags.ts";
import { writeOutput } from "./flag-file.ts";
import { addJobFlags, type Job, type JobFlags, jobsOf } from "./kernel-jobs.ts";
import { tuneProgress } from "./tune-progress.ts";
import { formatTuning } from "./tune-report.ts";

export interface TuneFlags extends JobFlags {
  readonly device?: string;
  readonly budget?: number;
  readonly mode?: readonly TimingMode[];
  readonly processes?: number;
  readonly again?: boolean;
  readonly json?: string;
  readonly export?: string;
}

export function addTune(program: Command): void {
  const command = program
    .command("tune")
    .description("find the fastest config of a kernel; launches without a config then use it");
  addJobFlags(command, {
    kernel: "may be repeated",
    config: "BM=128,BN=256: only this config beside the default; may be repeated",
  })
    .option("--device <name>", "auto, cuda, hip, webgpu or interpreter")
    .option("--budget <seconds>", "time for each shape; 60 on a GPU, 20 elsewhere", seconds)
    .option("--mode <name>", "how the last few are timed: cold, sustained or layers", modeList)
    .option("--processes <n>", "compilers at once; the cores but one, at most 8", count)
    .option("--again", "measure what was measured before, too")
    .option("--json <file>", "write everything that was found")
    .option("--export <file>", "write this device's winners as TypeScript, to be committed")
    .action(run);
}

async function run(file: string | undefined, flags: TuneFlags): Promise<void> {
  if (file === undefined && flags.kernel.length === 0) {
    throw new RequestError({
      code: "TW4420",
      message: "nothing says which kernel to tune",
      seen: "no --kernel and no file",
      expected: "--kernel linear --shape 4096x4096x4096",
      remedy: "name a kernel of the catalogue, or a file that exports one",
    });
  }
  const [, ...more] = flags.mode ?? [];
  if (more.length > 0) {
    throw new RequestError({
      code: "TW4421",
      message: "the last few can be timed in one way only",
      seen: (flags.mode ?? []).join(","),
      expected: "one of cold, sustained, layers",
      remedy: "give --mode one name, or leave it out",
    });
  }
  const jobs = await jobsOf(file, flags);
  const device = await openDevice(flags.device);
  let isHung = false;
  try {
    const { results, failures } = await tuneAll(device, jobs, flags);
    process.stdout.write(formatTuning(results));
    writeOutput("--json", flags.json, () => `${JSON.stringify(results, undefined, 1)}\n`);
    writeOutput("--export", flags.export, () => tableOf(device, jobs, results));
    if (failures[0] !== undefined) throw failures[0];
  } catch (error) {
    isHung = error instanceof DeviceError && error.code === "TW3344";
    if (isHung) process.exitCode = 1;
    throw error;
  } finally {
    if (isHung)
      setImmediate(() => process.exit()); // closing would wait for the device
    else await device.close();
  }
}

/** Tunes one after another; what one finds nothing for does not stop the next. */
async function tuneAll(
  device: Device,
  jobs: readonly Job[],
  flags: TuneFlags,
): Promise<{ readonly results: readonly TuneResult[]; readonly failures: readonly Error[] }> {
  const results: TuneResult[] = [];
  const failures: Error[] = [];
  const [mode] = flags.mode ?? [];
  for (const { subject, problems } of jobs) {
    for (const problem of problems) {
      const progress = tuneProgress(process.stderr, subject.kernel.name, problem.dims);
      try {
        const result = await tune(device, subject, problem, {
          configs: flags.config,
          onProgress: progress.show,
          ...(flags.budget === undefined ? {} : { budgetMs: flags.budget * 1000 }),
          ...(mode === undefined ? {} : { mode }),
          ...(flags.processes === undefined ? {} : { processes: flags.processes }),
          ...(flags.again === undefined ? {} : { again: flags.again }),
        });
        results.push(result);
      } catch (error) {
        if (!(error instanceof Error) || !("code" in error) || error.code !== "TW3343") throw error;
        failures.push(error);
      } finally {
        progress.stop();
      }
    }
  }
  return { results, failures };
}

function tableOf(device: Device, jobs: readonly Job[], results: readonly TuneResult[]): string {
  const kernels = jobs.flatMap(({ subject: { kernel } }) => {
    const found = results.find((result) => result.kernel === kernel.name);
    if (found === undefined) return [];
    const dims = Object.fromEntries(
      kernel.specialize.map((name) => [name, found.dims[name] ?? 0] as const),
    );
    return [{ kernel, specialization: { dtypes: found.dtypes, dims } }];
  });
  return tunedTableSource(device, kernels);
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("it must be a number of seconds above 0.");
  return value;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 256)
    throw new InvalidArgumentError("it must be a whole number from 1 to 256.");
  return value;
}
