/** [engine/server] The port of a server: open before there is a model, answering 503 until then; afterwards all requests go to the app it is given. */
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import type { LoadProgress } from "../config.ts";
import { packageVersion } from "../version.ts";
import { addAccess, requestId } from "./access.ts";
import { addAnswers } from "./answers.ts";
import { BrokenClients } from "./broken-clients.ts";
import { logging } from "./log.ts";
import { DEFAULT_HOST, type ServeOptions, serverLimits } from "./options.ts";
import { addPage } from "./page.ts";

/** Time that answers which were cut short get to reach their clients. */
const FLUSH_MS = 1000;
/** Longer than load balancers keep idle connections, so that they close them and no request meets a closed one. */
const KEEP_ALIVE_MS = 72_000;

const STAGES: Readonly<Record<LoadProgress["stage"], string>> = {
  download: "the model is being downloaded",
  weights: "weights are being loaded",
  compile: "kernels are being compiled",
};

export class Front {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  readonly #waiting: FastifyInstance;
  readonly #state: FrontState;
  #behind: FastifyInstance | undefined;

  /** @throws TilewrightError TW4310 where the port cannot be taken, TW4311 for options out of range */
  static async open(options: ServeOptions): Promise<Front> {
    const state: FrontState = { listener: () => {}, stage: "the model's folder is being read" };
    const waiting = waitingApp(options, state);
    const { port: asked = 8000, host = DEFAULT_HOST } = options;
    const url = await waiting.listen({ port: asked, host }).catch(async (cause: unknown) => {
      await waiting.close();
      throw cannotListen(host, asked, cause);
    });
    const address = waiting.server.address();
    const port = typeof address === "object" && address !== null ? address.port : asked;
    const scheme = options.tls === undefined ? "http" : "https";
    return new Front(url.replace(/^\w+/, scheme), port, waiting, state);
  }

  private constructor(url: string, port: number, waiting: FastifyInstance, state: FrontState) {
    this.url = url;
    this.port = port;
    this.#waiting = waiting;
    this.#state = state;
  }

  /** What those who ask too early are told. */
  tell({ stage, done, total }: LoadProgress): void {
    const share = total > 0 ? `, ${Math.floor((100 * Math.min(done, total)) / total)} % done` : "";
    this.#state.stage = `${STAGES[stage]}${share}`;
  }

  /** From now on `app` answers. It is closed with the port. */
  async attach(app: FastifyInstance): Promise<void> {
    await app.ready();
    this.#behind = app;
    this.#state.listener = app.routing;
  }

  /**
   * No new connections; idle ones end at once, the others with their answer.
   * @param last what has to be done before answers are cut short
   */
  async close(last: () => Promise<void> = async () => {}): Promise<void> {
    const app = this.#waiting;
    const listening = Promise.all([app.close(), this.#behind?.close()]);
    await last();
    let isClosed = false;
    void listening.then(() => {
      isClosed = true;
    });
    for (const end = performance.now() + FLUSH_MS; !isClosed && performance.now() < end; ) {
      app.server.closeIdleConnections();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    app.server.closeAllConnections();
    await listening;
  }
}

interface FrontState {
  /** Who answers. */
  listener: RequestListener;
  stage: string;
}

/** What needs no model. The chat page waits for it by itself. */
const WITHOUT_MODEL: readonly string[] = ["/version", "/"];

/** Says 503 to all other routes, with the checks and headers that the routes have later. */
function waitingApp(options: ServeOptions, state: FrontState): FastifyInstance {
  const { maxBodyBytes } = serverLimits(options);
  const { tls } = options;
  const broken = new BrokenClients();
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    forceCloseConnections: "idle",
    return503OnClosing: false, // the desk says it in our words
    genReqId: requestId,
    ...logging(options.logLevel, options.logTo),
    clientErrorHandler: broken.answer,
    serverFactory: (listener: RequestListener) => {
      state.listener = listener;
      const dispatch: RequestListener = (request, response) => {
        broken.watch(request, response);
        state.listener(request, response);
      };
      const server = tls === undefined ? createServer(dispatch) : secureServer(tls, dispatch);
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      return server;
    },
  } as FastifyServerOptions) as unknown as FastifyInstance;
  addAnswers(app, maxBodyBytes);
  addAccess(app, options, options.host ?? DEFAULT_HOST);
  app.addHook("onRequest", async (request) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (request.method !== "GET" || !WITHOUT_MODEL.includes(path)) throw stillLoading(state.stage);
  });
  app.get("/version", async () => ({ version: packageVersion() }));
  addPage(app);
  return app;
}

/** @throws TilewrightError TW4311 for a key or certificate that cannot be used */
function secureServer(tls: NonNullable<ServeOptions["tls"]>, listener: RequestListener) {
  try {
    return createTlsServer({ ...tls }, listener);
  } catch (cause) {
    throw new TilewrightError(
      {
        code: "TW4311",
        message: "the server's option tls is out of range",
        seen: String((cause as Error).message),
        expected: "a key and its certificate, PEM",
        remedy: "correct key, cert and ca of tls (--ssl-keyfile, --ssl-certfile, --ssl-ca-certs)",
      },
      { cause },
    );
  }
}

function stillLoading(seen: string): RequestError {
  return new RequestError(
    {
      code: "TW4318",
      message: "the model is loading",
      seen,
      expected: "a request once GET /health answers with 200",
      remedy: "try again after the seconds of the header Retry-After",
    },
    503,
  );
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
      remedy:
        "choose another port (--port; 0 picks a free one) or host (--host), or end the other process",
    },
    { cause },
  );
}
