/** [engine/server] The HTTP server over an engine: routes, errors, start and clean end. Protocol of each route is in its own file. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Fastify, { type ConnectionError, type FastifyInstance, type FastifyReply } from "fastify";
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import type { Engine } from "../engine.ts";
import {
  type ErrorAnswer,
  errorBody,
  MAX_BODY_BYTES,
  parseJson,
  unreadable,
} from "./error-body.ts";
import { addGenerate } from "./generate.ts";
import { addCompletions } from "./openai/completions.ts";

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

const ROUTES = [
  { method: "POST", path: "/v1/completions" },
  { method: "POST", path: "/generate" },
  { method: "GET", path: "/v1/models" },
  { method: "GET", path: "/health" },
] as const;

/** The routes over an engine, without a port: for tests, and for mounting elsewhere. */
export function createApp(engine: Engine): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: "idle",
    clientErrorHandler: (error, socket) => answerBrokenClient(error, socket),
    frameworkErrors: (error, _request, reply) => {
      answer(reply as unknown as FastifyReply, error);
    },
  });
  // The API speaks JSON alone, so a body is read as JSON whatever its content type says (curl's default is another).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) =>
    parseJson(body),
  );
  app.setErrorHandler((error, _request, reply) => {
    const { status } = answer(reply, error);
    if (status < 500 || error instanceof RequestError) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`tilewright: ${text}\n`);
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const allowed = methodsOf(url);
    if (allowed.length > 0) void reply.header("allow", allowed.join(", "));
    answer(reply, noRoute(method, url));
  });
  app.get("/health", async (_request, reply) => reply.status(engine.isAlive ? 200 : 503).send());
  addModels(app, engine);
  addCompletions(app, engine);
  addGenerate(app, engine);
  return app;
}

function answer(reply: FastifyReply, error: unknown): ErrorAnswer {
  const said = errorBody(error);
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

function methodsOf(url: string): readonly string[] {
  const path = url.split("?", 1)[0] ?? url;
  return ROUTES.filter(
    (route) =>
      route.path === path || (route.path === "/v1/models" && path.startsWith("/v1/models/")),
  ).map((route) => route.method);
}

function noRoute(method: string, url: string): RequestError {
  const allowed = methodsOf(url);
  if (allowed.length === 0)
    return notFound(
      `there is no ${method} ${url}`,
      ROUTES.map((route) => `${route.method} ${route.path}`).join(", "),
    );
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
