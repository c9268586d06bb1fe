/** [test/support] A process that starts a core and dies by SIGKILL: at once, or in the middle of a long request. Prints the core's process id. */
import { Engine } from "../../engine/engine.ts";

const [, , model = "", when = ""] = process.argv;
const vanish = () => process.kill(process.pid, "SIGKILL");

if (when === "at once") {
  const { fork } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const entry = fileURLToPath(new URL("../../engine/core-process/child.ts", import.meta.url));
  const child = fork(entry, {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.once("spawn", () => process.stdout.write(`${child.pid}\n`, vanish));
} else {
  const engine = await Engine.load({
    model,
    device: "null",
    maxModelLen: 100_000,
    numGpuBlocksOverride: 7000,
    coreProcess: true,
  });
  for await (const { tokenIds } of engine.generate("abc", { maxTokens: 90_000, ignoreEos: true })) {
    if (tokenIds.length > 20) process.stdout.write(`${engine.corePid}\n`, vanish);
  }
}
