/** [runtime/drivers] koffi declarations for the WebGPU driver: the C library's way to turn a process's stderr away for a moment. */
import { nodeModule } from "../../../dsl/index.ts";

const { closeSync, openSync } = nodeModule("node:fs");
const { createRequire } = nodeModule("node:module");

interface Descriptors {
  dup(descriptor: number): number;
  dup2(from: number, to: number): number;
  close(descriptor: number): number;
}

const STDERR = 2;

/**
 * Runs a step whose native libraries write to stderr of their own accord: Dawn and the Vulkan loader complain there about every driver that
 * they try and leave. What they find is in the result. Where the descriptors cannot be moved (Windows) the step runs as it is.
 */
export function withoutNativeNoise<T>(step: () => T): T {
  const c = openDescriptors();
  if (c === undefined) return step();
  const nowhere = openSync("/dev/null", "w");
  const saved = c.dup(STDERR);
  try {
    if (saved >= 0) c.dup2(nowhere, STDERR);
    return step();
  } finally {
    if (saved >= 0) {
      c.dup2(saved, STDERR);
      c.close(saved);
    }
    closeSync(nowhere);
  }
}

function openDescriptors(): Descriptors | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const koffi = createRequire(import.meta.url)("koffi") as typeof import("koffi");
    const process = koffi.load(null); // the symbols of the process itself, whatever its C library is called
    return {
      dup: process.func("int dup(int)"),
      dup2: process.func("int dup2(int, int)"),
      close: process.func("int close(int)"),
    };
  } catch {
    return undefined; // noise is no reason to fail
  }
}
