/** [test/engine] Running the HTTP server: keys, origins, request ids, limits, queue, metrics, logs, filters, sleep, drain. */
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { RequestError } from "../../dsl/index.ts";
import { Engine } from "../../engine/engine.ts";
import { createApp, serveEngine } from "../../engine/server/http.ts";
import { ResponseWriter } from "../../engine/server/response-writer.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = "tiny";
const keys = ["first-key", "second-key"];
const lines: string[] = [];
const served = serveForTests(
  () => ({
    model: writeTinyModel({ config: { max_position_embeddings: 4096 } }),
    servedModelName: model,
  }),
  {
    apiKeys: keys,
    allowedOrigins: ["https://a.example"],
    maxConcurrentRequests: 4,
    maxBodyBytes: 4096,
    maxPrompts: 3,
    maxChoices: 3,
    maxStops: 2,
    adminRoutes: true,
    logLevel: "info",
    logTo: { write: (line) => void lines.push(line) },
    inputFilter: (text) => {
      if (text.includes("forbidden"))
        throw new RequestError({ code: "TW4399", message: "no" }, 422);
      return text.replaceAll("colour", "color");
    },
  },
);
const authorization = `Bearer ${keys[1]}`;
const ask = (path: string, body?: object, headers: Record<string, string> = { authorization }) =>
  fetch(`${served.server.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const ok = { prompt: "abc", max_tokens: 3, temperature: 0 };
const endless = { prompt: "abc", max_tokens: 4000, ignore_eos: true, temperature: 0 };

async function metric(name: string): Promise<number> {
  const text = await (await ask("/metrics")).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name}{`));
  if (line === undefined) throw new Error(`no ${name} in\n${text}`);
  return Number(line.slice(line.lastIndexOf(" ")));
}

