/** [engine/server/tracing] Which HTTP requests are traced, from their first byte to their last */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { HttpAnswer } from "../metrics.ts";
import type { TracingOptions } from "../options.ts";
import { TraceExporter } from "./exporter.ts";
import { operationOf, RequestTrace } from "./request-trace.ts";
import { newTrace, parseTraceparent } from "./trace-context.ts";

/** Time that spans get to leave when the server ends. */
const CLOSE_MS = 3000;

export class Tracing {
  readonly #options: TracingOptions;
  readonly #model: string;
  readonly #exporter: TraceExporter;
  readonly #traces = new WeakMap<IncomingMessage, RequestTrace>();

  #log: { warn(what: object, text: string): void } | undefined;

  constructor(options: TracingOptions, model: string) {
    this.#options = options;
    this.#model = model;
    const { endpoint, headers = {}, serviceName = "tilewright" } = options;
    const onLoss = (why: string, numSpans: number) => {
      this.#log?.warn({ numSpans, why }, "spans were lost");
      process.stderr.write(`tilewright: ${numSpans} spans were lost: ${why}\n`);
    };
    this.#exporter = new TraceExporter({ endpoint, headers, serviceName, onLoss });
  }

  /** The trace of a request that is being answered, where it has one. */
  of(request: IncomingMessage): RequestTrace | undefined {
    return this.#traces.get(request);
  }

  addTo(app: FastifyInstance): void {
    this.#log = app.log;
    app.addHook("onRequest", async ({ raw, routeOptions }) => this.#begin(raw, routeOptions.url));
    app.addHook("onClose", () => this.close());
  }

  /** Sends what there is; may be called again when more has come. */
  close(): Promise<void> {
    return this.#exporter.close(CLOSE_MS);
  }

  ended(request: IncomingMessage, answer: HttpAnswer): void {
    const trace = this.#traces.get(request);
    if (trace === undefined) return;
    this.#traces.delete(request);
    this.#exporter.add(trace.end(answer));
  }

  /** A caller that records its own span decides; else a share of the requests is recorded. */
  #begin(request: IncomingMessage, path = ""): void {
    const operation = operationOf(path);
    if (operation === undefined || request.method !== "POST") return;
    const { traceparent, tracestate } = request.headers;
    const context =
      parseTraceparent(traceparent, tracestate) ?? newTrace(this.#options.sampleRate ?? 1);
    if (context.isSampled)
      this.#traces.set(request, new RequestTrace(context, operation, this.#model));
  }
}
