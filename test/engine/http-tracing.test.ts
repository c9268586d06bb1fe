/** [test/engine] Spans of requests: what a collector gets over OTLP/HTTP, whose trace they are part of, and that a collector that fails costs no request. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { createApp, serveEngine } from "../../engine/server/http.ts";
import type { TracingOptions } from "../../engine/server/options.ts";
import { parseTraceparent } from "../../engine/server/tracing/trace-context.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
}

const model = writeTinyModel({ config: { max_position_embeddings: 4096 } });
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** @param statuses of the first answers; 200 after them */
async function collector(...statuses: readonly number[]) {
  return collectorThat(statuses);
}

/** @param headers of its answers */
async function collectorThat(statuses: readonly number[], headers: Record<string, string> = {}) {
  const spans: OtlpSpan[] = [];
  const seen: { readonly headers: IncomingHttpHeaders; readonly url: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const status = statuses[seen.length] ?? 200;
    seen.push({ headers: request.headers, url: request.url });
    if (status === 200) {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
      };
      for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap((s) => s.spans));
    }
    response.writeHead(status, { "retry-after": "0", ...headers }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { spans, seen, endpoint: `http://127.0.0.1:${port}/v1/traces` };
}

/** `end` closes the app, which sends what it has. */
async function start(tracing: TracingOptions) {
  const engine = await Engine.load({ model, device: "null", maxNumSeqs: 1, servedModelName: "m" });
  const app = createApp(engine, { tracing });
  const end = async () => {
    await app.close();
    await engine.close();
  };
  const post = (payload: object, headers = {}, url = "/v1/completions") =>
    app.inject({ method: "POST", url, payload, headers });
  return { app, end, post };
}

const plainValue = (value: Value | undefined): unknown =>
  value?.arrayValue?.values.map(plainValue) ??
  value?.stringValue ??
  value?.doubleValue ??
  (value?.intValue === undefined ? undefined : Number(value.intValue));
const attributesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
const [start_, end_] = [
  (span: OtlpSpan) => BigInt(span.startTimeUnixNano),
  (span: OtlpSpan) => BigInt(span.endTimeUnixNano),
];

