/** [runtime/drivers] Finds native libraries in folders: what the user names, then what the loader would search. Loads nothing. */
import { nodeModule } from "../../../dsl/index.ts";

const { existsSync, readdirSync, statSync } = nodeModule("node:fs");
const { delimiter, join } = nodeModule("node:path");

/** The folder of the file or folder that the user names, if any, then those of LD_LIBRARY_PATH. */
export function namedFolders(flag: string | undefined): readonly string[] {
  const named =
    flag === undefined
      ? []
      : [existsSync(flag) && statSync(flag).isDirectory() ? flag : join(flag, "..")];
  const searched = (process.env["LD_LIBRARY_PATH"] ?? "").split(delimiter);
  return [...named, ...searched.filter((folder) => folder !== "")];
}

/** Path of the newest file that matches in the first folder that has one, or undefined. */
export function locateIn(folders: readonly string[], file: RegExp): string | undefined {
  for (const folder of folders) {
    const files = children(folder, file);
    files.sort((a, b) => majorOf(b) - majorOf(a) || a.length - b.length);
    if (files[0] !== undefined) return files[0];
  }
  return undefined;
}

/** Paths of what a folder holds by that name; nothing where it cannot be read. */
export function children(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function majorOf(path: string): number {
  return Number(/\.so\.(\d+)/.exec(path)?.[1] ?? 0);
}
