/** [engine/cli] `tilewright compile`: a kernel's text on any level, for any target, with or without the device. */
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  compileStages,
  explain,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
} from "../../codegen/index.ts";
import {
  DTYPE_NAMES,
  type DType,
  isDType,
  type KernelDefinition,
  RequestError,
  type Specialization,
  TilewrightError,
} from "../../dsl/index.ts";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { compileCodeObject, compileCubin } from "../../runtime/index.ts";
import { writeOutput } from "./flag-file.ts";
import { integer } from "./model-flags.ts";

const LEVELS = [
  "hir",
  "tile",
  "passes",
  "scheduled",
  "thread",
  "source",
  "binary",
  "explain",
] as const;
type Level = (typeof LEVELS)[number];

/** What a kernel is specialised for, as flags say it. */
export interface SpecializationFlags {
  readonly dtype: Readonly<Record<string, DType>>;
  readonly dim: Readonly<Record<string, number>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly divisible: Readonly<Record<string, number>>;
}

interface CompileFlags extends SpecializationFlags {
  readonly kernel?: string;
  readonly all?: boolean;
  readonly target: TargetName;
  readonly arch?: string;
  readonly emit: Level;
  readonly output?: string;
}

export function addSpecializationFlags(command: Command): Command {
  return command
    .option(
      "--dtype <T=name>",
      "binds a dtype variable (the first it allows by default)",
      dtypePair,
      {},
    )
    .option("--dim <name=n>", "fixes a specialised dim", integerPair, {})
    .option("--config <name=value>", "overrides a config value", configPair, {})
    .option("--divisible <dim=n>", "a power of two known to divide a dim", integerPair, {});
}

export function addCompile(program: Command): void {
  const command = program
    .command("compile")
    .description("print what a kernel becomes: IR of any level, text of any target, or a binary")
    .argument("[file]", "TypeScript or JavaScript file that exports kernels")
    .option("--kernel <name>", "the kernel's name or the name of its export")
    .option("--all", "every kernel of the catalogue")
    .addOption(
      new Option("--target <name>", "what to compile for").choices(TARGET_NAMES).default("cuda"),
    )
    .option("--arch <name>", "architecture, for example sm_90a or gfx90a")
    .addOption(new Option("--emit <level>", "what to print").choices(LEVELS).default("source"));
  addSpecializationFlags(command)
    .option("-o, --output <path>", "write to a file, or with --all to a folder")
    .action(run);
}

async function run(file: string | undefined, flags: CompileFlags, command: Command): Promise<void> {
  if (flags.all === true) {
    const given = ["kernel", "dtype", "dim", "config", "divisible"].filter(
      (name) => command.getOptionValueSource(name) === "cli",
    );
    if (file !== undefined) given.unshift("a file");
    if (given.length > 0) {
      const names = given.map((name) => (name === "a file" ? name : `--${name}`)).join(", ");
      command.error(`error: --all takes the catalogue as it is, so not ${names}`, { exitCode: 2 });
    }
    for (const { kernel, samples } of KERNEL_ENTRIES)
      emit(kernel, sampleSpecialization(kernel, samples), flags, true);
    return;
  }
  if (file === undefined)
    command.error("error: give a file, or --all for the catalogue", { exitCode: 2 });
  const kernel = await findKernel(file ?? "", flags.kernel);
  checkDivisible(kernel, flags.divisible);
  emit(kernel, specialization(kernel, flags), flags, false);
}

function emit(
  kernel: KernelDefinition,
  spec: Specialization,
  flags: CompileFlags,
  isOneOfMany: boolean,
): void {
  const target = TARGETS[flags.target].defaultSpec(flags.arch);
  const request = { specialization: spec, target, divisibility: flags.divisible };
  const content = contentOf(kernel, request, flags);
  if (flags.output === undefined) {
    process.stdout.write(content);
    return;
  }
  const extension =
    flags.emit === "source"
      ? TARGETS[flags.target].extension
      : flags.emit === "binary"
        ? flags.target === "hip"
          ? "hsaco"
          : "cubin"
        : `${flags.emit}.txt`;
  const path = isOneOfMany ? join(flags.output, `${kernel.name}.${extension}`) : flags.output;
  writeOutput("--output", path, () => content, isOneOfMany);
  process.stderr.write(`${path}\n`);
}

/**
 * Dims of launch alone have divisors; a misspelt one would change nothing and say nothing.
 * @throws RequestError TW4406
 */
export function checkDivisible(kernel: KernelDefinition, given: CompileFlags["divisible"]): void {
  const dims = [
    ...new Set(
      Object.values(kernel.params).flatMap((param) => (param.kind === "tensor" ? param.shape : [])),
    ),
  ].filter((dim) => typeof dim === "string" && !kernel.specialize.includes(dim));
  const unknown = Object.keys(given).filter((name) => !dims.includes(name));
  if (unknown.length === 0) return;
  throw new RequestError({
    code: "TW4406",
    message: `kernel '${kernel.name}' has no such dim that is bound at launch`,
    seen: unknown.map((name) => `--divisible ${name}`).join(", "),
    expected: dims.join(", ") || "none",
    remedy: "correct the name; the size of a specialised dim is given by --dim",
  });
}

function contentOf(
  kernel: KernelDefinition,
  request: Parameters<typeof compileStages>[1],
  flags: CompileFlags,
): string | Uint8Array {
  if (flags.emit === "explain") return explain(kernel, request).text;
  const stages = compileStages(kernel, request);
  if (flags.emit === "passes")
    return stages.passes
      .map(({ pass, level, text }) => `==== ${pass} (${level})\n${text}\n`)
      .join("");
  if (flags.emit !== "binary") return stages[flags.emit];
  if (flags.target === "cuda") return compileCubin(stages.artifact);
  if (flags.target === "hip") return compileCodeObject(stages.artifact);
  throw new RequestError({
    code: "TW4401",
    message: `there is no binary for target ${flags.target}`,
    seen: "--emit binary",
    expected: "--target cuda or hip",
    remedy: "use --emit source",
  });
}