describe("spans of a request", () => {
  it("are the request with queue, prompt and tokens inside it, in the caller's trace", async () => {
    const { endpoint, spans, seen } = await collector();
    const { end, post } = await start({ endpoint, headers: { "x-team": "a" }, serviceName: "s" });
    const [traceId, caller] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const headers = { traceparent: `00-${traceId}-${caller}-01`, tracestate: "vendor=1" };
    const before = BigInt(Date.now()) * 1_000_000n;
    const body = { prompt: "abc", max_tokens: 50, ignore_eos: true, temperature: 0.5, seed: 7 };
    const { id } = (await post({ ...body, stop: ["\u0001"] }, headers)).json<{ id: string }>();
    await end();
    expect(seen).toMatchObject([
      { url: "/v1/traces", headers: { "content-type": "application/json", "x-team": "a" } },
    ]);
    expect(spans.map(({ name }) => name)).toEqual([
      "queue",
      "prefill",
      "decode",
      "text_completion m",
    ]);
    const root = spans[3] as OtlpSpan;
    expect(root).toMatchObject({ traceId, parentSpanId: caller, traceState: "vendor=1", kind: 2 });
    expect(root.status).toEqual({});
    expect(attributesOf(root)).toMatchObject({
      "http.route": "/v1/completions",
      "http.response.status_code": 200,
      "gen_ai.operation.name": "text_completion",
      "gen_ai.request.model": "m",
      "gen_ai.response.id": id,
      "gen_ai.request.max_tokens": 50,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.seed": 7,
      "gen_ai.request.stop_sequences": ["\u0001"],
      "gen_ai.response.finish_reasons": ["length"],
      "gen_ai.usage.input_tokens": 4,
      "gen_ai.usage.output_tokens": 50,
      "gen_ai.latency.time_to_first_token": expect.any(Number),
      "gen_ai.latency.time_in_queue": expect.any(Number),
    });
    expect(start_(root)).toBeGreaterThan(before - 50_000_000n);
    const phases = spans.slice(0, 3);
    for (const phase of phases) {
      expect(phase).toMatchObject({ traceId, parentSpanId: root.spanId, kind: 1 });
      expect(phase.spanId).toMatch(/^[\da-f]{16}$/);
      expect(start_(phase)).toBeGreaterThanOrEqual(start_(root));
      expect(end_(phase)).toBeLessThanOrEqual(end_(root));
    }
    const [queue, prefill, decode] = phases as [OtlpSpan, OtlpSpan, OtlpSpan];
    expect(end_(queue)).toBeLessThanOrEqual(start_(prefill) + 1000n);
    expect(end_(prefill)).toBe(start_(decode));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
  });

  it("show who waited for whom, and count the prompt of several choices once", async () => {
    const { endpoint, spans } = await collector();
    const { end, post } = await start({ endpoint });
    const body = { prompt: "abc", max_tokens: 200, ignore_eos: true, n: 2 };
    await post(body);
    await end();
    const root = attributesOf(spans.at(-1) as OtlpSpan);
    expect(root).toMatchObject({
      "gen_ai.request.choice.count": 2,
      "gen_ai.usage.input_tokens": 4,
      "gen_ai.usage.output_tokens": 400,
    });
    const named = (name: string) =>
      spans.filter((span) => span.name === name).sort((a, b) => Number(end_(a) - end_(b)));
    const [first, second] = named("decode") as [OtlpSpan, OtlpSpan];
    const waited = named("queue").at(-1) as OtlpSpan; // one runs at a time
    expect(end_(waited) - start_(waited)).toBeGreaterThan((end_(first) - start_(first)) / 2n);
    expect(start_(second)).toBeGreaterThan(end_(first) - 2_000_000n);
  });

  it("are recorded as the caller says, else for a share; other routes have none", async () => {
    const { endpoint, spans } = await collector();
    const { app, end, post } = await start({ endpoint, sampleRate: 0 });
    const body = { prompt: "abc", max_tokens: 2 };
    const id = "0af7651916cd43dd8448eb211c80319c";
    const caller = (flags: string) => ({ traceparent: `00-${id}-b7ad6b7169203331-${flags}` });
    await post(body, caller("00"));
    await post(body);
    await post(body, { traceparent: "00-broken" });
    await app.inject({ url: "/health", headers: caller("01") });
    await post(body, caller("01"));
    await post({ ...body, max_tokens: -1 }, caller("01"));
    await post({ prompt: "abc", max_tokens: 2 }, caller("01"), "/generate");
    await post({ input: "abc" }, caller("01"), "/v1/embeddings");
    await end();
    const roots = spans.filter(({ kind }) => kind === 2);
    expect(roots.map(({ name }) => name)).toEqual([
      "text_completion m",
      "text_completion m",
      "generate_content m",
      "embeddings m",
    ]);
    expect(attributesOf(roots[1] as OtlpSpan)["http.response.status_code"]).toBe(400);
  });

  it("of a stream last until its end, also through the end of the server", async () => {
    const { endpoint, spans } = await collector();
    const engine = await Engine.load({ model, device: "null", servedModelName: "m" });
    const server = await serveEngine(engine, { port: 0, tracing: { endpoint } });
    const response = await fetch(`${server.url}/v1/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "a", max_tokens: 3000, ignore_eos: true, stream: true }),
    });
    const text = response.text();
    await server.close();
    expect(await text).toContain("[DONE]");
    expect(spans.map(({ name }) => name)).toEqual([
      "queue",
      "prefill",
      "decode",
      "text_completion m",
    ]);
    const [, , decode, root] = spans as [OtlpSpan, OtlpSpan, OtlpSpan, OtlpSpan];
    expect(end_(root) - start_(root)).toBeGreaterThanOrEqual(end_(decode) - start_(decode));
  });
});

describe("a collector that fails", () => {
  it("is asked again where that may help", async () => {
    const { endpoint, spans, seen } = await collector(503, 429);
    const { end, post } = await start({ endpoint });
    expect((await post({ prompt: "abc", max_tokens: 2 })).statusCode).toBe(200);
    await end();
    expect([seen.length, spans.length]).toEqual([3, 4]);
  });

  it.each([
    ["refuses", async () => (await collector(400)).endpoint, /4 spans were lost: .*status 400/],
    [
      "is not there",
      async () => "http://127.0.0.1:1/v1/traces",
      /4 spans were lost: .*(ECONN|bad port)/,
    ],
  ])("costs no request where it %s", async (_how, at, complaint) => {
    const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { end, post } = await start({ endpoint: await at() });
    expect((await post({ prompt: "abc", max_tokens: 2 })).statusCode).toBe(200);
    await end();
    expect(log.mock.calls.flat().join("")).toMatch(complaint);
    log.mockRestore();
  });

  it.each([301, 302, 303, 307, 308])(
    "and sends them elsewhere with %i is not followed: headers may hold a secret",
    async (status) => {
      const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const other = await collector();
      const { seen, endpoint } = await collectorThat([status], { location: other.endpoint });
      const { end, post } = await start({ endpoint, headers: { "x-secret": "word" } });
      expect((await post({ prompt: "abc", max_tokens: 2 })).statusCode).toBe(200);
      await end();
      expect([seen.length, other.seen]).toEqual([1, []]);
      expect(log.mock.calls.flat().join("")).toMatch(`status ${status}, and redirects are not`);
      log.mockRestore();
    },
  );

  it("is not tried where the options are out of range", async () => {
    await expect(start({ endpoint: "localhost:4317" })).rejects.toThrow(/TW4311[\s\S]*endpoint/);
    const options = { endpoint: "http://localhost:4318/v1/traces", sampleRate: 2 };
    await expect(start(options)).rejects.toThrow(/TW4311[\s\S]*sampleRate/);
  });

  it("is not tried where no request can be made of the options, and tells no password", async () => {
    const endpoint = "http://localhost:4318/v1/traces";
    const why = (options: TracingOptions) => start(options).catch(String);
    const withUser = await why({ endpoint: endpoint.replace("//", "//me:secret@") });
    expect(withUser).toMatch(/TW4311[\s\S]*endpoint/);
    expect(withUser).not.toContain("secret");
    for (const headers of [{ "a b": "c" }, { a: "b\nc" }] as const)
      expect(await why({ endpoint, headers })).toMatch(/TW4311[\s\S]*headers/);
  });
});

describe("traceparent", () => {
  const id = "0af7651916cd43dd8448eb211c80319c";
  const parent = "b7ad6b7169203331";
  it.each([
    ["sampled", `00-${id}-${parent}-01`, true],
    ["not sampled", `00-${id}-${parent}-00`, false],
    ["of a later version with more behind it", `01-${id}-${parent}-03-what`, true],
  ])("is read: %s", (_name, header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({
      traceId: id,
      parentId: parent,
      isSampled,
      state: undefined,
    });
  });
  it.each([
    ["nothing", undefined],
    ["version ff", `ff-${id}-${parent}-01`],
    ["more behind version 00", `00-${id}-${parent}-01-x`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["a parent of zeros", `00-${id}-${"0".repeat(16)}-01`],
    ["capitals", `00-${id.toUpperCase()}-${parent}-01`],
  ])("is ignored: %s", (_name, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});
