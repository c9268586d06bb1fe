/** [test/engine] The server while its model loads: the port is open, everything answers 503 with what is being done, failures and ends close it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EngineOptions, LoadProgress } from "../../engine/config.ts";
import type { ServeOptions } from "../../engine/server/options.ts";
import { startServing } from "../../engine/server/serve-model.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel();
const apiKeys = ["key"];
const headers = { authorization: "Bearer key", "content-type": "application/json" };

const start = (more: Partial<EngineOptions & ServeOptions> = {}) =>
  startServing({ model, device: "null", port: 0, ...more });

const ROUTES = [
  ["GET", "/health", {}],
  ["POST", "/ping", {}],
  ["GET", "/v1/models", headers],
  ["GET", "/metrics", headers],
  ["GET", "/no/such/route", headers],
  ["POST", "/v1/completions", headers],
] as const;

async function expectLoading(url: string, method: string, path: string, given: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...given, "x-request-id": "early" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(response.headers.get("x-request-id")).toBe("early");
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: "ServiceUnavailableError", code: 503, param: null });
  expect(error.message).toMatch(/TW4318[\s\S]*the model is loading[\s\S]*folder/);
}

describe("while the model loads", () => {
  it("answers 503 with Retry-After and what is being done, then the model answers on the same port", async () => {
    const seen: LoadProgress[] = [];
    const told: string[] = [];
    let asked: Promise<unknown> = Promise.resolve();
    const ask = async () => told.push(await (await fetch(`${url}/health`)).text());
    const { url, loaded } = await startServing({
      model,
      device: "interpreter",
      coreProcess: true, // this process answers while that one loads
      warmUp: true,
      port: 0,
      apiKeys,
      onProgress: (progress) => {
        seen.push(progress);
        asked = asked.then(ask);
      },
    });
    for (const [method, path, given] of ROUTES) await expectLoading(url, method, path, given);
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    const page = await fetch(`${url}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<textarea")]);
    const version = await fetch(`${url}/version`, { headers });
    expect([version.status, await version.json()]).toEqual([200, { version: expect.any(String) }]);
    const { server } = await loaded;
    await asked;
    expect(new Set(seen.map(({ stage }) => stage))).toEqual(new Set(["weights", "compile"]));
    expect(told.join("\n")).toMatch(/(weights|kernels) are being (loaded|compiled), \d+ % done/);
    expect(server.url).toBe(url);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const body = JSON.stringify({ prompt: "abc", max_tokens: 2 });
    const answer = await fetch(`${url}/v1/completions`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    await server.close(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  }, 60_000);

  it("closes the port when loading fails, and says why", async () => {
    const bare = writeTinyModel();
    rmSync(join(bare, "model.safetensors"));
    const { url, loaded } = await start({ model: bare, device: "interpreter" });
    await expect(loaded).rejects.toThrow(/TW42\d\d/);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    const late = await start({ chatTemplate: "{% if" }); // seen only when the model is there
    await expect(late.loaded).rejects.toThrow("TW4223");
    await expect(fetch(`${late.url}/health`)).rejects.toThrow();
  });

  it.each([true, false])(
    "ends when its signal says so (process of its own: %s)",
    async (apart) => {
      const stop = new AbortController();
      const { url, loaded } = await start({
        coreProcess: apart,
        device: "interpreter",
        signal: stop.signal,
        onProgress: () => stop.abort(new Error("enough")),
      });
      await expect(loaded).rejects.toThrow("enough");
      await expect(fetch(`${url}/health`)).rejects.toThrow();
    },
    30_000,
  );

  it("refuses what is wrong with options, folders and names, and a taken port, before anything is loaded", async () => {
    await expect(start({ maxPrompts: 0 })).rejects.toThrow("TW4311");
    await expect(start({ blockSize: 0 })).rejects.toThrow("TW4217");
    await expect(start({ model: "/nowhere" })).rejects.toThrow("TW4230");
    await expect(start({ tokenizer: "/nowhere" })).rejects.toThrow("TW4230");
    await expect(start({ device: "tpu" })).rejects.toThrow("TW3200");
    const strange = writeTinyModel({ config: { architectures: ["Strange"] } });
    await expect(start({ model: strange })).rejects.toThrow("Strange");
    await expect(start({ maxModelLen: 4096 })).rejects.toThrow("TW4104");
    await expect(start({ quantization: "gptq", device: "interpreter" })).rejects.toThrow("TW4245");
    const scheme = { quant_method: "compressed-tensors", format: "of-tomorrow" };
    const config_groups = { group: { weights: { num_bits: 3 } } };
    const odd = writeTinyModel({ config: { quantization_config: { ...scheme, config_groups } } });
    await expect(start({ model: odd, device: "interpreter" })).rejects.toThrow("TW4212");
    await expect(start({ dtype: "float23" as "float32" })).rejects.toThrow("TW4216");
  });

  it("says that the model is missing, by the option's name", async () => {
    const options = { port: 0 } as Parameters<typeof startServing>[0];
    await expect(startServing(options)).rejects.toThrow(
      /TW4217[\s\S]*option model \(--model\) is missing[\s\S]*seen: +undefined/,
    );
  });

  it("refuses a port that is taken", async () => {
    const { port, loaded } = await start();
    await expect(start({ port })).rejects.toThrow("TW4310");
    await (await loaded).server.close(0);
  });
});
