/** [dsl/frontend] The only door to the TypeScript parser: parses one file, loading the parser on first use. No checker, no program. */
import { loadParser, type Typescript, type ts } from "./parser-library.ts";

export type { Typescript, ts } from "./parser-library.ts";

/** A parsed file and the parser that made it. */
export interface ParsedFile {
  readonly ts: Typescript;
  readonly tree: ts.SourceFile;
}

export function parseFile(text: string, fileName: string): ParsedFile {
  const ts = loadParser();
  const kind = /\.[cm]?jsx?$/.test(fileName)
    ? ts.ScriptKind.JS
    : fileName.endsWith("x")
      ? ts.ScriptKind.TSX
      : ts.ScriptKind.TS;
  // Doc comments are most of some files' text and mean nothing here.
  const options = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const tree = ts.createSourceFile(fileName, text, options, true, kind);
  return { ts, tree };
}
