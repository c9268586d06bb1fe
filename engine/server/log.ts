/** [engine/server] Structured log lines by pino: one JSON object a line on stdout. Prompts, outputs and keys never stand in them. */
import { type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";
import pino from "pino";
import { RequestError } from "../../dsl/index.ts";
import type { ServeOptions } from "./options.ts";

const SECRET_HEADERS = ["authorization", "x-api-key", "cookie", "proxy-authorization"];

/** @returns the part of the HTTP library's options that makes the log; off without a level */
export function logging(
  level: ServeOptions["logLevel"],
  destination?: pino.DestinationStream,
): Pick<FastifyServerOptions, "loggerInstance" | "logController"> {
  if (level === undefined) return {};
  const options: pino.LoggerOptions = {
    name: "tilewright",
    level,
    redact: {
      paths: [
        ...SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
        "*.prompt",
        "*.messages",
        "*.input",
        "*.text",
        "body",
      ],
      censor: "[redacted]",
    },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // the server writes its own line a request
  };
}

/** Says on stderr and in the log why a request failed, where its answer cannot: what is no fault of the request. */
export function logFailure(request: FastifyRequest, error: unknown): void {
  if (error instanceof RequestError) return;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  request.log.error({ err: error }, "the request failed");
  process.stderr.write(`tilewright: ${text}\n`);
}
