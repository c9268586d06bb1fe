#!/usr/bin/env node
/** [engine/cli] The `tilewright` command: its subcommands, and how errors leave the process. */
import { Command, CommanderError } from "commander";
import { TilewrightError } from "../../dsl/index.ts";
import { addCompile } from "./compile.ts";
import { addDoctor } from "./doctor.ts";
import { addGenerate } from "./generate.ts";
import { addServe } from "./serve.ts";
import { packageVersion } from "./version.ts";

const program = new Command("tilewright")
  .description(
    "A kernel compiler and serving engine: one TypeScript function over tiles becomes CUDA, HIP and WGSL.",
  )
  .version(packageVersion())
  .showHelpAfterError("(add --help for the flags)")
  .exitOverride();
for (const add of [addGenerate, addServe, addCompile, addDoctor]) add(program);

// A reader that has seen enough (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** 2 for a wrong command line, 1 for everything else. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
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
