/** [dsl/core] The error classes of all rooms. Every message says what was seen, what was expected, what to do. */
import { codeFrame, formatSpan, type Location } from "./location.ts";

/** Stable error code: `TW` and four digits. 1xxx kernel source, 2xxx codegen, 3xxx runtime, 4xxx engine, 9xxx our own bugs. */
export type ErrorCode = `TW${number}`;

export interface Diagnostic {
  readonly code: ErrorCode;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly seen?: string;
  readonly expected?: string;
  /** What to do. */
  readonly remedy?: string;
  readonly location?: Location;
  /** Whole text of the file that `location` points into, for the code frame. */
  readonly source?: string;
}

export class TilewrightError extends Error {
  readonly code: ErrorCode;
  /** Not enumerable: the message says it all, and consoles would print whole source files. */
  declare readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostic: Diagnostic | readonly Diagnostic[], options?: ErrorOptions) {
    const list = Array.isArray(diagnostic)
      ? (diagnostic as readonly Diagnostic[])
      : [diagnostic as Diagnostic];
    super(list.map(formatDiagnostic).join("\n\n"), options);
    this.name = new.target.name;
    Object.defineProperty(this, "diagnostics", { value: list });
    this.code = list[0]?.code ?? "TW9000";
  }
}

/** Something is wrong in the text of a kernel. Carries all errors of a phase. */
export class KernelSourceError extends TilewrightError {}
/** A combination that a target, driver or model does not support. */
export class UnsupportedError extends TilewrightError {}
/** A check of the interpreter failed while a kernel ran. The diagnostics carry program, coordinates and count. */
export class KernelRunError extends TilewrightError {}
/** A launch was given arguments that do not fit the kernel. */
export class LaunchError extends TilewrightError {}
/** A device or its driver library reported a failure. */
export class DeviceError extends TilewrightError {}
/** A model folder, weight file or configuration is malformed. */
export class ModelError extends TilewrightError {}
/** A request is invalid; carries what the HTTP layer answers. */
export class RequestError extends TilewrightError {
  readonly status: number;
  readonly param: string | null;

  constructor(diagnostic: Diagnostic, status = 400, param: string | null = null) {
    super(diagnostic);
    this.status = status;
    this.param = param;
  }
}
/** Our own bug: an invariant does not hold. */
export class InternalError extends TilewrightError {}

/** Throws `InternalError` (TW9001) unless `condition` holds. For our own bugs, never for user input. */
export function invariant(condition: unknown, message: () => string): asserts condition {
  if (!condition) {
    throw new InternalError({
      code: "TW9001",
      message: `internal error: ${message()}`,
      remedy: "this is a bug in tilewright; please report it with the kernel that caused it",
    });
  }
}

export function formatDiagnostic(d: Diagnostic): string {
  const lines: string[] = [];
  const at = d.location === undefined ? "" : `${formatSpan(d.location.span)} - `;
  lines.push(`${at}${d.code}: ${d.message}`);
  if (d.location !== undefined) {
    const frame = codeFrame(d.location.span, d.source);
    if (frame !== "") lines.push(frame);
    for (const call of d.location.chain ?? [])
      lines.push(`  in ${call.callee}, called at ${formatSpan(call.span)}`);
  }
  if (d.seen !== undefined) lines.push(`  seen:     ${d.seen}`);
  if (d.expected !== undefined) lines.push(`  expected: ${d.expected}`);
  if (d.remedy !== undefined) lines.push(`  remedy:   ${d.remedy}`);
  return lines.join("\n");
}
