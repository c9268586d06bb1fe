/** [engine/server] A route that starts requests and answers them, whole or as a stream: who has gone ends them, on every route alike. */
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { RequestGroup, RequestSource } from "../request-group.ts";
import type { ServerContext } from "./context.ts";
import { logFailure } from "./log.ts";
import { ResponseWriter, watchClient } from "./response-writer.ts";
import { UNSUPPORTED_FIELDS } from "./schema.ts";
import { UnknownFields, WARNING_HEADER } from "./unknown-fields.ts";

/** What was asked for runs. */
export interface StartedAnswer {
  readonly group: RequestGroup;
  /** The answer's body. */
  whole(): Promise<object>;
  /** Present where a stream is asked for. It ends the response in every case. */
  readonly stream?: {
    readonly contentType: "text/event-stream" | "application/x-ndjson";
    write(writer: ResponseWriter, onFailure: (error: unknown) => void): Promise<void>;
  };
}

/** Answers that write events. */
export function eventStream(answer: {
  stream(writer: ResponseWriter, onFailure: (error: unknown) => void): Promise<void>;
}): NonNullable<StartedAnswer["stream"]> {
  return {
    contentType: "text/event-stream",
    write: (writer, onFailure) => answer.stream(writer, onFailure),
  };
}

/**
 * @param schema of the body: fields that it does not name are said to be ignored
 * @param start checks a body and starts its requests at `source`; throws what is wrong with it
 */
export function addAnswerRoute(
  app: FastifyInstance,
  context: ServerContext,
  path: string,
  schema: z.ZodObject,
  start: (body: unknown, source: RequestSource) => Promise<StartedAnswer>,
): void {
  const { desk, limits, tracing } = context;
  const unknownFields = new UnknownFields(schema, UNSUPPORTED_FIELDS);
  app.post(path, async (request, reply) => {
    const trace = tracing?.of(request.raw);
    const source = trace === undefined ? desk : desk.traced(trace);
    const { group, whole, stream } = await start(request.body, source);
    const unknown = unknownFields.of(request.body);
    if (unknown !== undefined) {
      const { warning, fresh } = unknown;
      reply.raw.setHeader(WARNING_HEADER, warning);
      if (fresh.length > 0) request.log.warn({ path, fields: fresh }, "request fields are ignored");
    }
    const stop = watchClient(reply.raw, () => group.abort());
    try {
      if (stream === undefined) return await whole();
      reply.hijack();
      const { contentType } = stream;
      const pause = contentType === "text/event-stream" ? limits.keepAliveMs : 0;
      const writer = new ResponseWriter(reply.raw, contentType, pause);
      await stream.write(writer, (error) => logFailure(request, error));
      return reply;
    } finally {
      stop();
      group.abort();
    }
  });
}
