/** [test/engine] `tilewright chat`: history, commands, several lines, Ctrl-C, pipes; with a server, with a model of its own process, without a template. */
import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { LocalPartner } from "../../engine/chat/local-partner.ts";
import { MessageLines } from "../../engine/chat/message-lines.ts";
import type { ChatPartner } from "../../engine/chat/partner.ts";
import { RemotePartner } from "../../engine/chat/remote-partner.ts";
import { runTerminal } from "../../engine/chat/terminal.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const CONTEXT = 4096;
const TEMPLATE = "{% for m in messages %}[{{ m.role[0] }}]{{ m.content }}{% endfor %}[a]";
const folder = writeTinyModel({ config: { max_position_embeddings: CONTEXT } });
const greedy = { temperature: 0, max_tokens: 6 };
/** Contents of the messages of each request. */
let seen: string[] = [];
const served = serveForTests(() => ({ model: folder, servedModelName: "tiny" }), {
  chatTemplate: TEMPLATE,
  apiKeys: ["key"],
  inputFilter: (text) => {
    seen.push(text);
    return text;
  },
});
const remote = () => RemotePartner.connect({ url: `${served.server.url}/v1/`, apiKey: "key" });
const local = (template?: string) =>
  LocalPartner.load({ model: folder, device: "interpreter", servedModelName: "tiny" }, template);

beforeEach(() => {
  seen = [];
});

/** A terminal, or a pipe, with what was written to it. */
function streams(isTTY: boolean) {
  const tty = () => Object.assign(new PassThrough(), { isTTY });
  const [input, output, errors, signals] = [tty(), tty(), new PassThrough(), new EventEmitter()];
  let [text, wrong] = ["", ""];
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  errors.on("data", (chunk: Buffer) => {
    wrong += chunk.toString("utf8");
  });
  return { input, output, errors, signals, text: () => text, wrong: () => wrong };
}

async function piped(partner: ChatPartner, lines: readonly string[], options = {}) {
  const io = streams(false);
  io.input.end(lines.join("\n"));
  const failures = await runTerminal(partner, io, { params: greedy, ...options });
  return { failures, text: io.text(), wrong: io.wrong() };
}

describe("messages", () => {
  it.each([
    ["a line each", ["a", "b"], ["a", "b"]],
    ["lines that end with a backslash", ["a\\", "b\\", "", "c"], ["a\nb\n", "c"]],
    [
      "lines between quotes, as they are",
      ['"""', "a\\", "", ' b"""', '"""', "c"],
      ['a\\\n\n b"""', "c"],
    ],
    ["quotes that nothing closes", ['"""', "a"], ["a"]],
  ])("are %s", (_what, lines, expected) => {
    const reader = new MessageLines();
    const messages = lines.map((line) => reader.push(line)).filter((one) => one !== undefined);
    const rest = reader.end();
    expect([...messages, ...(rest === undefined ? [] : [rest])]).toEqual(expected);
    expect(reader.isOpen).toBe(false);
  });
});

describe("a piped conversation", () => {
  it("answers every message in turn, with all that was said before, and nothing else on stdout", async () => {
    const partner = await remote();
    expect([partner.name, partner.hasTemplate]).toEqual(["tiny", true]);
    const { text, failures, wrong } = await piped(partner, [
      "hi",
      "/system be",
      "//there",
      "/reset",
      "c",
    ]);
    const [hi, there, afterReset] = [["hi"], ["be", "hi", seen[3] ?? "", "/there"], ["be", "c"]];
    expect(seen).toEqual([...hi, ...there, ...afterReset]);
    expect([failures, wrong]).toEqual([0, ""]);
    expect(text.startsWith(`${seen[3]}\n`)).toBe(true);
  });

  it("says what fails on stderr, keeps no message that got no answer, and goes on", async () => {
    const lines = ["/set min_p 7", "lost", "/set min_p", "/set colour 1", "/what", "hi"];
    const { failures, wrong, text } = await piped(await remote(), lines);
    expect(failures).toBe(3);
    expect(wrong).toMatch(
      /TW4431.*status 400[\s\S]*min_p[\s\S]*no setting 'colour'[\s\S]*no command \/what/,
    );
    expect(seen).toEqual(["lost", "hi"]);
    expect(text).not.toBe("");
  });

  it("is the same with a model of this process", async () => {
    const lines = ["hi", "/retry", "and\\", "more"];
    const over = await piped(await remote(), lines, { system: "be" });
    const partner = await local(TEMPLATE);
    try {
      const here = await piped(partner, lines, { system: "be" });
      expect(here).toEqual(over);
      const [first, again] = here.text.split("\n");
      expect(again).toBe(first); // greedy
      const params = { min_p: 7 };
      expect((await piped(partner, ["hi"], { params })).wrong).toContain("min_p");
    } finally {
      await partner.close();
    }
  });

  it("goes on with the text where there is no chat template", async () => {
    const partner = await local();
    try {
      expect(partner.hasTemplate).toBe(false);
      const prompts: number[] = [];
      const turns = [
        { role: "user", content: "abc" },
        { role: "assistant", content: "de" },
        { role: "user", content: "f" },
      ] as const;
      for await (const { usage } of partner.answer(turns, greedy, new AbortController().signal))
        prompts.push(usage?.promptTokens ?? 0);
      expect(prompts.at(-1)).toBe(1 + "abcdef".length); // BOS, then a token a byte
    } finally {
      await partner.close();
    }
  });
});

