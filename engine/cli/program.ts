/** [engine/cli] The command line as a function: its subcommands, and how errors become exit codes. The process is main.ts. */
import { Command, CommanderError } from "commander";
import { TilewrightError } from "../../dsl/index.ts";
import { packageVersion } from "../version.ts";
import { addBench } from "./bench.ts";
import { addBenchServe } from "./bench-serve.ts";
import { addBuild } from "./build.ts";
import { addChat } from "./chat.ts";
import { addCompile } from "./compile.ts";
import { expandConfig } from "./config-file.ts";
import { addDoctor } from "./doctor.ts";
import { addGenerate } from "./generate.ts";
import { addInspect } from "./inspect.ts";
import { addServe } from "./serve.ts";
import { addTune } from "./tune.ts";

/**
 * Runs one command; what it has to say goes to stdout and stderr.
 * @param args without the names of node and the script
 * @returns exit code: 0, 2 for a wrong command line, 1 for everything else
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = new Command("tilewright")
    .description(
      "A kernel compiler and serving engine: one TypeScript function over tiles becomes CUDA, HIP and WGSL.",
    )
    .version(packageVersion())
    .showHelpAfterError("(add --help for the flags)")
    .exitOverride();
  const commands = [addGenerate, addChat, addServe, addCompile, addBuild, addInspect];
  for (const add of [...commands, addBench, addBenchServe, addTune, addDoctor]) add(program);
  try {
    const serve = program.commands.find((command) => command.name() === "serve");
    const flags = serve?.options.flatMap(({ long }) => long ?? []);
    await program.parseAsync(expandConfig(args, flags), { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has printed already
  // Our own messages say what to do; anything else is a bug and keeps its stack.
  const text =
    error instanceof TilewrightError
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`${text}\n`);
  return 1;
}
