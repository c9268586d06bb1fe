/** [engine/server/tracing] A span as it is recorded: what ran when, under which trace. How it is written is in otlp-json.ts. */

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly state: string | undefined;
  readonly name: string;
  readonly kind: "internal" | "server";
  /** In milliseconds of `performance.now()`, as is `end`. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** What went wrong; absent where nothing did. */
  readonly error: string | undefined;
}
