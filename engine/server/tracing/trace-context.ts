/** [engine/server/tracing] W3C trace context: who called, under which trace, and whether it is recorded. Headers in, ids out. */
import { randomBytes } from "node:crypto";

export interface TraceContext {
  /** 16 bytes in hexadecimal. */
  readonly traceId: string;
  /** Span of the caller, 8 bytes in hexadecimal; absent where the trace begins here. */
  readonly parentId: string | undefined;
  readonly isSampled: boolean;
  /** `tracestate` as it came; it is passed on and not read. */
  readonly state: string | undefined;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** Longer ones may be dropped. @source W3C, Trace Context, 3.3.1.5 */
const MAX_STATE = 512;

/**
 * @returns undefined for a header that is malformed: the trace begins anew then
 * @source W3C, Trace Context, 3.2: version ff and ids of zeros are invalid; later versions may have more after the flags
 */
export function parseTraceparent(header: unknown, state?: unknown): TraceContext | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  const kept = typeof state === "string" && state.length <= MAX_STATE ? state : undefined;
  return { traceId, parentId, isSampled, state: kept };
}

/** @param share of new traces that are recorded, 0 to 1 */
export function newTrace(share: number): TraceContext {
  const isSampled = share >= 1 || Math.random() < share;
  return { traceId: newId(16), parentId: undefined, isSampled, state: undefined };
}

export function newId(bytes: 8 | 16): string {
  for (;;) {
    const id = randomBytes(bytes).toString("hex");
    if (!/^0+$/.test(id)) return id;
  }
}
