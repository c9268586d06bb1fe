/** [dsl/frontend] The only door to the TypeScript parser: loads it lazily and parses one file. No checker, no program. */
import { createRequire } from "node:module";
import type { ts } from "ts-morph";

export type { ts } from "ts-morph";
export type Typescript = typeof ts;

/** A parsed file and the parser that made it. */
export interface ParsedFile {
  readonly ts: Typescript;
  readonly tree: ts.SourceFile;
}

/**
 * The parser that ts-morph bundles; the user's own `typescript` is never touched. Importing costs a good fraction of a
 * second, so it happens on the first parse and not before. Node caches the module, so later calls are free.
 */
function loadParser(): Typescript {
  const required: { readonly ts: Typescript } = createRequire(import.meta.url)("ts-morph");
  return required.ts;
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
