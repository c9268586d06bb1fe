/** [engine/server/tracing] Sends spans to a collector in batches, beside the requests: what it cannot send in time is dropped and counted. */
import { setTimeout as delay } from "node:timers/promises";
import { otlpBody } from "./otlp-json.ts";
import type { Span } from "./span.ts";

export interface ExporterOptions {
  /** URL that spans are POSTed to, as it is. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Hears of what was lost, at most once a minute. */
  readonly onLoss: (why: string, numSpans: number) => void;
}

/** @source OpenTelemetry's specification of the batch span processor: its defaults */
const MOST_QUEUED = 2048;
const BATCH = 512;
const PAUSE_MS = 5000;
const TIMEOUT_MS = 10_000;
/** @source the specification of OTLP/HTTP: statuses that may be tried again */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 5000;
const COMPLAINT_MS = 60_000;

export class TraceExporter {
  readonly #options: ExporterOptions;
  readonly #ending = new AbortController();
  #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #lost = 0;
  #complained = Number.NEGATIVE_INFINITY;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(spans: readonly Span[]): void {
    const room = Math.max(0, MOST_QUEUED - this.#queue.length);
    this.#queue.push(...spans.slice(0, room));
    if (spans.length > room) this.#lose("the queue is full", spans.length - room);
    if (this.#queue.length >= BATCH) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), PAUSE_MS).unref();
  }

  /** Sends what is left; gives up after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    try {
      while (this.#queue.length > 0 || this.#sending !== undefined) {
        this.#send();
        await this.#sending;
      }
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#timer);
    }
  }

  /** One batch at a time. */
  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#queue.length === 0) return;
    const batch = this.#queue.slice(0, BATCH);
    this.#queue = this.#queue.slice(BATCH);
    this.#sending = this.#deliver(batch).then(() => {
      this.#sending = undefined;
      if (this.#queue.length >= BATCH) this.#send();
      else if (this.#queue.length > 0)
        this.#timer ??= setTimeout(() => this.#send(), PAUSE_MS).unref();
    });
  }

  /** Never rejects. */
  async #deliver(batch: readonly Span[]): Promise<void> {
    const body = otlpBody(batch, this.#options.serviceName);
    let why = "";
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await this.#post(body);
      if (answer.kind === "done") return;
      why = answer.why;
      if (!answer.again || this.#ending.signal.aborted || attempt === ATTEMPTS - 1) break;
      const pause = Math.min(answer.afterMs ?? FIRST_BACKOFF_MS * 2 ** attempt, MAX_BACKOFF_MS);
      await delay(pause * (0.5 + Math.random() / 2), undefined, {
        signal: this.#ending.signal,
        ref: false,
      }).catch(() => {});
      // What the last try met says more than that another was cut short.
      if (this.#ending.signal.aborted) break;
    }
    this.#lose(why, batch.length);
  }

  async #post(body: string): Promise<Delivery> {
    const { endpoint, headers } = this.#options;
    try {
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        redirect: "manual", // headers, which may hold a secret, and spans go where they were to go, or nowhere
        signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer(); // or the connection stays taken
      if (response.ok) return { kind: "done" };
      const isRedirect = response.status >= 300 && response.status < 400;
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      return {
        kind: "failed",
        why: `the collector answered with status ${response.status}${isRedirect ? ", and redirects are not followed" : ""}`,
        again: RETRIED.has(response.status),
        afterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
      };
    } catch (error) {
      const { cause, message } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      return { kind: "failed", why, again: true, afterMs: undefined };
    }
  }

  #lose(why: string, numSpans: number): void {
    this.#lost += numSpans;
    const now = performance.now();
    if (now - this.#complained < COMPLAINT_MS) return;
    this.#complained = now;
    this.#options.onLoss(why, this.#lost);
    this.#lost = 0;
  }
}

type Delivery =
  | { readonly kind: "done" }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly again: boolean;
      readonly afterMs: number | undefined;
    };
