/** [dsl/frontend] Finds the `kernel(…)` or `deviceFunction(…)` call of a definition in its original file. */
import type { DefinitionSite, KernelDefinition } from "../definition.ts";
import type { HirExcerpt } from "./hir.ts";
import { firstFrame, locate } from "./locate.ts";
import type { FoundCall, ModuleIndex } from "./module-index.ts";
import type { Problems } from "./problems.ts";
import { displayPath, type SourceCache, type SourceFile } from "./source-cache.ts";

export interface FoundSource {
  readonly file: SourceFile;
  readonly call: FoundCall;
}

/** Files that take part in lowering one kernel; the texts serve error messages, the list serves caches. */
export class SourceSet {
  readonly #files = new Map<string, SourceFile>();
  /** Lines of files that are not here, by display path and number. */
  readonly #lines = new Map<string, string[]>();

  add(file: SourceFile): SourceFile {
    if (!this.#files.has(file.display)) this.#files.set(file.display, file);
    return file;
  }

  addExcerpts(excerpts: readonly HirExcerpt[] = []): void {
    for (const { file, line, text } of excerpts) {
      const lines = this.#lines.get(file) ?? [];
      text.split("\n").forEach((one, i) => {
        lines[line - 1 + i] = one;
      });
      this.#lines.set(file, lines);
    }
  }

  /** The whole text of a file; of one that is not here the lines that are known, at their places. */
  textOf(display: string): string | undefined {
    const file = this.#files.get(display);
    if (file !== undefined) return file.text;
    const lines = this.#lines.get(display);
    return lines && Array.from(lines, (line) => line ?? "").join("\n");
  }

  /** Display paths of files, whole or in excerpts. */
  get names(): readonly string[] {
    return [...new Set([...this.#files.keys(), ...this.#lines.keys()])];
  }

  get files(): readonly SourceFile[] {
    return [...this.#files.values()];
  }
}

export interface Reading {
  readonly cache: SourceCache;
  readonly sources: SourceSet;
  readonly problems: Problems;
}

/** The call that made a kernel. */
export function findKernel(
  definition: Pick<KernelDefinition, "name" | "site">,
  reading: Reading,
): FoundSource {
  const { site, name } = definition;
  const what = `kernel '${name}'`;
  if (site.text !== undefined) {
    const { exportName } = site.text;
    const file = reading.sources.add(reading.cache.openText(site.text.file, site.text.source));
    const call = kernelCalls(file.index, "kernel").find((c) => c.binding === exportName);
    return { file, call: call ?? notFound(what, file, 0, reading) };
  }
  const { file, line, column } = locateSite(site, what, reading);
  const calls = kernelCalls(file.index, "kernel");
  const named = calls.filter((c) => c.kernelName === name);
  const call =
    calls.find((c) => c.line === line && c.column === column) ??
    named.find((c) => c.line === line) ??
    only(named) ??
    only(line === 0 ? calls : calls.filter((c) => c.line === line));
  return { file, call: call ?? notFound(what, file, line, reading) };
}

/** The call that made a device function. */
export function findDeviceFunction(
  site: DefinitionSite,
  param: string,
  reading: Reading,
): FoundSource {
  const what = `the function given for '${param}'`;
  const { file, line, column } = locateSite(site, what, reading);
  const calls = kernelCalls(file.index, "deviceFunction");
  const call =
    calls.find((c) => c.line === line && c.column === column) ??
    only(line === 0 ? calls : calls.filter((c) => c.line === line));
  return { file, call: call ?? notFound(what, file, line, reading) };
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** Calls of `callee`, also where an import gives it another name. */
function kernelCalls(index: ModuleIndex, callee: string): readonly FoundCall[] {
  const aliases = [...index.imports].flatMap(([local, imported]) =>
    imported.name === callee ? [local] : [],
  );
  return index.calls([callee, ...aliases]);
}

function locateSite(site: DefinitionSite, what: string, reading: Reading) {
  const located = locate(site, reading.cache);
  if (located !== undefined) {
    reading.sources.add(located.file);
    return located;
  }
  return reading.problems.fail("TW1020", {
    message: `the source of ${what} cannot be found`,
    seen: seenPlace(site),
    expected:
      "a stack whose first frame names a file that can be read, or a compiled file with a source map that embeds its sources",
    remedy:
      "build with source maps and inlineSources, or define the kernel with kernelFromSource(text, exportName)",
  });
}

function seenPlace(site: DefinitionSite): string {
  const frame = firstFrame(site.stack) ?? firstFrame(site.raw ?? "");
  if (frame !== undefined) return `${displayPath(frame.file)}:${frame.line}, which cannot be read`;
  return site.stack === "" ? "an empty stack" : "a stack that names no file";
}

function notFound(what: string, file: SourceFile, line: number, reading: Reading): never {
  return reading.problems.fail("TW1021", {
    message: `the call that defines ${what} is not in the file that its stack names`,
    seen: `${line === 0 ? file.display : `${file.display}:${line}`}, which holds no such call there`,
    expected: "a call kernel({ name, … }, (params, config) => { … }) at that place",
    remedy:
      "write the call where the kernel is defined, not in a wrapper; when the file was changed after the build, build again",
  });
}
