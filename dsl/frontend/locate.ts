/** [dsl/frontend] Which file and position a definition site means. Reads stacks and source maps, needs no parser. */
import { nodeModule } from "../core/node-modules.ts";
import type { DefinitionSite, KernelDefinition } from "../definition.ts";
import type { SourceCache, SourceFile } from "./source-cache.ts";

const { existsSync } = nodeModule("node:fs");
const { fileURLToPath } = nodeModule("node:url");

export interface Position {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Line and column are of code that was made of the file: they tell two calls apart and nothing more. */
  readonly isGenerated?: true;
}

const FRAME = /^\s*at .*?\(?((?:file:\/\/|node:|[A-Za-z]:[\\/]|\/|<)[^()]*?):(\d+):(\d+)\)?$/;

/**
 * CommonJS that tsx makes of TypeScript behind a loader of its own: as a URL of data, which names the file in its query. No map comes with
 * it, so the position means nothing in the file.
 */
const DATA_FRAME = /^\s*at .*?data:text\/javascript,.*[?&]filePath=([^:]+):(\d+):(\d+)\)?$/;

/** The first frame of a stack that names a file. */
export function firstFrame(stack: string): Position | undefined {
  for (const line of stack.split("\n")) {
    const [, made, generatedLine = "0", generatedColumn = "0"] = DATA_FRAME.exec(line) ?? [];
    if (made !== undefined) {
      const place = { line: Number(generatedLine), column: Number(generatedColumn) };
      return { file: filePath(decodeURIComponent(made)), ...place, isGenerated: true };
    }
    const match = FRAME.exec(line);
    if (match === null) continue;
    const [, where = "", row = "0", column = "0"] = match;
    return { file: filePath(where), line: Number(row), column: Number(column) };
  }
  return undefined;
}

function filePath(where: string): string {
  const bare = where.replace(/[?#].*$/, "");
  return bare.startsWith("file://") ? fileURLToPath(bare) : bare;
}

/**
 * Where `definition` stands, without the parser: a file that lies on disk (TypeScript, or the compiled file when that is
 * all there is) and the position of the call in it. For cache keys: together with the file's content it names the kernel.
 * @returns undefined when the definition came from text, or its stack names no file
 */
export function sourceKey(definition: Pick<KernelDefinition, "site">): Position | undefined {
  const { site } = definition;
  if (site.text !== undefined) return undefined;
  const raw = firstFrame(site.raw ?? "");
  const mapped = firstFrame(site.stack);
  for (const position of [raw !== undefined && isCompiled(raw.file) ? raw : mapped, raw, mapped]) {
    if (position !== undefined && existsSync(position.file)) return position;
  }
  return undefined;
}

function isCompiled(file: string): boolean {
  return /\.[cm]?js$/.test(file);
}

/** The original file and the position of the call in it; line 0 where that is not known. */
export interface Located {
  readonly file: SourceFile;
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the original. A compiled file on disk with a source map is trusted first: its map holds the text that was
 * compiled, whatever has become of the TypeScript since. Otherwise the position that the installed hook reports counts.
 */
export function locate(site: DefinitionSite, cache: SourceCache): Located | undefined {
  const raw = firstFrame(site.raw ?? "");
  if (raw !== undefined && isCompiled(raw.file)) {
    const found = throughMap(raw, cache);
    if (found !== undefined) return found;
  }
  const mapped = firstFrame(site.stack);
  for (const position of [mapped, raw]) {
    const file = position === undefined ? undefined : cache.read(position.file);
    if (position === undefined || file === undefined) continue;
    const opened = file.map === undefined ? cache.open(position.file) : undefined;
    if (opened !== undefined && position.isGenerated) return { file: opened, line: 0, column: 0 };
    if (opened !== undefined) return { file: opened, line: position.line, column: position.column };
    const found = throughMap(position, cache);
    if (found !== undefined) return found;
  }
  return undefined;
}

function throughMap(position: Position, cache: SourceCache): Located | undefined {
  const disk = cache.read(position.file);
  const original = disk?.map?.original(position.line, position.column);
  if (disk === undefined || original === undefined) return undefined;
  const file = cache.openOriginal(disk, original.path);
  return file === undefined ? undefined : { file, line: original.line, column: original.column };
}
