/** [test/engine] What the HTTP server refuses: status, type, param and a message that says what to do. Nothing is left running. */
import { connect } from "node:net";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { serveForTests } from "../support/serve-tiny.ts";
import { TINY_CONTEXT, writeTinyModel } from "../support/tiny-model.ts";

const model = "tiny";
const served = serveForTests(() => ({ model: writeTinyModel(), servedModelName: model }));

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: number;
  };
}

async function errorOf(response: Response): Promise<ErrorBody["error"]> {
  const { error } = (await response.json()) as ErrorBody;
  expect(error.code).toBe(response.status);
  return error;
}

const ok = { model, prompt: "abc", max_tokens: 2 };
const REFUSED: readonly (readonly [
  name: string,
  change: object | string,
  param: string,
  message: RegExp,
])[] = [
  ["no prompt", { prompt: undefined }, "prompt", /field 'prompt'[\s\S]*a string, a list/],
  ["an empty list of prompts", { prompt: [] }, "prompt", /no list may be empty/],
  ["an empty list of ids", { prompt: [[]] }, "prompt", /no list may be empty/],
  ["an empty prompt in a list", { prompt: [[3], []] }, "prompt", /no list may be empty/],
  ["a prompt of a wrong type", { prompt: 7 }, "prompt", /seen: +7/],
  ["a prompt of mixed types", { prompt: ["a", 3] }, "prompt", /TW4301/],
  ["a token id past the vocabulary", { prompt: [3, 264] }, "prompt", /TW4112[\s\S]*264/],
  ["a negative token id", { prompt: [-1] }, "prompt", /TW4301/],
  ["a prompt longer than the context", { prompt: "x".repeat(TINY_CONTEXT) }, "prompt", /TW4102/],
  ["prompt and max_tokens past the context", { max_tokens: 125 }, "max_tokens", /TW4305[\s\S]*128/],
  ["max_tokens of 0 without echo", { max_tokens: 0 }, "max_tokens", /echo/],
  ["negative max_tokens", { max_tokens: -1 }, "max_tokens", /TW4301/],
  ["max_tokens as text", { max_tokens: "5" }, "max_tokens", /TW4301/],
  ["a negative temperature", { temperature: -1 }, "temperature", /TW4110/],
  ["top_p of 0", { top_p: 0 }, "top_p", /TW4110/],
  ["top_p above 1", { top_p: 1.5 }, "top_p", /TW4110/],
  ["top_k below -1", { top_k: -2 }, "top_k", /TW4110/],
  ["min_p above 1", { min_p: 2 }, "min_p", /TW4110/],
  ["an empty stop string", { stop: "" }, "stop", /TW4110/],
  ["stop of a wrong type", { stop: 5 }, "stop", /TW4301/],
  ["logprobs past the limit", { logprobs: 21 }, "logprobs", /TW4110[\s\S]*0 to 20/],
  ["n of 0", { n: 0 }, "n", /TW4301/],
  ["n above 1 with greedy sampling", { n: 2, temperature: 0 }, "n", /greedy/],
  ["stream_options without stream", { stream_options: {} }, "stream_options", /needs 'stream'/],
  [
    "prompt_logprobs with stream",
    { stream: true, prompt_logprobs: 1 },
    "prompt_logprobs",
    /not possible/,
  ],
  ["a penalty out of range", { presence_penalty: 2.5 }, "presence_penalty", /TW4110/],
  ["a bias of no token", { logit_bias: { 999: 1 } }, "logit_bias", /TW4110/],
  ["a suffix", { suffix: "end" }, "suffix", /not supported/],
  ["a temperature past every number", '"temperature":1e400', "temperature", /seen: +Infinity/],
  ["a field of a wrong type", { echo: "yes" }, "echo", /seen: +"yes"\n +expected: true or false/],
  [
    "a prompt nested a hundred thousand deep",
    `"prompt":${"[".repeat(1e5)}${"]".repeat(1e5)}`,
    "prompt",
    /TW4301[\s\S]*nested too deeply/,
  ],
  [
    "a text a thousand times the context, before it is cut into tokens",
    { prompt: "ab ".repeat(5e6) },
    "prompt",
    /TW4102[\s\S]*15000000 characters/,
  ],
];

