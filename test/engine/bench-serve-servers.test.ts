/** [test/engine] bench-serve against servers that are not ours: fields they refuse, prompts they do not take, streams of other shapes. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Endpoint, Target } from "../../engine/bench-serve/client.ts";
import { fullDialect, learnDialect } from "../../engine/bench-serve/dialect.ts";
import { runLoad } from "../../engine/bench-serve/run.ts";

type Body = Readonly<Record<string, unknown>>;
interface Kind {
  /** What is wrong with a body; undefined where it is taken. */
  readonly refuses: (body: Body) => string | undefined;
  /** The whole stream. */
  readonly stream: string;
}

const shape = {
  dataset: "random",
  numPrompts: 3,
  inputLen: 8,
  outputLen: 3,
  prefixLen: 0,
  vocabSize: 200,
  seed: 4,
} as const;
let server: Server | undefined;
let bodies: Body[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function start(kind: Kind, endpoint: Endpoint = "completions"): Promise<Target> {
  bodies = [];
  server = createServer(async (request, response) => {
    if (request.url === "/v1/models") {
      response.end(JSON.stringify({ data: [{ id: "theirs" }, { id: "other" }] }));
      return;
    }
    const body = await bodyOf(request);
    const wrong = kind.refuses(body);
    if (wrong === undefined) bodies.push(body);
    response.writeHead(wrong === undefined ? 200 : 400).end(wrong ?? kind.stream);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return { baseUrl, model: undefined, apiKey: undefined, dialect: fullDialect(endpoint) };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Body;
}

const events = (parts: readonly (object | string)[], end = "\n\n", space = " ") =>
  parts
    .map((one) => `data:${space}${typeof one === "string" ? one : JSON.stringify(one)}${end}`)
    .join("");
const piece = (text: string, finish_reason: string | null = null) => ({
  choices: [{ text, finish_reason }],
});
const load = { ...shape, rate: Number.POSITIVE_INFINITY, concurrency: 2, goals: {} };

describe("bench-serve on other servers", () => {
  it("does without ignore_eos, stream_options and token ids where each is refused by name", async () => {
    const asked = await start({
      refuses: ({ ignore_eos, stream_options, prompt }) => {
        if (typeof prompt !== "string") return '{"error":{"message":"prompt must be a string"}}';
        if (stream_options !== undefined) return "Unknown parameter: stream_options";
        return ignore_eos === undefined ? undefined : '{"error":{"message":"ignore_eos: extra"}}';
      },
      // Lines end as HTTP's do, nothing stands behind the colon, and there is no [DONE].
      stream: events([piece("a"), piece("b"), piece("c", "stop")], "\r\n\r\n", ""),
    });
    const { target, remarks } = await learnDialect(asked, shape);
    expect(target).toMatchObject({
      model: "theirs",
      dialect: { prompts: "text", ignoreEos: false, usage: false },
    });
    expect(remarks.join("\n")).toMatch(/ignore_eos[\s\S]*events are counted[\s\S]*prompt must be/);
    const report = await runLoad({ ...load, target });
    expect(report).toMatchObject({ completed: 3, failed: 0, withoutUsage: 3, outputTokens: 9 });
    expect(report.promptTokens).toBe(3 * shape.inputLen); // words
    expect(bodies.at(-1)).toMatchObject({ prompt: expect.stringMatching(/^(\w+ ){7}\w+$/) });
  });

  it("keeps what was not in the way of a refusal without a reason", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 8, completion_tokens: 3 } };
    const asked = await start({
      refuses: ({ stream_options }) => (stream_options === undefined ? undefined : "no"),
      stream: events([piece("a"), piece("b"), usage, "[DONE]"]),
    });
    const { target, remarks } = await learnDialect(asked, shape);
    expect(target.dialect).toEqual({ ...fullDialect("completions"), usage: false });
    expect(remarks).toEqual([]); // it counts without being asked
    const report = await runLoad({ ...load, target });
    expect(report).toMatchObject({ outputTokens: 9, withoutUsage: 0 });
  });

  it("talks with servers of chats alone: roles and ends are no tokens, usage comes with the end", async () => {
    const delta = (of: object, rest: object = {}) => ({ choices: [{ delta: of }], ...rest });
    const usage = { prompt_tokens: 11, completion_tokens: 5 };
    const asked = await start(
      {
        refuses: ({ messages }) => (Array.isArray(messages) ? undefined : "no messages"),
        stream: `: hello\n\n${events([delta({ role: "assistant", content: "" }), delta({ content: "a" }), delta({ content: "b" }), delta({}, { usage }), "[DONE]"])}`,
      },
      "chat",
    );
    const { target } = await learnDialect(asked, shape);
    expect(target.dialect).toEqual(fullDialect("chat"));
    const report = await runLoad({ ...load, target });
    expect(report).toMatchObject({ completed: 3, promptTokens: 33, outputTokens: 15 });
    expect(report.eventsPerSecond * report.seconds).toBeCloseTo(6, 6);
  });

  it("leaves the load to say what is wrong where nothing helps", async () => {
    const asked = await start({ refuses: () => "never", stream: "" });
    const { target, remarks } = await learnDialect(asked, shape);
    expect([target.dialect, remarks]).toEqual([asked.dialect, []]);
    const report = await runLoad({ ...load, target });
    expect(report).toMatchObject({ completed: 0, errors: { "status 400: never": 3 } });
  });
});
