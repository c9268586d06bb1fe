/** [test/support] A tiny model behind the HTTP server on the interpreter, with clients for it. One server serves a whole test file. */
import OpenAI from "openai";
import { afterAll, beforeAll } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { type Server, serveEngine } from "../../engine/server/http.ts";
import type { ServeOptions } from "../../engine/server/options.ts";

export interface Served {
  readonly engine: Engine;
  readonly server: Server;
  readonly client: OpenAI;
  /** POSTs a JSON body, or a text as it is. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** Serves before the first test of the file and closes after the last. The functions of the result may be used inside tests only. */
export function serveForTests(options: () => EngineOptions, serving: ServeOptions = {}): Served {
  let engine: Engine | undefined;
  let server: Server | undefined;
  beforeAll(async () => {
    engine = await Engine.load({ device: "interpreter", ...options() });
    server = await serveEngine(engine, { port: 0, ...serving });
  });
  afterAll(() => server?.close(0));
  const running = (): { engine: Engine; server: Server } => {
    if (engine === undefined || server === undefined) throw new Error("the server does not run");
    return { engine, server };
  };
  return {
    get engine() {
      return running().engine;
    },
    get server() {
      return running().server;
    },
    get client() {
      return new OpenAI({ baseURL: `${running().server.url}/v1`, apiKey: "none", maxRetries: 0 });
    },
    post: (path, body, init) =>
      fetch(`${running().server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...init,
      }),
  };
}

/** The events of a stream, without the closing [DONE]; throws where that is missing. */
export function eventsOf(text: string): readonly unknown[] {
  const events = text.split("\n\n").filter((event) => event !== "");
  if (events.at(-1) !== "data: [DONE]") throw new Error(`no [DONE] at the end of ${text}`);
  return events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, "")));
}