/** All that the server writes on a connection until it closes it. @param then sent once the answer has begun */
function rawAnswer(port: number, text: string, then = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      if (answer === "" && then !== "") socket.write(then);
      answer += String(data);
    });
    socket.once("close", () => resolve(answer));
    socket.once("error", reject);
  });
}

describe("refusals of the server", () => {
  it.each(REFUSED)("answers 400 to %s", async (_name, change, param, message) => {
    const body =
      typeof change === "string"
        ? `{"model":"${model}","prompt":"abc",${change}}`
        : { ...ok, ...change };
    const response = await served.post("/v1/completions", body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error).toMatchObject({ type: "BadRequestError", param });
    expect(error.message).toMatch(message);
    expect([served.engine.numRunning, served.engine.numWaiting]).toEqual([0, 0]);
  });

  it("accepts neutral values of fields that it does not support, and fields it does not know", async () => {
    const neutral = { presence_penalty: 0, repetition_penalty: 1, logit_bias: {}, best_of: 1 };
    const response = await served.post("/v1/completions", {
      ...ok,
      ...neutral,
      user: "me",
      x_y: 1,
    });
    expect(response.status).toBe(200);
  });

  it("starts none of several prompts when one is bad", async () => {
    const prompt = [
      [3, 4],
      [5, 999],
    ];
    const response = await served.post("/v1/completions", { ...ok, prompt, max_tokens: 100 });
    expect(response.status).toBe(400);
    expect(served.engine.numFreePages).toBe(served.engine.info.numPages - 1);
    expect([served.engine.numRunning, served.engine.numWaiting]).toEqual([0, 0]);
  });

  it("answers 404 to a model that it does not serve, and the client throws NotFoundError", async () => {
    const request = served.client.completions.create({ ...ok, model: "other" });
    await expect(request).rejects.toThrow(OpenAI.NotFoundError);
    await expect(request).rejects.toMatchObject({ status: 404, param: "model" });
    const missing = await fetch(`${served.server.url}/v1/models/other`);
    expect(missing.status).toBe(404);
  });

  it("serves the model where a request names none", async () => {
    const { status } = await served.post("/v1/completions", { prompt: "abc", max_tokens: 1 });
    expect(status).toBe(200);
  });

  it.each([
    ["malformed JSON", '{"prompt": "a",}', /TW4306[\s\S]*seen: [\s\S]*JSON[\s\S]*remedy: /],
    ["NaN, which is no JSON", '{"prompt": "a", "temperature": NaN}', /TW4306[\s\S]*remedy: /],
    ["no body", "", /TW4306[\s\S]*empty body/],
    ["a body that is no object", "[1]", /TW4301/],
    ["a body of null", "null", /TW4301/],
  ])("answers 400 to %s", async (_name, text, message) => {
    for (const path of ["/v1/completions", "/generate"]) {
      const response = await served.post(path, text);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).message).toMatch(message);
    }
  });

  it("takes half a surrogate pair as U+FFFD, in the tokens and in the echo", async () => {
    const choiceOf = async (prompt: string) => {
      const text = `{"prompt":"${prompt}","max_tokens":1,"temperature":0,"echo":true,"return_token_ids":true}`;
      const response = await served.post("/v1/completions", text);
      return ((await response.json()) as { choices: [Record<string, unknown>] }).choices[0];
    };
    const choice = await choiceOf("a\\ud83d");
    expect(choice).toEqual(await choiceOf("a\\ufffd"));
    expect(choice["text"]).toMatch(/^a\ufffd./u);
  });

  it("answers 413 to a body past the limit", async () => {
    const response = await served.post("/v1/completions", { ...ok, pad: "x".repeat(17 * 2 ** 20) });
    expect(response.status).toBe(413);
    const { type, message } = await errorOf(response);
    expect(type).toBe("BadRequestError");
    expect(message).toMatch(/TW4307[\s\S]*16777216 bytes[\s\S]*remedy: /);
  });

  it("refuses several greedy choices on every route", async () => {
    const body = { prompt: "abc", max_tokens: 2, n: 2, temperature: 0 };
    for (const path of ["/v1/completions", "/generate"]) {
      const response = await served.post(path, body);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).message).toContain("greedy");
    }
  });

  it.each([
    ["GET", "/v1/completions", "POST"],
    ["PUT", "/generate", "POST"],
    ["POST", "/health?x=1", "GET"],
    ["DELETE", "/v1/models/tiny", "GET"],
  ])("answers 405 to %s %s and names what is allowed", async (method, path, allowed) => {
    const response = await fetch(`${served.server.url}${path}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
    expect(await errorOf(response)).toMatchObject({
      type: "MethodNotAllowedError",
      message: expect.stringMatching(/TW4309[\s\S]*remedy: /),
    });
  });

  it.each([
    ["a path that is no URL", "GET /v1/models/%ZZ HTTP/1.1", 400],
    ["a method that does not exist", "FOO /health HTTP/1.1", 400],
    ["what is no HTTP", "hello", 400],
    ["headers past the limit", `GET /health HTTP/1.1\r\nx: ${"y".repeat(1e5)}`, 431],
  ])("answers %s in its own form and closes", async (_name, head, status) => {
    const answer = await rawAnswer(
      served.server.port,
      `${head}\r\nhost: a\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as ErrorBody;
    expect(error).toMatchObject({ code: status, type: "BadRequestError" });
    expect(error.message).toMatch(/TW4308[\s\S]*remedy: /);
  });

  it.each([
    ["at once", false],
    ["once its events come", true],
  ])(
    "answers what is broken behind a running stream %s, after the stream and not into it",
    async (_when, waits) => {
      const body = JSON.stringify({ ...ok, max_tokens: 60, ignore_eos: true, stream: true });
      const type = `content-type: application/json\r\ncontent-length: ${body.length}`;
      const stream = `POST /v1/completions HTTP/1.1\r\nhost: localhost\r\n${type}\r\n\r\n${body}`;
      const broken = "what is no HTTP\r\n\r\n";
      const answer = await rawAnswer(
        served.server.port,
        waits ? stream : `${stream}${broken}`,
        waits ? broken : "",
      );
      const [first = "", second = ""] = answer.split(/(?=HTTP\/1\.1 400)/);
      expect(first).toMatch(/^HTTP\/1\.1 200 [\s\S]*data: \[DONE\]\n\n\r\n0\r\n\r\n$/);
      expect(first.match(/data: \{/g)?.length).toBeGreaterThan(50);
      expect(second).toMatch(/^HTTP\/1\.1 400 [\s\S]*TW4308/);
    },
  );

  it("answers once to a body that breaks off its own form", async () => {
    const head = "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked";
    const answer = await rawAnswer(served.server.port, `${head}\r\n\r\nzz\r\n`, "more\r\n");
    expect(answer.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
  });

  it.each([
    ["GET", "/v1/nothing"],
    ["POST", "/v1/responses"],
  ])("answers 404 to %s %s and names what there is", async (method, path) => {
    const response = await fetch(`${served.server.url}${path}`, { method });
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error.type).toBe("NotFoundError");
    expect(error.message).toContain("POST /v1/completions");
  });
});

