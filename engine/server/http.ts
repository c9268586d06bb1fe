/** [engine/server] The HTTP server over an engine: routes, errors, start and clean end. Protocol of each route is in its own file. */
import { setTimeout as delay } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import type { Engine } from "../engine.ts";
import { errorBody } from "./error-body.ts";
import { addGenerate } from "./generate.ts";
import { addCompletions } from "./openai/completions.ts";

/** Prompts of a million tokens as ids still fit. */
const MAX_BODY_BYTES = 16 * 2 ** 20;

export interface ServeOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
}

export interface Server {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Stops taking requests, lets those that run end within `graceMs`, then aborts them and closes the engine. */
  close(graceMs?: number): Promise<void>;
}

/** Time that answers which were cut short get to reach their clients. */
const FLUSH_MS = 1000;

/** The routes over an engine, without a port: for tests, and for mounting elsewhere. */
export function createApp(engine: Engine): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: "idle" });
  // The API speaks JSON alone, so a body is read as JSON whatever its content type says (curl's default is another).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, app.getDefaultJsonParser("error", "ignore"));
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorBody(error);
    if (status >= 500 && !(error instanceof RequestError)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`tilewright: ${text}\n`);
    }
    return reply.status(status).send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const error = notFound(
      `there is no ${request.method} ${request.url}`,
      "POST /v1/completions, POST /generate, GET /v1/models, GET /health",
    );
    return reply.status(404).send(errorBody(error).body);
  });
  app.get("/health", async (_request, reply) => reply.status(engine.isAlive ? 200 : 503).send());
  addModels(app, engine);
  addCompletions(app, engine);
  addGenerate(app, engine);
  return app;
}

function addModels(app: FastifyInstance, { info }: Engine): void {
  const model = {
    id: info.name,
    object: "model",
    created: Math.floor(Date.now() / 1000),
    owned_by: "tilewright",
    root: info.folder,
    parent: null,
    max_model_len: info.maxModelLen,
  };
  app.get("/v1/models", async () => ({ object: "list", data: [model] }));
  app.get<{ readonly Params: { readonly "*": string } }>("/v1/models/*", async ({ params }) => {
    if (params["*"] === info.name) return model;
    throw notFound(`the model '${params["*"]}' does not exist`, info.name);
  });
}

function notFound(message: string, expected: string): RequestError {
  const remedy = "correct the path or the method";
  return new RequestError({ code: "TW4304", message, expected, remedy }, 404);
}

/** Serves an engine over HTTP until `close()`. @throws TilewrightError TW4310 where the port cannot be taken */
export async function serveEngine(engine: Engine, options: ServeOptions = {}): Promise<Server> {
  const app = createApp(engine);
  const { port: asked = 8000, host = "127.0.0.1" } = options;
  const url = await app.listen({ port: asked, host }).catch(async (cause: unknown) => {
    await app.close();
    throw cannotListen(host, asked, cause);
  });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : asked;
  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    close: (graceMs = 5000) => {
      closing ??= closeServer(app, engine, graceMs);
      return closing;
    },
  };
}

function cannotListen(host: string, port: number, cause: unknown): TilewrightError {
  const { code } = cause as { readonly code?: string };
  const seen =
    code === "EADDRINUSE" ? "another process listens there" : String((cause as Error).message);
  return new TilewrightError(
    {
      code: "TW4310",
      message: `the server cannot listen on ${host}:${port}`,
      seen,
      expected: "a free port of an address of this machine",
      remedy: "choose another --port (0 picks a free one) or --host, or end the other process",
    },
    { cause },
  );
}

async function closeServer(app: FastifyInstance, engine: Engine, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  const listening = app.close(); // no new connections; idle ones end at once, the others with their answer
  while (engine.numRunning + engine.numWaiting > 0 && performance.now() < deadline) await delay(20);
  await engine.close();
  let isClosed = false;
  void listening.then(() => {
    isClosed = true;
  });
  for (const end = performance.now() + FLUSH_MS; !isClosed && performance.now() < end; ) {
    app.server.closeIdleConnections();
    await delay(10);
  }
  app.server.closeAllConnections();
  await listening;
}
