/** [engine/server] The HTTP server over an engine: routes, errors, start and clean end. Protocol of each route is in its own file. */
import Fastify, { type FastifyInstance } from "fastify";
import { RequestError } from "../../dsl/index.ts";
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

/** The routes over an engine, without a port: for tests, and for mounting elsewhere. */
export function createApp(engine: Engine): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: "idle" });
  const started = Math.floor(Date.now() / 1000);
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorBody(error);
    if (status >= 500)
      process.stderr.write(
        `tilewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    return reply.status(status).send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const { status, body } = errorBody(
      new RequestError(
        {
          code: "TW4304",
          message: `there is no ${request.method} ${request.url}`,
          expected: "POST /v1/completions, POST /generate, GET /v1/models, GET /health",
          remedy: "correct the path or the method",
        },
        404,
      ),
    );
    return reply.status(status).send(body);
  });
  app.get("/health", async (_request, reply) => reply.status(engine.isAlive ? 200 : 503).send());
  app.get("/v1/models", async () => ({
    object: "list",
    data: [
      {
        id: engine.info.name,
        object: "model",
        created: started,
        owned_by: "tilewright",
        root: engine.info.folder,
        parent: null,
        max_model_len: engine.info.maxModelLen,
      },
    ],
  }));
  addCompletions(app, engine);
  addGenerate(app, engine);
  return app;
}

/** Serves an engine over HTTP until `close()`. @throws the listener's error where the port is taken */
export async function serveEngine(engine: Engine, options: ServeOptions = {}): Promise<Server> {
  const app = createApp(engine);
  const url = await app.listen({ port: options.port ?? 8000, host: options.host ?? "127.0.0.1" });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : (options.port ?? 0);
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

async function closeServer(app: FastifyInstance, engine: Engine, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  const listening = app.close();
  while (engine.numRunning + engine.numWaiting > 0 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await engine.close();
  app.server.closeAllConnections();
  await listening;
}
