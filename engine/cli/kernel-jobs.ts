/** [engine/cli] Which kernels a command is about, and on which sizes: from a file or the catalogue, by the flags that bench and tune share. */
import type { Command } from "commander";
import { type KernelDefinition, RequestError } from "../../dsl/index.ts";
import { KERNEL_ENTRIES, type KernelEntry } from "../../dsl/kernels/catalogue.ts";
import type { BenchProblem, BenchSubject } from "../../runtime/index.ts";
import { dtypesOf, type Shape, shapeOf, sizesOf } from "./bench-flags.ts";
import { entryOf, findKernel } from "./kernel-file.ts";
import { configList, scalarPairs } from "./pair-flags.ts";

/** The flags that say it. */
export interface JobFlags {
  readonly kernel: readonly string[];
  readonly shape: readonly Shape[];
  readonly dtype: readonly string[];
  readonly scalar: Readonly<Record<string, number>>;
  readonly config: readonly Readonly<Record<string, number | boolean>>[];
}

/** One kernel and the problems that it is measured on. */
export interface Job {
  readonly subject: BenchSubject;
  readonly problems: readonly BenchProblem[];
}

/** @param about what the command does with kernels and configs that are, or are not, named */
export function addJobFlags(
  command: Command,
  about: { readonly kernel: string; readonly config: string },
): Command {
  return command
    .argument("[file]", "TypeScript or JavaScript file that exports kernels; else the catalogue")
    .option("--kernel <name>", about.kernel, collect, [])
    .option(
      "--shape <sizes>",
      "M=4096,N=4096,K=4096 or 4096x4096x4096 (M, N, K, else the order of the tensors' dims); may be repeated",
      (text: string, before: readonly Shape[]) => [...before, shapeOf(text)],
      [],
    )
    .option("--dtype <name>", "bf16 for every variable that takes it, or T=bf16", collect, [])
    .option(
      "--config <pairs>",
      about.config,
      (text: string, before: readonly object[]) => [...before, configList(text)],
      [],
    )
    .option("--scalar <name=value>", "a scalar of a kernel from a file", scalarPairs, {});
}

/** Parser of a flag that may be repeated. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/**
 * Kernels by name, from a file or the catalogue, each with its problems; every kernel there is where none is named.
 * @throws RequestError TW4410, TW4411, TW4412 for names and sizes that do not exist or are missing
 */
export async function jobsOf(file: string | undefined, flags: JobFlags): Promise<readonly Job[]> {
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

/** The sample that moves most, where no shape is given. */
function sampleOf(entry: KernelEntry, { dtype }: JobFlags): BenchProblem {
  const [largest] = [...entry.samples].sort((a, b) => entry.bytes(b) - entry.bytes(a));
  if (largest === undefined) throw new TypeError(`${entry.kernel.name} has no samples`);
  const { config: _config, ...problem } = largest;
  return { ...problem, dtypes: { ...problem.dtypes, ...dtypesOf(entry.kernel, dtype) } };
}

/** @throws RequestError TW4411 where the kernel's inputs need more than sizes */
function entryProblems(entry: KernelEntry, flags: JobFlags): readonly BenchProblem[] {
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
function shapedProblems(kernel: KernelDefinition, flags: JobFlags): readonly BenchProblem[] {
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
