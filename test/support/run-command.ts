/** [test/support] The command line in this process, with what it writes. No process of its own is started. */
import { vi } from "vitest";
import { runCommand } from "../../engine/cli/program.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function tilewright(...args: readonly string[]): Promise<Ran> {
  const written = (stream: NodeJS.WriteStream) =>
    vi.spyOn(stream, "write").mockImplementation(() => true);
  const [stdout, stderr] = [written(process.stdout), written(process.stderr)];
  const text = (spy: typeof stdout) => spy.mock.calls.map(([chunk]) => String(chunk)).join("");
  try {
    const code = await runCommand(args);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
