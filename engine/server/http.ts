/** [engine/server] The HTTP server over an engine: routes, errors, start and clean end. Protocol of each route is in its own file. */
import { type Server as HttpServer, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Fastify, {
  type ConnectionError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
} from "fastify";
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import type { Engine } from "../engine.ts";
import { addAccess, requestId } from "./access.ts";
import { type ServerContext, serverContext } from "./context.ts";
import { RETRY_SECONDS } from "./desk.ts";
import { type ErrorAnswer, errorBody, parseJson, unreadable } from "./error-body.ts";
import { addGenerate } from "./generate.ts";
import { logFailure, logging } from "./log.ts";
import { addModels } from "./models.ts";
import { addChat } from "./openai/chat.ts";
import { addCompletions } from "./openai/completions.ts";
import { addEmbeddings } from "./openai/embeddings.ts";
import { addOpenApi } from "./openapi.ts";
import { addOperations } from "./operations.ts";
import type { ServeOptions } from "./options.ts";
import { addPage } from "./page.ts";
import { addTokens } from "./tokens.ts";

export interface Server {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Stops taking requests, lets those that run end within `graceMs`, then aborts them and closes the engine. */
  close(graceMs?: number): Promise<void>;
}

/** Time that answers which were cut short get to reach their clients. */
const FLUSH_MS = 1000;

/** Paths of the API with their methods, as they were added. */
type Routes = Map<string, Set<string>>;

/**
 * The routes over an engine, without a port: for tests, and for mounting elsewhere.
 * @throws TilewrightError TW4311 for an option that is out of range
 */
export function createApp(engine: Engine, options: ServeOptions = {}): FastifyInstance {
  return appOf(serverContext(engine, options));
}

function appOf(context: ServerContext): FastifyInstance {
  const { options, limits } = context;
  const app = Fastify({
    bodyLimit: limits.maxBodyBytes,
    forceCloseConnections: "idle",
    return503OnClosing: false, // the desk says it in our words
    genReqId: requestId,
    ...logging(options.logLevel, options.logTo),
    ...(options.tls === undefined ? {} : { https: options.tls }),
    clientErrorHandler: (error: ConnectionError, socket: Socket) =>
      answerBrokenClient(error, socket),
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => {
      answer(reply as FastifyReply, error);
    },
  } as FastifyHttpOptions<HttpServer>) as FastifyInstance;
  // The API speaks JSON alone, so a body is read as JSON whatever its content type says (curl's default is another).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) =>
    parseJson(body),
  );
  const routes = addAnswers(app, limits.maxBodyBytes);
  addAccess(app, options);
  addPage(app);
  addModels(app, context);
  addOperations(app, context);
  addCompletions(app, context);
  addChat(app, context);
  addEmbeddings(app, context);
  addTokens(app, context);
  addGenerate(app, context);
  addOpenApi(app, routes);
  return app;
}

/** Errors and unknown routes in the shape of the API; one log line for each answer. */
function addAnswers(app: FastifyInstance, maxBodyBytes: number): Routes {
  const routes: Routes = new Map();
  app.addHook("onRoute", ({ path, method }) => {
    const methods = routes.get(path) ?? new Set();
    routes.set(path, methods);
    for (const one of [method].flat()) if (one !== "HEAD") methods.add(one);
  });
  app.setErrorHandler((error, request, reply) => {
    const { status } = answer(reply, error, maxBodyBytes);
    if (status >= 500) logFailure(request, error);
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const allowed = methodsOf(routes, url);
    if (allowed.length > 0) void reply.header("allow", allowed.join(", "));
    answer(reply, noRoute(routes, method, url));
  });
  app.addHook("onResponse", async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { method, id: reqId } = request;
    const path = request.url.split("?", 1)[0];
    request.log.info({ reqId, method, path, status: reply.raw.statusCode, ms }, "answered");
  });
  return routes;
}

function answer(reply: FastifyReply, error: unknown, maxBodyBytes?: number): ErrorAnswer {
  const said = errorBody(error, maxBodyBytes);
  if (said.status === 429) void reply.header("retry-after", RETRY_SECONDS);
  void reply.status(said.status).send(said.body);
  return said;
}

/** What Node's parser cannot read never becomes a request: the answer is written to the socket itself. */
function answerBrokenClient(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? 431
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? 408
        : 400;
  if (socket.writable) {
    const body = JSON.stringify(errorBody(unreadable(error.message, status)).body);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

function methodsOf(routes: Routes, url: string): readonly string[] {
  const path = url.split("?", 1)[0] ?? url;
  const found = [...routes].find(
    ([route]) => route === path || (route.endsWith("/*") && path.startsWith(route.slice(0, -1))),
  );
  return found === undefined ? [] : [...found[1]];
}

function noRoute(routes: Routes, method: string, url: string): RequestError {
  const allowed = methodsOf(routes, url);
  if (allowed.length === 0) {
    const known = [...routes].map(([path, methods]) => `${[...methods].join("/")} ${path}`);
    return new RequestError(
      {
        code: "TW4304",
        message: `there is no ${method} ${url}`,
        expected: known.join(", "),
        remedy: "correct the path or the method",
      },
      404,
    );
  }
  return new RequestError(
    {
      code: "TW4309",
      message: `${url} takes no ${method}`,
      seen: method,
      expected: allowed.join(", "),
      remedy: "correct the method",
    },
    405,
  );
}

/** Serves an engine over HTTP until `close()`. @throws TilewrightError TW4310 where the port cannot be taken */
export async function serveEngine(engine: Engine, options: ServeOptions = {}): Promise<Server> {
  const context = serverContext(engine, options);
  const app = appOf(context);
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
      context.desk.drain();
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