describe("refusals of a model without tokenizer", () => {
  const bare = serveForTests(() => ({ model: writeTinyModel({ tokenizer: false }) }));

  it("answers 400 to text and works with ids", async () => {
    for (const path of ["/v1/completions", "/generate"]) {
      const text = await bare.post(path, { prompt: "abc" });
      expect(text.status).toBe(400);
      expect(await errorOf(text)).toMatchObject({ param: "prompt", message: /TW4222/ });
    }
    const stop = await bare.post("/v1/completions", { prompt: [5], stop: "x" });
    expect(await errorOf(stop)).toMatchObject({ code: 400, param: "stop" });
  });

  it("gives no text and names tokens by id", async () => {
    const body = { prompt: [5, 6], max_tokens: 3, temperature: 0, echo: true, logprobs: 1 };
    const response = await bare.post("/v1/completions", body);
    const { choices } = (await response.json()) as {
      readonly choices: readonly [
        { readonly text: string; readonly logprobs: { readonly tokens: readonly string[] } },
      ];
    };
    const [{ text, logprobs }] = choices;
    expect(text).toBe("");
    expect(logprobs.tokens.slice(0, 2)).toEqual(["token_id:5", "token_id:6"]);
    expect(logprobs.tokens).toHaveLength(5);
    expect(logprobs.tokens.every((token) => /^token_id:\d+$/.test(token))).toBe(true);
  });
});
