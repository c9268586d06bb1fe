/** [dsl/bundler] Writes parsed kernels into a module's text, and templates into the module that reads them. Knows no bundler. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { buildFunctionProgram, buildProgram } from "../frontend/build-program.ts";
import type { HirExcerpt, HirProgram } from "../frontend/hir.ts";
import { writeHir } from "../frontend/hir-print.ts";
import { type FoundCall, indexModule, type ModuleIndex } from "../frontend/module-index.ts";
import { Problems } from "../frontend/problems.ts";
import { type Reading, SourceSet } from "../frontend/read-source.ts";
import { resolveModule } from "../frontend/resolve-module.ts";
import { SourceCache, type SourceFile } from "../frontend/source-cache.ts";

/** A module's text with what was embedded, and the files that it was made from. */
export interface Embedded {
  readonly code: string;
  readonly dependencies: readonly string[];
}

/** What defines something whose source is needed, and with how many arguments it is written. */
const MAKERS = [
  ["kernel", 2],
  ["deviceFunction", 1],
] as const;
type Maker = (typeof MAKERS)[number][0];

/** Modules that cannot hold a definition are not parsed. */
const MAY_DEFINE = /\b(?:kernel|deviceFunction)\b/;

/**
 * Gives every `kernel(…)` and `deviceFunction(…)` of a module its parsed program as a further argument. Lines stay where they are.
 * @param file absolute path of the module: TypeScript, or JavaScript with a source map that leads to it
 * @param code its text as it lies on disk
 * @returns undefined where the module defines nothing
 * @throws KernelSourceError TW10xx, TW11xx with every error of the module
 */
export function embedPrograms(
  file: string,
  code: string,
  cache: SourceCache = new SourceCache(),
): Embedded | undefined {
  const module = MAY_DEFINE.test(code) ? cache.open(file) : undefined;
  if (module === undefined) return undefined;
  const index = indexModule(code, file);
  const sources = new SourceSet();
  const problems = new Problems((display) => sources.textOf(display));
  const reading = { cache, sources, problems };
  const insertions = MAKERS.flatMap(([maker, written]) =>
    isImported(index, maker, module, cache)
      ? callsOf(index, maker).flatMap((call) => {
          if (call.numArguments !== written || call.argumentsEnd === undefined) return [];
          const program = programOf(maker, call, file, reading);
          if (program === undefined) return [];
          const text = writeHir({ ...program, excerpts: excerptsOf(program, sources) });
          return [{ at: call.argumentsEnd, text: `, ${JSON.stringify(text)}` }];
        })
      : [],
  );
  problems.throwIfAny();
  if (insertions.length === 0) return undefined;
  const dependencies = sources.files.flatMap((source) => source.dependencies.map((d) => d.file));
  return { code: insertAll(code, insertions), dependencies: [...new Set(dependencies)] };
}

/** Whether the module takes `maker` from the language: another library may have a function of this name. */
function isImported(
  index: ModuleIndex,
  maker: Maker,
  module: SourceFile,
  cache: SourceCache,
): boolean {
  return [...index.imports.values()].some(
    ({ name, specifier }) =>
      (name === maker || name === "*") &&
      resolveModule(module, specifier, cache).kind === "language",
  );
}

function callsOf(index: ModuleIndex, maker: Maker): readonly FoundCall[] {
  const aliases = [...index.imports].flatMap(([local, { name }]) =>
    name === maker ? [local] : [],
  );
  return index.calls([maker, ...aliases]);
}

function programOf(
  maker: Maker,
  call: FoundCall,
  file: string,
  reading: Reading,
): HirProgram | undefined {
  const stack = `    at ${file}:${call.line}:${call.column}`;
  const site = { stack, raw: stack };
  const name = call.kernelName ?? call.binding ?? maker;
  const fallback = (): undefined => undefined;
  const params = Object.fromEntries(
    call.functionParams().map((param) => [param, { kind: "function", fallback }] as const),
  );
  return reading.problems.attempt<HirProgram | undefined>(
    () =>
      maker === "kernel"
        ? buildProgram({ name, site, params }, undefined, reading)
        : buildFunctionProgram(name, site, reading),
    () => undefined,
  );
}

/** The lines of all declarations, and one before and after each, as frames of messages show them. */
function excerptsOf({ declarations }: HirProgram, sources: SourceSet): readonly HirExcerpt[] {
  return [...new Set(declarations.map(({ file }) => file))].flatMap((file) => {
    const parts = declarations.filter((part) => part.file === file);
    const lines = sources.textOf(file)?.split(/\r?\n/) ?? [];
    const isShown = lines.map((_, i) =>
      parts.some(({ span: [first, , last] }) => i + 2 >= first && i <= last),
    );
    return lines.flatMap((_, i) => {
      if (isShown[i] !== true || isShown[i - 1] === true) return [];
      const end = isShown.indexOf(false, i);
      const text = lines.slice(i, end < 0 ? undefined : end).join("\n");
      return [{ file, line: i + 1, text }];
    });
  });
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

function insertAll(code: string, insertions: readonly Insertion[]): string {
  const fromBehind = [...insertions].sort((a, b) => b.at - a.at);
  return fromBehind.reduce(
    (text, { at, text: added }) => text.slice(0, at) + added + text.slice(at),
    code,
  );
}

const ASSET_MODULE = /[\\/]codegen[\\/]text[\\/]asset\.[jt]s$/;
const ASSET_TABLE = /(\bEMBEDDED(?:: ReadonlyMap<string, string>)? = )new Map\(\)/;
const ASSET = /\.(?:hbs|cuh|h|wgsl)$/;

/** Fills the table of templates and preludes in the module that reads them; undefined for every other module. */
export function embedAssets(file: string, code: string): Embedded | undefined {
  if (!ASSET_MODULE.test(file) || !ASSET_TABLE.test(code)) return undefined;
  const root = dirname(dirname(file));
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    ASSET.test(name),
  );
  const table = names
    .sort()
    .map((name) => [name.split(sep).join("/"), readFileSync(join(root, name), "utf8")] as const);
  return {
    code: code.replace(
      ASSET_TABLE,
      (_, head: string) => `${head}new Map(${JSON.stringify(table)})`,
    ),
    dependencies: names.map((name) => join(root, name)),
  };
}
