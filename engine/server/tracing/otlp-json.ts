/** [engine/server/tracing] Spans as the JSON of OpenTelemetry's protocol. Pure. */
import { packageVersion } from "../../version.ts";
import type { Attributes, AttributeValue, Span } from "./span.ts";

const KINDS = { internal: 1, server: 2 } as const;
const STATUS_ERROR = 2;
/** Sampled; it is known whether the parent is another process's; it is. @source opentelemetry-proto, SpanFlags, and W3C's trace flags */
const FLAGS = { sampled: 1, knowsRemote: 0x100, isRemote: 0x200 } as const;

/**
 * The body of a request to /v1/traces.
 * @source opentelemetry-proto, `trace/v1/trace.proto`, and the specification of OTLP/HTTP: ids in hexadecimal, 64-bit integers as strings
 */
export function otlpBody(spans: readonly Span[], serviceName: string): string {
  const attributes = attributesOf({
    "service.name": serviceName,
    "service.version": packageVersion(),
    "process.pid": process.pid,
    "process.runtime.name": "nodejs",
    "process.runtime.version": process.versions.node,
  });
  const scope = { name: "tilewright", version: packageVersion() };
  const scopeSpans = [{ scope, spans: spans.map(spanOf) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
}

function spanOf(span: Span): object {
  const { traceId, spanId, parentId, state, name, kind, start, end, error } = span;
  const isRemote = kind === "server" && parentId !== undefined;
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    ...(state === undefined ? {} : { traceState: state }),
    flags: FLAGS.sampled | FLAGS.knowsRemote | (isRemote ? FLAGS.isRemote : 0),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: unixNano(start),
    endTimeUnixNano: unixNano(Math.max(start, end)),
    attributes: attributesOf(span.attributes),
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** Microseconds are all that the clock gives. */
function unixNano(time: number): string {
  return `${BigInt(Math.round((performance.timeOrigin + time) * 1000)) * 1000n}`;
}

function attributesOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}
