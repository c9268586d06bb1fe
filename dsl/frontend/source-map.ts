/** [dsl/frontend] Reads the source map of a compiled file and maps positions and texts back through it. */
import type * as traceMapping from "@jridgewell/trace-mapping";
import { nodeModule } from "../core/node-modules.ts";

const { existsSync, readFileSync } = nodeModule("node:fs");
const { createRequire } = nodeModule("node:module");
const { dirname, resolve } = nodeModule("node:path");
const { fileURLToPath } = nodeModule("node:url");

/** A place in an original file. */
export interface OriginalPosition {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface SourceMap {
  /** The .map file, unless the map is inline. */
  readonly file: string | undefined;
  /** @param line from 1 @param column from 1 */
  readonly original: (line: number, column: number) => OriginalPosition | undefined;
  /** Text of an original file: what the map embeds, else what lies on disk. */
  readonly text: (path: string) => string | undefined;
  /** Original files, as absolute paths. */
  readonly sources: readonly string[];
}

const MAP_URL = /\/\/[#@] ?sourceMappingURL=([^\s'"]+)\s*$/;

/**
 * @param path absolute path of the compiled file
 * @param text its text
 * @returns undefined when it names no map, or one that cannot be read
 */
export function readSourceMap(path: string, text: string): SourceMap | undefined {
  const url = MAP_URL.exec(text.slice(-16384 * 4))?.[1] ?? MAP_URL.exec(text)?.[1];
  if (url === undefined) return undefined;
  const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1];
  const file = inline === undefined ? resolve(dirname(path), decodeURI(url)) : undefined;
  if (file !== undefined && !existsSync(file)) return undefined;
  const json =
    inline === undefined
      ? readFileSync(file ?? "", "utf8")
      : Buffer.from(inline, "base64").toString("utf8");
  const library: typeof traceMapping = createRequire(import.meta.url)("@jridgewell/trace-mapping");
  const map = new library.TraceMap(json);
  const absolute = map.sources.map((source) =>
    sourcePath(path, map.sourceRoot ?? "", source ?? ""),
  );
  return {
    file,
    sources: absolute,
    original: (line, column) => {
      const found = library.originalPositionFor(map, { line, column: column - 1 });
      if (found.source === null) return undefined;
      const index = map.sources.indexOf(found.source);
      const source = absolute[index];
      return source === undefined
        ? undefined
        : { path: source, line: found.line, column: found.column + 1 };
    },
    text: (wanted) => {
      const embedded = map.sourcesContent?.[absolute.indexOf(wanted)];
      if (typeof embedded === "string") return embedded;
      return existsSync(wanted) ? readFileSync(wanted, "utf8") : undefined;
    },
  };
}

function sourcePath(compiled: string, root: string, source: string): string {
  if (source.startsWith("file://")) return fileURLToPath(source);
  return resolve(dirname(compiled), root, source);
}
