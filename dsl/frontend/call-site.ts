/** [dsl/frontend] Captures where `kernel()` was called, as the engine reports it and as it was compiled. Nothing is parsed here. */
import type { DefinitionSite } from "../definition.ts";

/** The caller is the first frame; a few more make a readable message where it cannot be used. */
const FRAMES = 4;

/**
 * The stack above `entry`, in two readings: the one an installed source-map hook gives (tsx, vitest,
 * `node --enable-source-maps`), and the raw one with positions in the file that was compiled. A published package has
 * no TypeScript files, so the first names files that do not exist; a transformed file exists only in memory, so the
 * second does. Which one to trust is decided when the source is needed.
 * @param entry frames at and below this function are left out
 */
export function captureSite(entry: (...args: never[]) => unknown): DefinitionSite {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  try {
    const mapped: { stack?: unknown } = {};
    Error.captureStackTrace(mapped, entry);
    return { stack: typeof mapped.stack === "string" ? mapped.stack : "", raw: rawStack(entry) };
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function rawStack(entry: (...args: never[]) => unknown): string {
  const prepare = Error.prepareStackTrace;
  const holder: { stack?: unknown } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites.map(formatSite).join("\n");
    Error.captureStackTrace(holder, entry);
    return typeof holder.stack === "string" ? holder.stack : "";
  } finally {
    Error.prepareStackTrace = prepare;
  }
}

function formatSite(site: NodeJS.CallSite): string {
  return `    at ${site.getFileName() ?? "<anonymous>"}:${site.getLineNumber() ?? 0}:${site.getColumnNumber() ?? 0}`;
}
