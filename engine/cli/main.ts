#!/usr/bin/env node
/** [engine/cli] The process of the `tilewright` command. What it does is in program.ts. */
import { runCommand } from "./program.ts";

// A reader that has seen enough (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
const code = await runCommand(process.argv.slice(2));
// A command that came to its end may have set its own: what it measured or answered failed.
if (code !== 0) process.exitCode = code;
