/** [dsl/frontend] Opens source files: reads, follows source maps, hashes, and keeps parsed files by content. */
import { sha256 } from "../core/hash.ts";
import { nodeModule } from "../core/node-modules.ts";
import type { HirProgram } from "./hir.ts";
import { indexModule, type ModuleIndex } from "./module-index.ts";
import { readSourceMap, type SourceMap } from "./source-map.ts";

const { existsSync, readFileSync, statSync } = nodeModule("node:fs");
const { relative } = nodeModule("node:path");

/** A file that was read, so that a cache can tell whether it changed. */
export interface Dependency {
  /** Absolute path. */
  readonly file: string;
  readonly sha256: string;
}

export interface SourceFile {
  /** Absolute path of the original; it need not exist when a source map embeds the text. */
  readonly path: string;
  /** Path relative to the working directory, for messages and generated text. */
  readonly display: string;
  readonly text: string;
  /** The compiled file that led here; with a source map, since it gave the text. */
  readonly compiled: DiskFile | undefined;
  /** What lies on disk: the file itself, or the compiled file and its map. */
  readonly dependencies: readonly Dependency[];
  readonly index: ModuleIndex;
}

/** A file as it lies on disk, with its source map if it has one. */
export interface DiskFile {
  readonly path: string;
  readonly text: string;
  readonly map: SourceMap | undefined;
}

const CAPACITY = 512;

/** A kernel's HIR with the files it came from. */
export interface ReadProgram {
  readonly hir: HirProgram;
  readonly files: readonly SourceFile[];
}

/** Parsed files by path and content hash, and whole programs. Reading a file again is cheap; parsing it again is not. */
export class SourceCache {
  readonly #parsed = new Map<string, ModuleIndex>();
  readonly #programs = new Map<string, ReadProgram>();

  /** The program made under `key` before, if none of its files has changed since. */
  program(key: string): ReadProgram | undefined {
    const found = this.#programs.get(key);
    const current = found?.files.every((file) => file.dependencies.every(isCurrent)) ?? false;
    return current ? found : undefined;
  }

  keepProgram(key: string, program: ReadProgram): void {
    makeRoom(this.#programs);
    this.#programs.set(key, program);
  }

  /** @returns undefined when `path` is no readable file */
  read(path: string): DiskFile | undefined {
    if (!existsSync(path) || !statSync(path).isFile()) return undefined;
    const text = readFileSync(path, "utf8");
    const compiled = /\.[cm]?js$/.test(path);
    return { path, text, map: compiled ? readSourceMap(path, text) : undefined };
  }

  /** The original file at `path`; for a compiled file with one original, that original. */
  open(path: string): SourceFile | undefined {
    const disk = this.read(path);
    if (disk === undefined) return undefined;
    const only = disk.map?.sources.length === 1 ? disk.map.sources[0] : undefined;
    return (only === undefined ? undefined : this.openOriginal(disk, only)) ?? this.#plain(disk);
  }

  /** An original that the source map of `disk` names. */
  openOriginal(disk: DiskFile, path: string): SourceFile | undefined {
    const text = disk.map?.text(path);
    if (text === undefined) return undefined;
    const files = [disk.path, ...(disk.map?.file === undefined ? [] : [disk.map.file])];
    const dependencies = files.map((file) => ({ file, sha256: sha256(readFileSync(file)) }));
    return this.#file(path, text, disk, dependencies);
  }

  /** A text that lies in no file. */
  openText(name: string, text: string): SourceFile {
    return this.#file(name, text, undefined, []);
  }

  #plain(disk: DiskFile): SourceFile {
    return this.#file(disk.path, disk.text, undefined, [
      { file: disk.path, sha256: sha256(disk.text) },
    ]);
  }

  #file(
    path: string,
    text: string,
    compiled: DiskFile | undefined,
    dependencies: readonly Dependency[],
  ): SourceFile {
    const indexOf = () => this.#index(path, text);
    return {
      path,
      display: displayPath(path),
      text,
      compiled,
      dependencies,
      get index() {
        return indexOf();
      },
    };
  }

  #index(path: string, text: string): ModuleIndex {
    const key = `${path} ${sha256(text)}`;
    const found = this.#parsed.get(key);
    if (found !== undefined) return found;
    makeRoom(this.#parsed);
    const made = indexModule(text, path);
    this.#parsed.set(key, made);
    return made;
  }
}

function isCurrent({ file, sha256: known }: Dependency): boolean {
  return existsSync(file) && sha256(readFileSync(file)) === known;
}

/** Drops the oldest entry of a full map. */
function makeRoom(map: Map<string, unknown>): void {
  const oldest = map.keys().next().value;
  if (map.size >= CAPACITY && oldest !== undefined) map.delete(oldest);
}

/** A path as messages show it: relative to the working directory where it lies below or beside it. */
export function displayPath(path: string): string {
  if (path.startsWith("<")) return path;
  return relative(process.cwd(), path).replaceAll("\\", "/") || path;
}
