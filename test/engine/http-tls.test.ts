/** [test/engine] The server over TLS with a certificate made here: answers, streams, loading, and clients that speak plain HTTP or trust others. */
import { X509Certificate } from "node:crypto";
import { type RequestOptions, request } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "../../engine/server/http.ts";
import { startServing } from "../../engine/server/serve-model.ts";
import { selfSigned } from "../support/self-signed.ts";
import { eventsOf } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const tls = selfSigned();
const model = writeTinyModel();
let server: Server;
let early: Promise<{ readonly status: number }>;
beforeAll(async () => {
  const { url, loaded } = await startServing({ model, device: "null", port: 0, tls });
  early = ask(url, "/health");
  ({ server } = await loaded);
});
afterAll(() => server.close(0));

function ask(url: string, path: string, body?: object, options: RequestOptions = {}) {
  return new Promise<{ status: number; text: string; isTrusted: boolean }>((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(
      `${url}${path}`,
      { ca: tls.cert, method, headers: { "content-type": "application/json" }, ...options },
      async (response) => {
        const { authorized } = response.socket as unknown as { readonly authorized: boolean };
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text, isTrusted: authorized });
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe("a server with a certificate", () => {
  const body = { prompt: "abc", max_tokens: 5, ignore_eos: true };

  it("answers whole and streamed, also while its model loads", async () => {
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect([200, 503]).toContain((await early).status);
    const whole = await ask(server.url, "/v1/completions", body);
    expect([whole.status, whole.isTrusted]).toEqual([200, true]);
    expect((JSON.parse(whole.text) as { usage: object }).usage).toMatchObject({
      completion_tokens: 5,
    });
    const streamed = await ask(server.url, "/v1/completions", { ...body, stream: true });
    expect(eventsOf(streamed.text).length).toBeGreaterThan(1);
    const named = await ask(server.url.replace("127.0.0.1", "localhost"), "/health", undefined, {
      family: 4,
    });
    expect(named.status).toBe(200);
  });

  it("is refused by clients that trust others, and answers no plain HTTP", async () => {
    await expect(ask(server.url, "/health", undefined, { ca: selfSigned().cert })).rejects.toThrow(
      /self-signed certificate/,
    );
    await expect(fetch(server.url.replace("https", "http"))).rejects.toThrow();
    expect((await ask(server.url, "/health")).status).toBe(200);
  });

  it("is not started with a key or certificate that cannot be used", async () => {
    for (const bad of [
      { ...tls, key: selfSigned().key },
      { ...tls, cert: "none" },
    ])
      await expect(startServing({ model, device: "null", port: 0, tls: bad })).rejects.toThrow(
        /TW4311[\s\S]*tls/,
      );
  });
});

it("the certificate of the test is what it says", () => {
  const cert = new X509Certificate(tls.cert);
  expect(cert.checkHost("localhost")).toBe("localhost");
  expect(cert.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(cert.verify(cert.publicKey)).toBe(true);
});
