/** [test/engine] What a page of another site can make a browser send: foreign origins, bodies that need no preflight, names that point at this machine. */
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { type Server, serveEngine } from "../../engine/server/http.ts";
import type { ServeOptions } from "../../engine/server/options.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const body = JSON.stringify({ prompt: "abc", max_tokens: 2 });
const JSON_TYPE = { "content-type": "application/json" };

let model: string;
beforeAll(() => {
  model = writeTinyModel();
});

/** One server a group of tests. */
function serving(options: ServeOptions): { readonly port: number } {
  let server: Server | undefined;
  beforeAll(async () => {
    const engine = await Engine.load({ model, device: "null" });
    server = await serveEngine(engine, { port: 0, ...options });
  });
  afterAll(() => server?.close(0));
  return {
    get port() {
      return server?.port ?? 0;
    },
  };
}

/** Headers as they are given: fetch sets some of its own. */
function send(port: number, path: string, headers: Record<string, string>, text = body) {
  return new Promise<{ status: number; code: string }>((resolve, reject) => {
    const sent = httpRequest(
      { host: "127.0.0.1", port, path, method: text === "GET" ? "GET" : "POST", headers },
      async (response) => {
        let answer = "";
        for await (const chunk of response) answer += chunk;
        resolve({ status: response.statusCode ?? 0, code: /TW\d{4}/.exec(answer)?.[0] ?? "" });
      },
    );
    sent.once("error", reject);
    sent.end(text === "GET" ? undefined : text);
  });
}

describe("a keyless server on a loopback address", () => {
  const served = serving({ adminRoutes: true, allowedOrigins: ["https://a.example"] });

  it.each([
    ["of another site", { origin: "https://evil.example" }],
    ["of a file or a sandbox", { origin: "null" }],
    ["of another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["of an origin that begins like an allowed one", { origin: "https://a.example.evil.example" }],
    ["that hides its origin", { "sec-fetch-site": "cross-site" }],
    ["of a neighbour that hides its origin", { "sec-fetch-site": "same-site" }],
  ])("refuses what a page %s sends", async (_whose, headers) => {
    for (const path of ["/v1/completions", "/generate", "/tokenize", "/sleep", "/nothing"])
      expect(await send(served.port, path, { ...JSON_TYPE, ...headers }), path).toEqual({
        status: 403,
        code: "TW4320",
      });
  });

  it.each([
    ["a page of its own", (port: number) => ({ origin: `http://127.0.0.1:${port}` })],
    [
      "a page of its own where the host names the scheme's own port",
      () => ({ origin: "http://localhost", host: "localhost:80" }),
    ],
    [
      "a page of its own behind a proxy that renames it",
      () => ({ origin: "https://a.b", "sec-fetch-site": "same-origin" }),
    ],
    ["an allowed page", () => ({ origin: "https://a.example", "sec-fetch-site": "cross-site" })],
    ["a program", () => ({})],
    ["a person", () => ({ "sec-fetch-site": "none" })],
  ])("answers %s", async (_who, headers) => {
    const all = { ...JSON_TYPE, ...headers(served.port) };
    expect(await send(served.port, "/v1/completions", all)).toEqual({ status: 200, code: "" });
  });

  it.each([
    "text/plain",
    "text/plain;charset=UTF-8",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "",
  ])("answers 415 to a body of type '%s', which needs no preflight", async (type) => {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    for (const path of ["/v1/completions", "/v1/chat/completions", "/v1/embeddings", "/tokenize"])
      expect(await send(served.port, path, headers), path).toEqual({ status: 415, code: "TW4322" });
  });

  it.each(["application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"])(
    "takes a body of type '%s'",
    async (type) => {
      const headers = { "content-type": type };
      expect((await send(served.port, "/v1/completions", headers)).status).toBe(200);
    },
  );

  it("takes what curl -d sends on /generate, and bodies that are not there", async () => {
    const curl = { "content-type": "application/x-www-form-urlencoded" };
    expect((await send(served.port, "/generate", curl)).status).toBe(200);
    expect((await send(served.port, "/reset_prefix_cache", curl, "")).status).toBe(200);
    expect((await send(served.port, "/reset_prefix_cache", {}, "")).status).toBe(200);
  });

  it.each([
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
  ])("is not called %s", async (host) => {
    const refusal = { status: 403, code: "TW4321" };
    expect(await send(served.port, "/v1/completions", { ...JSON_TYPE, host })).toEqual(refusal);
    expect(await send(served.port, "/v1/models", { host }, "GET")).toEqual(refusal);
    expect((await send(served.port, "/health", { host }, "GET")).status).toBe(200);
  });

  it.each([
    "localhost",
    "LocalHost:8000",
    "127.0.0.1",
    "[::1]:8000",
    "10.1.2.3",
    "host.docker.internal",
  ])("is called %s", async (host) => {
    expect((await send(served.port, "/v1/models", { host }, "GET")).status).toBe(200);
  });
});

describe("names of a server", () => {
  const named = serving({ allowedHosts: ["Chat.example"] });
  const keyed = serving({ apiKeys: ["key"] });
  const open = serving({ host: "0.0.0.0" });
  const any = serving({ allowedHosts: ["*"] });
  const status = async ({ port }: { readonly port: number }, host: string) => {
    const headers = { host, authorization: "Bearer key" };
    return (await send(port, "/v1/models", headers, "GET")).status;
  };

  it("are those that are given, or any where a key is asked for or the port is open to others", async () => {
    expect(await status(named, "chat.example:80")).toBe(200);
    expect(await status(named, "other.example")).toBe(403);
    for (const server of [keyed, open, any]) expect(await status(server, "a.example")).toBe(200);
  });
});