describe("a server that is none", () => {
  /** Answers each path with a text; streams break off behind theirs. */
  async function serving(texts: Readonly<Record<string, string>>) {
    const server = createServer(({ url = "" }, response) => {
      response.writeHead(200);
      if (url === "/v1/models") response.end(texts[url]);
      else response.write(texts[url] ?? "", () => setTimeout(() => response.destroy(), 20));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
  }
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: "some" } }] })}\n\n`;
  const models = JSON.stringify({ data: [{ id: "gone\x1b[2J" }] });

  it.each([
    ["breaks off", event, "some\n"],
    ["is no JSON", `${event}data: {"cho\n\n`, "some\n"],
  ])("ends no conversation by an answer that %s", async (_what, stream, text) => {
    using server = await serving({ "/v1/models": models, "/v1/chat/completions": stream });
    const partner = await RemotePartner.connect({ url: server.url });
    const said = await piped(partner, ["hi", "/what"]);
    expect([said.failures, said.text]).toEqual([2, text]);
    expect(said.wrong).toMatch(/TW4431: the answer broke off[\s\S]*no command \/what/);
    const io = streams(true);
    io.input.end("hi\r");
    await runTerminal(partner, io);
    expect(io.text()).toContain("gone\ufffd[2J");
  });

  it("is told apart from one without models", async () => {
    using server = await serving({ "/v1/models": "<html>" });
    await expect(RemotePartner.connect({ url: server.url })).rejects.toThrow("TW4431");
  });
});

describe("a conversation in a terminal", () => {
  it("stops an answer at Ctrl-C, goes on, and ends at the second in a row", async () => {
    const io = streams(true);
    const params = { temperature: 1, seed: 1 };
    const ended = runTerminal(await remote(), io, { params });
    io.input.write("hi\r");
    await until(() => /hi\r?\n[\s\S]*\S/.test(io.text()) && served.engine.numRunning === 1);
    io.input.write("\x03");
    await until(() => /\d+ written, [\d.]+ a second, stopped|\nstopped|mstopped/.test(io.text()));
    await until(() => served.engine.numRunning === 0);
    io.input.write("/set max_tokens 3\r");
    await until(() => io.text().includes("max_tokens is 3"));
    io.input.write("more\r");
    await until(() => io.text().includes("3 written"));
    expect(seen.slice(0, 2)).toEqual(["hi", "hi"]);
    expect(seen.at(-1)).toBe("more");
    expect(seen.length).toBe(4); // what came of the stopped answer is part of the conversation
    io.input.write("half a line\x03");
    await until(() => io.text().includes("Ctrl-C again ends"));
    io.input.write("\x03");
    expect(await ended).toBe(0);
    expect(seen.length).toBe(4);
  });

  it("shows no control characters of a model", async () => {
    const partner: ChatPartner = {
      name: "steering",
      hasTemplate: true,
      async *answer() {
        yield { text: "a\x1b[2J\u009b1mb\tc" };
      },
      close: async () => {},
    };
    const io = streams(true);
    io.input.end("hi\r");
    await runTerminal(partner, io);
    expect(io.text()).toContain("a\ufffd[2J\ufffd1mb\tc");
  });
});

describe("the command", () => {
  const run = (args: readonly string[], input: string) =>
    spawnSync(process.execPath, ["--import", "tsx", "engine/cli/main.ts", "chat", ...args], {
      cwd: join(import.meta.dirname, "../.."),
      encoding: "utf8",
      input,
    });

  it("talks through pipes with a model folder", () => {
    const { status, stdout, stderr } = run(
      [folder, "--device", "interpreter", "--max-tokens", "6", "--temperature", "0"],
      "hi\n/quit\nnot read\n",
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.endsWith("\n")).toBe(true);
    expect(stdout.length).toBeGreaterThan(1);
  });

  it.each([
    ["no server", { url: "http://127.0.0.1:9001" }, /TW4430[\s\S]*ECONNREFUSED/],
    ["a wrong key", { apiKey: "wrong" }, /TW4431[\s\S]*status 401/],
    ["another model", { apiKey: "key", model: "big" }, /TW4431[\s\S]*big[\s\S]*tiny/],
  ])("says so when there is %s", async (_what, options, message) => {
    await expect(RemotePartner.connect({ url: served.server.url, ...options })).rejects.toThrow(
      message,
    );
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !condition(); await delay(5))
    if (performance.now() > end) throw new Error(`not ${condition}`);
}
