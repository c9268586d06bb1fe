/** [engine/server] Options of the HTTP server: what may be set, what holds where nothing is set, what is refused. */

import { type Diagnostic, TilewrightError } from "../../dsl/index.ts";
import type { Pooling } from "../core.ts";

/** Sees a text before it is used; what it returns takes its place. It refuses by throwing a RequestError. */
export type TextFilter = (text: string) => string | Promise<string>;

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Spans of the requests that generate, sent by OpenTelemetry's protocol as JSON over HTTP. */
export interface TracingOptions {
  /** URL that spans are POSTed to, as it is; of a collector on this machine `http://localhost:4318/v1/traces`. */
  readonly endpoint: string;
  /** Sent with the spans. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `service.name`; `tilewright` where absent. */
  readonly serviceName?: string;
  /** Share of the requests that are recorded, 0 to 1, where the caller's `traceparent` does not say; 1 where absent. */
  readonly sampleRate?: number;
}

export interface ServeOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Any of them opens every route but /health, /ping and the chat page; none asked for where absent or empty. */
  readonly apiKeys?: readonly string[];
  /** Requests in flight, waiting ones included; more get 429. No bound where absent. */
  readonly maxConcurrentRequests?: number;
  readonly maxBodyBytes?: number;
  /** Prompts of one request. */
  readonly maxPrompts?: number;
  /** Choices of one prompt. */
  readonly maxChoices?: number;
  /** Stop strings of one request. */
  readonly maxStops?: number;
  /** Seconds without an event after which a stream gets a comment, so that proxies keep it open; 0 for never. */
  readonly keepAliveSeconds?: number;
  /** Origins whose pages may call, beside the server's own; `*` for any. None where absent. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Names that the server is called by, beside addresses and names of this machine; `*` for any. Where absent they are asked for only on a
   * loopback address without keys: there a page could else reach the server by a name of its own.
   */
  readonly allowedHosts?: readonly string[];
  /** PEM texts. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  /** Jinja text used in the place of the model's own chat template. */
  readonly chatTemplate?: string;
  /** That a chat template may take for one prompt; 5 where absent. It runs in a process of its own. */
  readonly chatTemplateSeconds?: number;
  /** How /v1/embeddings makes one vector where a request does not say; `last` where absent. */
  readonly pooling?: Pooling;
  /** Lets a request bring its own chat template. */
  readonly trustRequestChatTemplate?: boolean;
  /** /sleep, /wake_up and /reset_prefix_cache exist; false where absent. */
  readonly adminRoutes?: boolean;
  /** What the names of the metrics begin with; `vllm` where absent, so that what reads vLLM's reads them. */
  readonly metricsNamespace?: string;
  /** None where absent. */
  readonly tracing?: TracingOptions;
  /** Structured log lines (JSON, never with prompts, outputs or keys) of this level and above go to stdout; none where absent. */
  readonly logLevel?: LogLevel;
  /** Where log lines go instead of stdout. */
  readonly logTo?: { write(line: string): void };
  /** Streams end with their usage also where the request does not ask for it. */
  readonly forceIncludeUsage?: boolean;
  /** Looks at every text prompt before it is encoded, after the chat template. */
  readonly inputFilter?: TextFilter;
  /** Looks at the whole text of every answer that is not streamed; streams of a server that has one are given at their end. */
  readonly outputFilter?: TextFilter;
}

/** The options that every route reads, complete. */
export interface ServerLimits {
  readonly maxBodyBytes: number;
  readonly maxPrompts: number;
  readonly maxChoices: number;
  readonly maxStops: number;
  readonly maxConcurrentRequests: number;
  readonly keepAliveMs: number;
}

export const DEFAULT_HOST = "127.0.0.1";

/** Prompts of a million tokens as ids still fit. */
export const MAX_BODY_BYTES = 16 * 2 ** 20;

/** What holds where nothing is set. */
export const SERVER_DEFAULTS = {
  maxBodyBytes: MAX_BODY_BYTES,
  maxPrompts: 2048,
  maxChoices: 128,
  maxStops: 64,
  keepAliveSeconds: 15,
} as const;

/** Timers of Node take 2^31 - 1 ms at most: longer ones fire at once. */
const MOST_SECONDS = Math.floor((2 ** 31 - 1) / 1000);
const UP_TO_MOST = `seconds, at most ${MOST_SECONDS}`;

/** @throws TilewrightError TW4311 with every option that does not fit */
export function serverLimits(options: ServeOptions): ServerLimits {
  const problems: Diagnostic[] = [];
  const count = (name: keyof ServeOptions, fallback: number, least = 1): number => {
    const value = options[name] ?? fallback;
    const fits = value === fallback || (Number.isSafeInteger(value) && (value as number) >= least);
    if (!fits) problems.push(misfit(name, value, `an integer of at least ${least}`));
    return value as number;
  };
  const seconds = options.keepAliveSeconds ?? SERVER_DEFAULTS.keepAliveSeconds;
  if (!(seconds >= 0 && seconds <= MOST_SECONDS))
    problems.push(misfit("keepAliveSeconds", seconds, `${UP_TO_MOST}, 0 for never`));
  const { chatTemplateSeconds: rendering = 1 } = options;
  if (!(rendering > 0 && rendering <= MOST_SECONDS))
    problems.push(misfit("chatTemplateSeconds", rendering, `${UP_TO_MOST}, above 0`));
  if (options.apiKeys?.some((key) => key === "") === true)
    problems.push(misfit("apiKeys", "an empty key", "keys of at least one character"));
  const { metricsNamespace } = options;
  if (metricsNamespace !== undefined && !/^[a-z_]\w*$/i.test(metricsNamespace))
    problems.push(misfit("metricsNamespace", metricsNamespace, "letters, digits and _"));
  problems.push(...tracingProblems(options.tracing));
  const limits: ServerLimits = {
    maxBodyBytes: count("maxBodyBytes", SERVER_DEFAULTS.maxBodyBytes),
    maxPrompts: count("maxPrompts", SERVER_DEFAULTS.maxPrompts),
    maxChoices: count("maxChoices", SERVER_DEFAULTS.maxChoices),
    maxStops: count("maxStops", SERVER_DEFAULTS.maxStops),
    maxConcurrentRequests: count("maxConcurrentRequests", Number.POSITIVE_INFINITY),
    keepAliveMs: seconds * 1000,
  };
  if (problems.length > 0) throw new TilewrightError(problems);
  return limits;
}

function tracingProblems(tracing: TracingOptions | undefined): readonly Diagnostic[] {
  if (tracing === undefined) return [];
  const { endpoint, headers = {}, sampleRate = 1 } = tracing;
  return [
    ...endpointProblems(endpoint),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isHeader(name, value)
        ? []
        : [misfit("tracing.headers", name, "names and values that HTTP has, each on one line")],
    ),
    ...(sampleRate >= 0 && sampleRate <= 1
      ? []
      : [misfit("tracing.sampleRate", sampleRate, "a share from 0 to 1")]),
  ];
}

/** What a request could not be made of would be lost batch after batch. A password stands in no message. */
function endpointProblems(endpoint: string): readonly Diagnostic[] {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return [misfit("tracing.endpoint", endpoint, "an http or https URL")];
  if (url.username === "" && url.password === "") return [];
  const expected = "none; tracing.headers takes an authorization";
  return [misfit("tracing.endpoint", "a URL with a user or a password", expected)];
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function misfit(name: string, value: unknown, expected: string): Diagnostic {
  return {
    code: "TW4311",
    message: `the server's option ${name} is out of range`,
    seen: String(value),
    expected,
    remedy: `correct ${name}, or leave it out`,
  };
}
