/** [engine/cli] `tilewright inspect`: one static page, or JSON, of everything a compile did to one kernel. The page itself is made in codegen. */
import { type Command, Option } from "commander";
import {
  inspect,
  inspectionPage,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
} from "../../codegen/index.ts";
import { writeOutput } from "./flag-file.ts";
import {
  ARCH_ABOUT,
  addSpecializationFlags,
  checkDivisible,
  type SpecializationFlags,
  subjectOf,
} from "./specialization-flags.ts";

interface InspectFlags extends SpecializationFlags {
  readonly kernel?: string;
  readonly target: TargetName;
  readonly arch?: string;
  readonly output?: string;
  readonly json?: boolean;
}

export function addInspect(program: Command): void {
  const command = program
    .command("inspect")
    .description(
      "write a page that shows a kernel beside every stage of its compile, its layouts and its shared memory",
    )
    .argument("[file]", "TypeScript or JavaScript file that exports kernels; else the catalogue")
    .option("--kernel <name>", "the kernel's name or the name of its export")
    .addOption(
      new Option("--target <name>", "what to compile for").choices(TARGET_NAMES).default("cuda"),
    )
    .option("--arch <name>", ARCH_ABOUT);
  addSpecializationFlags(command)
    .option("--json", "the data of the page instead of the page")
    .option("-o, --output <path>", "where to write it (NAME.html, or NAME.json, by default)")
    .action(run);
}

async function run(file: string | undefined, flags: InspectFlags, command: Command): Promise<void> {
  if (file === undefined && flags.kernel === undefined)
    command.error("error: give a file, or --kernel for one of the catalogue", { exitCode: 2 });
  const { kernel, ...request } = await subjectOf(file, flags);
  checkDivisible(kernel, flags.divisible);
  const target = TARGETS[flags.target].defaultSpec(flags.arch);
  const inspection = inspect(kernel, { ...request, target });
  const isJson = flags.json === true;
  const path = flags.output ?? `${kernel.name}.${isJson ? "json" : "html"}`;
  const content = () =>
    isJson ? `${JSON.stringify(inspection, null, 1)}\n` : inspectionPage(inspection);
  writeOutput("--output", path, content);
  process.stderr.write(`${path}\n`);
}
