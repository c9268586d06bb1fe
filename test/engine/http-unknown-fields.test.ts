/** [test/engine] Request fields that nobody reads: the answer is given, a header names them with what was meant, the log says so once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { createApp } from "../../engine/server/http.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const lines: string[] = [];
let engine: Engine;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  engine = await Engine.load({ model: writeTinyModel(), device: "null" });
  app = createApp(engine, { logLevel: "warn", logTo: { write: (line) => void lines.push(line) } });
});
afterAll(async () => {
  await app.close();
  await engine.close();
});
const ask = async (more: object, url = "/v1/completions") => {
  const payload = { prompt: "abc", input: "abc", max_tokens: 2, ...more };
  const { statusCode, headers } = await app.inject({ method: "POST", url, payload });
  return [statusCode, headers["x-tilewright-warning"]];
};

it("says nothing of fields that are read, refused by name, or sent by every client", async () => {
  const { statusCode, headers } = await app.inject({
    method: "POST",
    url: "/v1/completions",
    payload: { prompt: "abc", user: "me", metadata: {}, suffix: null, top_k: 3 },
  });
  expect([statusCode, headers["x-tilewright-warning"]]).toEqual([200, undefined]);
  expect(lines).toEqual([]);
});

it("names the others, whole and streamed, with what was meant, and logs each once", async () => {
  for (const stream of [false, true])
    expect(await ask({ temprature: 0.5, stream, zzzzzz: 1 })).toEqual([
      200,
      `ignored fields: input, temprature (did you mean temperature?), zzzzzz`,
    ]);
  expect(lines.map((line) => (JSON.parse(line) as { fields: string[] }).fields)).toEqual([
    ["input", "temprature", "zzzzzz"],
  ]);
  expect((await ask({}, "/generate"))[1]).toMatch(/^ignored fields: input/);
  expect((await ask({}, "/v1/embeddings"))[1]).toContain("prompt");
});

it("puts no odd name into a header, and few of many", async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`qqqq${i}`, i]));
  const [status, warning] = await ask({ ...many, "a\r\nb: c": 1 });
  expect(status).toBe(200);
  expect(warning).toMatch(/^ignored fields: [\w, ]+, 17 more$/);
});

it("gives vectors of length 1 for embeddings on the null device", async () => {
  const payload = { input: ["abc", "x"] };
  const { body } = await app.inject({ method: "POST", url: "/v1/embeddings", payload });
  const { data } = JSON.parse(body) as { data: { embedding: number[] }[] };
  for (const { embedding } of data) expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  expect(data).toHaveLength(2);
});
