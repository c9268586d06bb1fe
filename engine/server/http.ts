/** [engine/server] The HTTP server over an engine: routes, errors, start and clean end. Protocol of each route is in its own file. */
import { setTimeout as delay } from "node:timers/promises";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
} from "fastify";
import { RequestError } from "../../dsl/index.ts";
import type { Engine } from "../engine.ts";
import { addAccess, requestId } from "./access.ts";
import { addAnswers, answer } from "./answers.ts";
import { addBodies } from "./bodies.ts";
import { type ServerContext, serverContext } from "./context.ts";
import { Front } from "./front.ts";
import { addGenerate } from "./generate.ts";
import { logging } from "./log.ts";
import { addModels } from "./models.ts";
import { addChat } from "./openai/chat.ts";
import { addCompletions } from "./openai/completions.ts";
import { addEmbeddings } from "./openai/embeddings.ts";
import { addOpenApi } from "./openapi.ts";
import { addOperations } from "./operations.ts";
import { DEFAULT_HOST, type ServeOptions } from "./options.ts";
import { addPage } from "./page.ts";
import { addTokens } from "./tokens.ts";

export interface Server {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Stops taking requests, lets those that run end within `graceMs`, then aborts them and closes the engine. */
  close(graceMs?: number): Promise<void>;
}

/** Paths of the API with their methods, as they were added. */
type Routes = Map<string, Set<string>>;

/**
 * The routes over an engine, without a port: for tests, and for mounting elsewhere.
 * @throws TilewrightError TW4311 for an option that is out of range
 */
export function createApp(engine: Engine, options: ServeOptions = {}): FastifyInstance {
  return appOf(serverContext(engine, options));
}

/** @param listensOn address of its port, where it has one of its own */
function appOf(context: ServerContext, listensOn?: string): FastifyInstance {
  const { options, limits, metrics, tracing } = context;
  const app = Fastify({
    bodyLimit: limits.maxBodyBytes,
    return503OnClosing: false, // the desk says it in our words
    genReqId: requestId,
    ...logging(options.logLevel, options.logTo),
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => {
      answer(reply as FastifyReply, error);
    },
  } as FastifyServerOptions);
  addBodies(app);
  addAnswers(app, limits.maxBodyBytes, (answered, request) => {
    metrics.answered(answered);
    tracing?.ended(request, answered);
  });
  app.addHook("onClose", async () => context.chatTemplate.close());
  const routes = addRouteNames(app);
  addAccess(app, options, listensOn);
  tracing?.addTo(app);
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

/** Unknown paths and methods are told what there is. */
function addRouteNames(app: FastifyInstance): Routes {
  const routes: Routes = new Map();
  app.addHook("onRoute", ({ path, method }) => {
    const methods = routes.get(path) ?? new Set();
    routes.set(path, methods);
    for (const one of [method].flat()) if (one !== "HEAD") methods.add(one);
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const allowed = methodsOf(routes, url);
    if (allowed.length > 0) void reply.header("allow", allowed.join(", "));
    answer(reply, noRoute(routes, method, url));
  });
  return routes;
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

/**
 * Serves an engine over HTTP until `close()`.
 * @param opened a port that is open already; a new one where absent
 * @throws TilewrightError TW4310 where the port cannot be taken
 */
export async function serveEngine(
  engine: Engine,
  options: ServeOptions = {},
  opened?: Front,
): Promise<Server> {
  const context = serverContext(engine, options);
  const app = appOf(context, options.host ?? DEFAULT_HOST);
  const front = opened ?? (await Front.open(options));
  await front.attach(app);
  const end = async (graceMs: number) => {
    await front.close(() => drain(engine, graceMs));
    await context.tracing?.close(); // what ended while the app was closing
  };
  let closing: Promise<void> | undefined;
  return {
    url: front.url,
    port: front.port,
    close: (graceMs = 5000) => {
      context.desk.drain();
      closing ??= end(graceMs);
      return closing;
    },
  };
}

async function drain(engine: Engine, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (engine.numRunning + engine.numWaiting > 0 && performance.now() < deadline) await delay(20);
  await engine.close();
}
