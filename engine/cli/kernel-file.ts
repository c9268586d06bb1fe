/** [engine/cli] Kernels by name: of a file of the caller's, or of the catalogue. What they are compiled for is elsewhere. */
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  didYouMean,
  type KernelDefinition,
  RequestError,
  TilewrightError,
} from "../../dsl/index.ts";
import { KERNEL_ENTRIES, type KernelEntry } from "../../dsl/kernels/catalogue.ts";

/** @throws RequestError TW4410 for a name that is not in the catalogue */
export function entryOf(name: string): KernelEntry {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
  if (entry !== undefined) return entry;
  const names = KERNEL_ENTRIES.map((one) => one.kernel.name);
  throw new RequestError({
    code: "TW4410",
    message: "there is no such kernel in the catalogue",
    seen: name,
    expected: names.join(", "),
    remedy: `${didYouMean(name, names)}correct --kernel, or name the file that exports it as the first argument`,
  });
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
  const names = kernels.map(([, kernel]) => kernel.name);
  throw new RequestError({
    code: "TW4404",
    message:
      name === undefined
        ? `${file} exports ${kernels.length} kernels`
        : `${file} exports no kernel '${name}'`,
    seen: names.join(", ") || "no kernels",
    expected: "one kernel",
    remedy:
      kernels.length === 0
        ? "export the definition that kernel() returns"
        : `${didYouMean(name ?? "", names)}name one of them by --kernel`,
  });
}

/**
 * Every kernel that a file exports, with the name of its export. The file is run; what it prints goes to stderr.
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
  const module = await withStdoutOnStderr(() => importModule(path)).catch((cause: unknown) => {
    throw notLoaded(file, cause);
  });
  return Object.entries(module).filter((entry): entry is [string, KernelDefinition] =>
    isKernel(entry[1]),
  );
}

let imports = 0;
let restoreStdout = (): void => {};

/** A file is run as it is imported; what it prints is no part of what a command prints. Imports may overlap: the last to end puts stdout back. */
async function withStdoutOnStderr<T>(run: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  if (imports++ === 0) {
    const { write } = stdout;
    stdout.write = stderr.write.bind(stderr);
    restoreStdout = () => {
      stdout.write = write;
    };
  }
  try {
    return await run();
  } finally {
    if (--imports === 0) restoreStdout();
  }
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
