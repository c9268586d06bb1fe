/** [dsl/core] Places in kernel source: spans, call chains and the code frame that error messages show. */

/** A range of source text. `line` and `col` count from 1; `endCol` is exclusive. `file` is a display path. */
export interface SourceSpan {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly endLine: number;
  readonly endCol: number;
}

/** Where an op came from, and through which helper calls (innermost first). */
export interface Location {
  readonly span: SourceSpan;
  readonly chain?: readonly { readonly callee: string; readonly span: SourceSpan }[];
}

export const UNKNOWN_SPAN: SourceSpan = {
  file: "<unknown>",
  line: 0,
  col: 0,
  endLine: 0,
  endCol: 0,
};
export const UNKNOWN_LOCATION: Location = { span: UNKNOWN_SPAN };

/** `file:line:col`, the form that editors and terminals link. */
export function formatSpan(span: SourceSpan): string {
  return `${span.file}:${span.line}:${span.col}`;
}

/**
 * Three lines of source around a span with carets under it.
 * @param source the whole text of the file, or undefined when it cannot be read
 */
export function codeFrame(span: SourceSpan, source: string | undefined): string {
  if (source === undefined || span.line < 1) return "";
  const lines = source.split(/\r?\n/);
  const first = Math.max(1, span.line - 1);
  const last = Math.min(lines.length, span.line + 1);
  const width = String(last).length;
  const frame: string[] = [];
  for (let n = first; n <= last; n++) {
    const text = (lines[n - 1] ?? "").replaceAll("\t", "  ");
    frame.push(`${n === span.line ? ">" : " "} ${String(n).padStart(width)} | ${text}`);
    if (n !== span.line) continue;
    const end = span.endLine === span.line ? span.endCol : text.length + 1;
    const carets = "^".repeat(Math.max(1, end - span.col));
    frame.push(`  ${" ".repeat(width)} | ${" ".repeat(span.col - 1)}${carets}`);
  }
  return frame.join("\n");
}