/** Dtypes and dims of the largest sample, so that `--all` needs no flags. */
export function sampleSpecialization(
  kernel: KernelDefinition,
  samples: (typeof KERNEL_ENTRIES)[number]["samples"],
): Specialization {
  const sample = samples.at(-1);
  const dims = Object.fromEntries(
    kernel.specialize.map((name) => [name, sample?.dims[name] ?? 64]),
  );
  return { dtypes: sample?.dtypes ?? {}, dims };
}

/** @throws RequestError TW4402 where a specialised dim has no size */
export function specialization(
  kernel: KernelDefinition,
  flags: SpecializationFlags,
): Specialization {
  const missing = kernel.specialize.filter((name) => flags.dim[name] === undefined);
  if (missing.length > 0) {
    throw new RequestError({
      code: "TW4402",
      message: `kernel '${kernel.name}' is specialised for dims that have no size yet`,
      seen: Object.keys(flags.dim).join(", ") || "no --dim",
      expected: missing.map((name) => `--dim ${name}=…`).join(" "),
      remedy: "add these flags",
    });
  }
  const first = Object.entries(kernel.dtypes).flatMap(([name, allowed]) =>
    allowed[0] === undefined ? [] : [[name, allowed[0]] as const],
  );
  return {
    dtypes: { ...Object.fromEntries(first), ...flags.dtype },
    dims: flags.dim,
    config: flags.config,
  };
}

/** @throws RequestError TW4403 for a file that is not there, TW4404 where the kernel is not found or not clear */
export async function findKernel(
  file: string,
  name: string | undefined,
): Promise<KernelDefinition> {
  const kernels = await kernelsOf(file);
  const found =
    name === undefined
      ? kernels
      : kernels.filter(([key, kernel]) => key === name || kernel.name === name);
  if (found.length === 1 && found[0] !== undefined) return found[0][1];
  throw new RequestError({
    code: "TW4404",
    message:
      name === undefined
        ? `${file} exports ${kernels.length} kernels`
        : `${file} exports no kernel '${name}'`,
    seen: kernels.map(([, kernel]) => kernel.name).join(", ") || "no kernels",
    expected: "one kernel",
    remedy:
      kernels.length === 0
        ? "export the definition that kernel() returns"
        : "name one of them by --kernel",
  });
}

/**
 * Every kernel that a file exports, with the name of its export.
 * @throws RequestError TW4403 for a file that is not there, TW4405 for one that does not load
 */
export async function kernelsOf(
  file: string,
): Promise<readonly (readonly [string, KernelDefinition])[]> {
  const path = resolve(file);
  const exists = existsSync(path);
  if (!exists || !statSync(path).isFile()) {
    throw new RequestError({
      code: "TW4403",
      message: "there is no such file",
      seen: exists ? `${file}, which is no file` : file,
      expected: "a file that exports kernels",
      remedy: "correct the path",
    });
  }
  const module = await importModule(path).catch((cause: unknown) => {
    throw notLoaded(file, cause);
  });
  return Object.entries(module).filter((entry): entry is [string, KernelDefinition] =>
    isKernel(entry[1]),
  );
}

/** TypeScript is run through tsx, which plain Node needs for it; JavaScript is imported as it is. */
async function importModule(path: string): Promise<Record<string, unknown>> {
  if (
    /\.[cm]?tsx?$/.test(path) &&
    createRequire(import.meta.url).extensions?.[".ts"] === undefined
  ) {
    const { tsImport } = await import("tsx/esm/api");
    return tsImport(pathToFileURL(path).href, import.meta.url);
  }
  return import(pathToFileURL(path).href);
}

/** The file's own fault, or of what it imports: its message, and the frames that are of its author. */
function notLoaded(file: string, cause: unknown): Error {
  if (cause instanceof TilewrightError) return cause;
  const { message = String(cause), stack = "" } = cause instanceof Error ? cause : {};
  const frames = stack
    .split("\n")
    .filter((line) => /^ +at /.test(line) && !/node:|[\\/]node_modules[\\/]/.test(line))
    .slice(0, 3);
  return new RequestError({
    code: "TW4405",
    message: `${file} could not be loaded`,
    seen: [message, ...frames].join("\n"),
    expected: "a TypeScript or JavaScript module that exports kernels",
    remedy: "correct the file; `node --import tsx` on it shows the same error",
  });
}

function isKernel(value: unknown): value is KernelDefinition {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as { readonly kind?: unknown }).kind === "kernel"
  );
}

function pair(text: string, example: string): readonly [string, string] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError(`it must be name=value, for example ${example}.`);
  return [name, value];
}

function dtypePair(
  text: string,
  before: Readonly<Record<string, DType>>,
): Readonly<Record<string, DType>> {
  const [name, value] = pair(text, "T=bf16");
  if (!isDType(value))
    throw new InvalidArgumentError(`'${value}' is no dtype; known: ${DTYPE_NAMES.join(", ")}.`);
  return { ...before, [name]: value };
}

function integerPair(
  text: string,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const [name, value] = pair(text, "N=1024");
  return { ...before, [name]: integer(value) };
}

function configPair(
  text: string,
  before: Readonly<Record<string, number | boolean>>,
): Readonly<Record<string, number | boolean>> {
  const [name, value] = pair(text, "BM=128");
  return {
    ...before,
    [name]: value === "true" || value === "false" ? value === "true" : integer(value),
  };
}