describe("keys", () => {
  it.each([
    ["GET", "/v1/models"],
    ["POST", "/v1/completions"],
    ["POST", "/v1/chat/completions"],
    ["POST", "/generate"],
    ["POST", "/tokenize"],
    ["GET", "/metrics"],
    ["GET", "/version"],
    ["POST", "/sleep"],
    ["GET", "/no/such/route"],
  ])("are asked for by %s %s", async (method, path) => {
    for (const given of [undefined, "Bearer wrong", "Bearer ", `Bearer ${keys[0]}x`, "Basic ???"]) {
      const headers = given === undefined ? {} : { authorization: given };
      const response = await fetch(`${served.server.url}${path}`, { method, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      const { error } = (await response.json()) as { error: { type: string; code: number } };
      expect(error).toMatchObject({ type: "AuthenticationError", code: 401 });
    }
  });

  it("open routes, each of them, as bearer, x-api-key or password", async () => {
    const basic = `Basic ${Buffer.from(`me:${keys[0]}`).toString("base64")}`;
    for (const headers of [
      { authorization: `Bearer ${keys[0]}` },
      { authorization: `bearer ${keys[1]}` },
      { "x-api-key": keys[0] ?? "" },
      { authorization: basic },
    ])
      expect((await ask("/v1/models", undefined, headers)).status).toBe(200);
  });

  it("are not asked for by health", async () => {
    for (const path of ["/health", "/ping"])
      expect((await ask(path, undefined, {})).status).toBe(200);
  });
});

describe("headers", () => {
  it("echo the request id where it is sane, on whole answers, streams and errors", async () => {
    for (const body of [ok, { ...ok, stream: true }, { ...ok, max_tokens: -1 }]) {
      const response = await ask("/v1/completions", body, {
        authorization,
        "x-request-id": "my-1",
      });
      expect(response.headers.get("x-request-id")).toBe("my-1");
      await response.text();
    }
    const odd = await ask("/version", undefined, { authorization, "x-request-id": "a b{}" });
    expect(odd.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  });

  it("bug class 3, two live requests of one id: both are answered", async () => {
    const headers = { authorization, "x-request-id": "same" };
    const answers = await Promise.all([1, 2].map(() => ask("/v1/completions", ok, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("allow the origins that are listed, and no others", async () => {
    const allowed = await ask("/v1/models", undefined, {
      authorization,
      origin: "https://a.example",
    });
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://a.example");
    const other = await ask("/v1/models", undefined, {
      authorization,
      origin: "https://b.example",
    });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await rawOptions("https://a.example");
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toBe("authorization");
    expect((await rawOptions("https://b.example")).status).toBe(401);
  });
});

/** fetch sends no Origin of its own with OPTIONS. */
function rawOptions(origin: string) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const headers = { origin, "access-control-request-headers": "authorization" };
      const url = `${served.server.url}/v1/completions`;
      const sent = httpRequest(url, { method: "OPTIONS", headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      sent.on("error", reject);
      sent.end();
    },
  );
}

describe("limits", () => {
  it.each([
    ["a body", { prompt: "x".repeat(5000) }, 413, /4096 bytes/],
    ["prompts", { ...ok, prompt: ["a", "b", "c", "d"] }, 400, /TW4315[\s\S]*at most 3/],
    ["choices", { ...ok, temperature: 1, n: 4 }, 400, /'n'[\s\S]*at most 3/],
    ["stop strings", { ...ok, stop: ["a", "b", "c"] }, 400, /'stop'[\s\S]*at most 2/],
    ["requests at once", { ...ok, temperature: 1, prompt: ["a", "b"], n: 3 }, 429, /TW4312/],
  ])("of %s", async (_name, body, status, message) => {
    const response = await ask("/v1/completions", body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(message);
    expect(response.headers.get("retry-after")).toBe(status === 429 ? "1" : null);
  });

  it("of requests in flight: those that leave make room within a step", async () => {
    const leaving = new AbortController();
    const init = {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      signal: leaving.signal,
    };
    const url = `${served.server.url}/v1/completions`;
    const streams = await Promise.all(
      [1, 2, 3, 4].map(() =>
        fetch(url, { ...init, body: JSON.stringify({ ...endless, stream: true }) }),
      ),
    );
    await Promise.all(streams.map((stream) => stream.body?.getReader().read()));
    expect((await ask("/v1/completions", ok)).status).toBe(429);
    leaving.abort();
    await expect.poll(async () => (await ask("/v1/completions", ok)).status).toBe(200);
  });
});

describe("operation", () => {
  it("filters input, and refuses with the filter's own status", async () => {
    const tokens = async (prompt: string) => {
      const response = await ask("/v1/completions", { ...ok, prompt, echo: true });
      return ((await response.json()) as { choices: { text: string }[] }).choices[0]?.text;
    };
    expect(await tokens("colour")).toMatch(/^color/);
    const refused = await ask("/v1/completions", { ...ok, prompt: "forbidden" });
    expect(refused.status).toBe(422);
  });

  it("counts in vLLM's names, once a request", async () => {
    const name = "vllm:time_to_first_token_seconds_count";
    const [firsts, prompts, tokens] = [
      await metric(name),
      await metric("vllm:prompt_tokens_total"),
      await metric("vllm:generation_tokens_total"),
    ];
    await (await ask("/v1/completions", { ...ok, prompt: ["a", "bc"], max_tokens: 5 })).json();
    expect(await metric(name)).toBe(firsts + 2);
    expect(await metric("vllm:prompt_tokens_total")).toBe(prompts + 5);
    expect(await metric("vllm:generation_tokens_total")).toBe(tokens + 10);
    expect(await metric("vllm:num_requests_running")).toBe(0);
    expect(await metric("vllm:num_requests_waiting")).toBe(0);
    expect(await metric("vllm:kv_cache_usage_perc")).toBeLessThan(1);
    const text = await (await ask("/metrics")).text();
    expect(text).toContain('vllm:request_success_total{finished_reason="length",');
    expect(text).toContain(`model_name="${model}"`);
  });

  it("has every series from the start", async () => {
    const engine = await Engine.load({ model: writeTinyModel(), device: "interpreter" });
    const app = createApp(engine);
    const { body } = await app.inject({ url: "/metrics" });
    for (const series of [
      "vllm:time_to_first_token_seconds_bucket",
      "vllm:inter_token_latency_seconds_count",
      "vllm:e2e_request_latency_seconds_sum",
      "vllm:request_prompt_tokens_bucket",
      "vllm:generation_tokens_total",
      "vllm:num_preemptions_total",
      'vllm:request_success_total{finished_reason="abort"',
      "vllm:cache_config_info",
    ])
      expect(body).toContain(series);
    await app.close();
    await engine.close();
  });

  it("logs one line a request, with no prompt and no key in it", async () => {
    lines.length = 0;
    const headers = { authorization, "x-request-id": "logged" };
    await (await ask("/v1/completions?key=hidden", { ...ok, prompt: "secret" }, headers)).json();
    await expect.poll(() => lines.length).toBe(1);
    const line = JSON.parse(lines[0] ?? "") as object;
    expect(line).toMatchObject({
      reqId: "logged",
      method: "POST",
      path: "/v1/completions",
      status: 200,
    });
    expect(lines[0]?.match(/"reqId"/g)).toHaveLength(1); // parsers differ in which of two they take
    expect(lines.join("")).not.toMatch(/secret|hidden|second-key/);
  });

  it("keeps silent streams open by comments between events", async () => {
    const slow = createServer((_request, response) => {
      const writer = new ResponseWriter(response, "text/event-stream", 10);
      void writer.write("data: 1\n\n");
      setTimeout(() => writer.end("data: [DONE]\n\n"), 120);
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const { port } = slow.address() as AddressInfo;
    const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
    expect(text).toMatch(/^data: 1\n\n(: ping\n\n){2,12}data: \[DONE\]\n\n$/);
    await new Promise((resolve) => slow.close(resolve));
  });

  it("describes every route in an OpenAPI document", async () => {
    interface Operation {
      readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
    }
    const document = (await (await ask("/openapi.json")).json()) as {
      readonly openapi: string;
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    expect(document.openapi).toBe("3.1.0");
    const { paths } = document;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/v1/embeddings", "/v1/models/{model}", "/metrics", "/sleep"]),
    );
    const chat = paths["/v1/chat/completions"]?.["post"]?.requestBody;
    expect(chat?.content["application/json"]?.schema).toMatchObject({
      type: "object",
      required: ["messages"],
      properties: { temperature: {}, stream: {} },
    });
  });

  it("sleeps and wakes", async () => {
    expect((await ask("/sleep", {})).status).toBe(200);
    expect(await (await ask("/is_sleeping")).json()).toEqual({ is_sleeping: true });
    expect((await ask("/v1/completions", ok)).status).toBe(503);
    expect((await ask("/health")).status).toBe(200);
    expect((await ask("/wake_up", {})).status).toBe(200);
    expect((await ask("/v1/completions", ok)).status).toBe(200);
  });
});

describe("an output filter", () => {
  it("sees whole texts on every route, and nothing else tells what it took out", async () => {
    const engine = await Engine.load({
      model: writeTinyModel(),
      device: "interpreter",
      servedModelName: model,
    });
    const app = createApp(engine, { outputFilter: (text) => `<${text.length}>` });
    const post = (url: string, payload: object) => app.inject({ method: "POST", url, payload });
    const whole = await post("/v1/completions", ok);
    expect((JSON.parse(whole.body) as { choices: { text: string }[] }).choices[0]?.text).toBe(
      "<3>",
    );
    const generated = await post("/generate", ok);
    expect(JSON.parse(generated.body)).toEqual({ text: ["abc<3>"] });
    expect((await post("/v1/completions", { ...ok, logprobs: 1 })).statusCode).toBe(400);
    expect((await post("/v1/completions", { ...ok, return_token_ids: true })).statusCode).toBe(400);
    await app.close();
    await engine.close();
  });

  it("that fail are said in the log, streamed or whole", async () => {
    const engine = await Engine.load({
      model: writeTinyModel(),
      device: "interpreter",
      servedModelName: model,
    });
    const written: string[] = [];
    const app = createApp(engine, {
      logLevel: "error",
      logTo: { write: (line) => void written.push(line) },
      chatTemplate: "{{ messages[0].content }}",
      outputFilter: () => {
        throw new Error("no filter today");
      },
    });
    const messages = [{ role: "user", content: "abc" }];
    for (const stream of [false, true]) {
      for (const url of ["/v1/completions", "/v1/chat/completions", "/generate"]) {
        const payload = { ...ok, messages, stream };
        const { body } = await app.inject({ method: "POST", url, payload });
        expect(body, url).toContain("its log says more");
        expect(written.splice(0).join(), `${url} ${stream}`).toContain("no filter today");
      }
    }
    await app.close();
    await engine.close();
  });
});

describe("the end", () => {
  it("bug class 36, no drain: what runs is answered, what comes is refused with 503", async () => {
    const engine = await Engine.load({ model: writeTinyModel(), device: "interpreter" });
    const server = await serveEngine(engine, { port: 0 });
    const post = () =>
      fetch(`${server.url}/v1/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...ok, max_tokens: 100, ignore_eos: true }),
      });
    const running = post();
    const kept = await fetch(`${server.url}/health`);
    expect(kept.status).toBe(200);
    await expect.poll(() => engine.numRunning).toBe(1);
    const late = fetch(`${server.url}/health`).then(
      ({ status }) => status,
      () => "refused",
    );
    const closed = server.close();
    const refused = await post().then(
      ({ status }) => status,
      () => "refused",
    );
    expect([503, "refused"]).toContain(refused);
    expect([200, 503, "refused"]).toContain(await late);
    const answer = (await (await running).json()) as { usage: { completion_tokens: number } };
    expect(answer.usage.completion_tokens).toBe(100);
    await closed;
  });

  it("refuses options out of range, all at once", async () => {
    const engine = await Engine.load({ model: writeTinyModel(), device: "interpreter" });
    const bad = { maxPrompts: 0, maxChoices: 1.5, apiKeys: [""], keepAliveSeconds: -1 };
    // Timers of Node that are longer would fire at once.
    const long = { keepAliveSeconds: 3_000_000, chatTemplateSeconds: 1e300 };
    expect(() => createApp(engine, long)).toThrow(
      /keepAliveSeconds[\s\S]*at most 2147483[\s\S]*chatTemplateSeconds/,
    );
    expect(() => createApp(engine, bad)).toThrow(
      /keepAliveSeconds[\s\S]*apiKeys[\s\S]*maxPrompts[\s\S]*maxChoices/,
    );
    await engine.close();
  });
});
