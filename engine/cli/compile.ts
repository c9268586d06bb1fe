/** [engine/cli] `tilewright compile`: a kernel's text on any level, for any target, with or without the device. */
import { join } from "node:path";
import { type Command, Option } from "commander";
import {
  compile,
  compileStages,
  explain,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
} from "../../codegen/index.ts";
import {
  type KernelDefinition,
  RequestError,
  type Specialization,
  UnsupportedError,
} from "../../dsl/index.ts";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { compileCodeObject, compileCubin } from "../../runtime/index.ts";
import { writeOutput } from "./flag-file.ts";
import {
  ARCH_ABOUT,
  addSpecializationFlags,
  checkDivisible,
  type SpecializationFlags,
  sampleSpecialization,
  subjectOf,
} from "./specialization-flags.ts";

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

interface CompileFlags extends SpecializationFlags {
  readonly kernel?: string;
  readonly all?: boolean;
  readonly target: TargetName;
  readonly arch?: string;
  readonly emit: Level;
  readonly output?: string;
}

export function addCompile(program: Command): void {
  const command = program
    .command("compile")
    .description("print what a kernel becomes: IR of any level, text of any target, or a binary")
    .argument("[file]", "TypeScript or JavaScript file that exports kernels; else the catalogue")
    .option("--kernel <name>", "the kernel's name or the name of its export")
    .option("--all", "every kernel of the catalogue")
    .addOption(
      new Option("--target <name>", "what to compile for").choices(TARGET_NAMES).default("cuda"),
    )
    .option("--arch <name>", ARCH_ABOUT)
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
    emitAll(flags);
    return;
  }
  if (file === undefined && flags.kernel === undefined) {
    const message = "error: give a file, --kernel for one of the catalogue, or --all for all of it";
    command.error(message, { exitCode: 2 });
  }
  const { kernel, specialization } = await subjectOf(file, flags);
  checkDivisible(kernel, flags.divisible);
  emit(kernel, specialization, flags, false);
}

/** Every kernel of the catalogue; those that need what the target does not have, instructions or shared memory, are named and left out. */
function emitAll(flags: CompileFlags): void {
  for (const { kernel, samples } of KERNEL_ENTRIES) {
    try {
      emit(kernel, sampleSpecialization(kernel, samples), flags, true);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      const [{ message, expected } = { message: "", expected: "" }] = error.diagnostics;
      if (error.code === "TW2310")
        process.stderr.write(`${kernel.name} left out: it needs ${expected}\n`);
      else if (error.code === "TW2001")
        process.stderr.write(`${kernel.name} left out: ${message}, ${expected}\n`);
      else throw error;
    }
  }
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

function contentOf(
  kernel: KernelDefinition,
  request: Parameters<typeof compileStages>[1],
  flags: CompileFlags,
): string | Uint8Array {
  if (flags.emit === "explain") return explain(kernel, request).text;
  if (flags.emit === "source") return compile(kernel, request).text;
  if (flags.emit === "binary") return binaryOf(kernel, request, flags.target);
  const stages = compileStages(kernel, request);
  if (flags.emit !== "passes") return stages[flags.emit];
  return stages.passes
    .map(({ pass, level, text }) => `==== ${pass} (${level})\n${text}\n`)
    .join("");
}

function binaryOf(
  kernel: KernelDefinition,
  request: Parameters<typeof compile>[1],
  target: TargetName,
): Uint8Array {
  if (target === "cuda") return compileCubin(compile(kernel, request));
  if (target === "hip") return compileCodeObject(compile(kernel, request));
  throw new RequestError({
    code: "TW4401",
    message: `there is no binary for target ${target}`,
    seen: "--emit binary",
    expected: "--target cuda or hip",
    remedy: "use --emit source",
  });
}
