/** [dsl/frontend] From an import's specifier to a source file, or to the language itself. */
import { nodeModule } from "../core/node-modules.ts";
import type { SourceCache, SourceFile } from "./source-cache.ts";

const { existsSync, readFileSync, statSync } = nodeModule("node:fs");
const { createRequire } = nodeModule("node:module");
const { dirname, join, relative, resolve, sep } = nodeModule("node:path");
const { fileURLToPath } = nodeModule("node:url");

export const PACKAGE_NAME = "tilewright";

/** The dsl folder that this code runs from, in the source tree or in a build. */
const dslRoot = (): string => dirname(dirname(fileURLToPath(import.meta.url)));

export type ResolvedModule =
  | { readonly kind: "language" }
  | { readonly kind: "file"; readonly file: SourceFile }
  | { readonly kind: "missing" };

const SWAPS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, [".ts", ".tsx"]],
  [/\.mjs$/, [".mts"]],
  [/\.cjs$/, [".cts"]],
  [/\.tsx?$/, [".js"]],
  [/\.mts$/, [".mjs"]],
  [/\.cts$/, [".cjs"]],
];
const APPENDED = ["", ".ts", ".tsx", ".mts", ".js", ".mjs", `${sep}index.ts`, `${sep}index.js`];

/** @param from the file that imports */
export function resolveModule(
  from: SourceFile,
  specifier: string,
  cache: SourceCache,
): ResolvedModule {
  if (specifier === PACKAGE_NAME || specifier.startsWith(`${PACKAGE_NAME}/`))
    return { kind: "language" };
  const bundled = specifier.startsWith(".") ? bundledFile(from, specifier, cache) : undefined;
  if (bundled !== undefined) return bundled;
  const path = specifier.startsWith(".")
    ? relativePath(from, specifier)
    : packagePath(from, specifier);
  if (path === undefined) return { kind: "missing" };
  if (isLanguage(path)) return { kind: "language" };
  const file = cache.open(path);
  return file === undefined ? { kind: "missing" } : { kind: "file", file };
}

/** In a bundle, another original of the same compiled file; its text is in the map, wherever the file itself has gone. */
function bundledFile(
  from: SourceFile,
  specifier: string,
  cache: SourceCache,
): ResolvedModule | undefined {
  const { compiled } = from;
  const sources = compiled?.map?.sources ?? [];
  if (compiled === undefined || sources.length < 2) return undefined;
  for (const candidate of candidates(resolve(dirname(from.path), specifier))) {
    if (!sources.includes(candidate)) continue;
    if (isLanguage(candidate)) return { kind: "language" };
    const file = cache.openOriginal(compiled, candidate);
    if (file !== undefined) return { kind: "file", file };
  }
  return undefined;
}

/** Next to the compiled file first: in a published package the original's neighbours do not exist. */
function relativePath(from: SourceFile, specifier: string): string | undefined {
  for (const base of [from.compiled?.path, from.path]) {
    if (base === undefined) continue;
    const target = resolve(dirname(base), specifier);
    for (const candidate of candidates(target)) if (isFile(candidate)) return candidate;
  }
  return undefined;
}

function candidates(target: string): readonly string[] {
  const swapped = SWAPS.flatMap(([from, to]) =>
    from.test(target) ? to.map((ending) => target.replace(from, ending)) : [],
  );
  return [target, ...swapped, ...APPENDED.slice(1).map((ending) => target + ending)];
}

function packagePath(from: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  try {
    const found = createRequire(from.compiled?.path ?? from.path).resolve(specifier);
    return isFile(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** The files that make up the language's surface, below the package's root or its `dist`; what they export is known by name and never parsed. */
const SURFACE = /^(dist\/)?(index|browser|dsl\/index|dsl\/language|dsl\/ops\/.+)$/;

/** Also of another copy of this package: a file may import the sources while the built command reads it. */
function isLanguage(path: string): boolean {
  const root = path.startsWith(dirname(dslRoot()) + sep) ? dirname(dslRoot()) : copyRoot(path);
  if (root === undefined) return false;
  const inside = relative(root, path.replace(/\.[cm]?[jt]s$/, ""));
  return SURFACE.test(inside.split(sep).join("/"));
}

/** The nearest folder above that holds a package.json of this package's name. */
function copyRoot(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!isFile(manifest)) continue;
    const { name } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: string };
    return name === PACKAGE_NAME ? folder : undefined;
  }
  return undefined;
}
