/** [test/engine] The command line: output shapes, flags, exit codes and their messages; `serve` as a process that ends on SIGTERM. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  addModelFlags,
  bytes,
  engineOptions,
  type ModelFlags,
} from "../../engine/cli/model-flags.ts";
import { ENGINE_OPTIONS } from "../../engine/option-names.ts";
import { tilewright } from "../support/run-command.ts";
import { eventsOf } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const root = join(import.meta.dirname, "../..");
const model = writeTinyModel();
const device = ["--device", "interpreter"] as const;

/** The command as a process of its own, from the sources. */
function start(...args: readonly string[]): ChildProcess & { readonly text: () => string } {
  const main = join(root, "engine/cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], { cwd: root });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  return Object.assign(child, { text: () => text });
}

const exitOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.once("exit", (code) => resolve(code));
  });

describe("generate", () => {
  const base = ["generate", "--model", model, ...device, "--max-tokens", "6"];

  it("prints one line of JSON whose text is the continuation alone", async () => {
    const { code, stdout } = await tilewright(...base, "--prompt", "abc", "--json");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const line = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(Object.keys(line)).toEqual([
      "prompt_token_ids",
      "token_ids",
      "text",
      "finish_reason",
      "device",
    ]);
    expect(line).toMatchObject({
      prompt_token_ids: [0, 99, 100, 101],
      finish_reason: "length",
      device: "interpreter",
    });
    expect(line["token_ids"]).toHaveLength(6);
    expect(line["text"]).toHaveLength(6);
    const byIds = await tilewright(...base, "--prompt-token-ids", "0,99, 100,101", "--json");
    expect(byIds.stdout).toBe(stdout);
    const plain = await tilewright(...base, "--prompt", "abc");
    expect(plain.stdout).toBe(`${line["text"]}\n`);
  });

  it("takes the sampling flags", async () => {
    const flags = ["--prompt", "abc", "--temperature", "1", "--json"];
    const run = async (...more: readonly string[]) =>
      (await tilewright(...base, ...flags, ...more)).stdout;
    const first = await run("--seed", "3");
    expect(await run("--seed", "3", "--ignore-eos", "--dtype", "float32")).toBe(first);
    expect(await run("--seed", "4")).not.toBe(first);
    expect(await run("--seed", "4", "--top-k", "1")).toBe(
      await run("--seed", "5", "--top-p", "1e-6"),
    );
  });

  it("shortens its default to the context, and not what was asked for", async () => {
    const short = ["generate", "--model", model, ...device, "--prompt", "x".repeat(124), "--json"];
    const { code, stdout } = await tilewright(...short, "--ignore-eos");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ finish_reason: "length", token_ids: { length: 3 } });
    expect((await tilewright(...short, "--max-tokens", "4")).stderr).toMatch(/TW4305/);
  });

  it("prints token ids where the model has no tokenizer", async () => {
    const bare = ["generate", "--model", writeTinyModel({ tokenizer: false }), ...device];
    const flags = ["--max-tokens", "3", "--prompt-token-ids", "5,6"];
    const json = await tilewright(...bare, ...flags, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ prompt_token_ids: [5, 6], text: "" });
    const { token_ids: ids } = JSON.parse(json.stdout) as { readonly token_ids: number[] };
    expect((await tilewright(...bare, ...flags)).stdout).toBe(`${ids.join(" ")} \n`);
    const text = await tilewright(...bare, "--prompt", "abc");
    expect([text.code, text.stdout]).toEqual([1, ""]);
    expect(text.stderr).toMatch(/TW4222[\s\S]*add tokenizer.json/);
  });

  it.each([
    ["no model", ["--prompt", "x"], /required option '--model/],
    ["no prompt", ["--model", model], /one of --prompt and --prompt-token-ids/],
    [
      "both prompts",
      ["--model", model, "--prompt", "x", "--prompt-token-ids", "1"],
      /one of --prompt and --prompt-token-ids/,
    ],
    ["ids that are none", ["--model", model, "--prompt-token-ids", "1,x"], /separated by commas/],
    ["a count that is none", ["--model", model, "--max-tokens", "0"], /at least 1/],
    ["a temperature that is none", ["--model", model, "--temperature", "hot"], /a number/],
    [
      "an unknown dtype",
      ["--model", model, "--dtype", "int3"],
      /auto, float32, float, bfloat16, float16, half/,
    ],
    ["an unknown flag", ["--model", model, "--prompt", "x", "--nope"], /unknown option '--nope'/],
  ])("exits with 2 on %s, and helps", async (_name, args, message) => {
    const { code, stdout, stderr } = await tilewright("generate", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain("--help");
  });

  it.each([
    ["a model that is not there", ["--model", "/no/such folder"], /TW4230[\s\S]*hub id/],
    ["a path that only looks like a hub id", ["--model", "./none"], /TW4230[\s\S]*\.\/none/],
    ["a folder without config.json", ["--model", "/"], /TW4210[\s\S]*config\.json/],
    ["an unknown device", ["--model", model, "--device", "abacus"], /TW3200[\s\S]*interpreter/],
    [
      "a context past the model's",
      ["--model", model, ...device, "--max-model-len", "129"],
      /TW4104[\s\S]*at most 128/,
    ],
    [
      "parameters out of range",
      ["--model", model, ...device, "--top-p", "2"],
      /TW4110[\s\S]*\(0, 1\]/,
    ],
    [
      "more tokens than the context holds",
      ["--model", model, ...device, "--max-tokens", "127"],
      /TW4305[\s\S]*lower 'max_tokens' to 126/,
    ],
    ["a model that is a file", ["--model", "package.json"], /TW4230[\s\S]*a file/],
    [
      "a token id that is not in the vocabulary",
      ["--model", model, ...device, "--prompt-token-ids", "999"],
      /TW4112/,
    ],
  ])("exits with 1 on %s, and says what to do", async (_name, args, message) => {
    const prompt = args.includes("--prompt-token-ids") ? [] : ["--prompt", "x"];
    const { code, stdout, stderr } = await tilewright("generate", ...args, ...prompt);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/remedy:/);
    expect(stderr).not.toMatch(/^ {4}at /m); // a message, not a stack
  });
});

describe("the command", () => {
  it.each([
    ["nothing", []],
    ["an unknown command", ["fly"]],
  ] as const)("exits with 2 on %s", async (_name, args) => {
    const { code, stderr } = await tilewright(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown command|Usage: tilewright/);
  });

  it("prints help and version", async () => {
    const help = await tilewright("--help");
    expect([help.code, help.stderr]).toEqual([0, ""]);
    for (const name of ["generate", "serve", "compile", "doctor"])
      expect(help.stdout).toContain(name);
    expect((await tilewright("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const serve = await tilewright("serve", "--help");
    for (const flag of ["--port", "--host", "--max-model-len", "--served-model-name"])
      expect(serve.stdout).toContain(flag);
    for (const [flag, value] of [
      ["--log-level", "none are written"],
      ["--max-body-bytes", 16 * 2 ** 20],
      ["--max-concurrent-requests", "no bound"],
      ["--max-queued-requests", "no bound"],
      ["--keep-alive-seconds", 15],
      ["--max-num-seqs", 256],
      ["--shutdown-timeout", 30],
    ]) {
      const after = serve.stdout.slice(serve.stdout.indexOf(`  ${flag} `));
      const said = after.slice(0, after.indexOf("\n  -")).replaceAll(/\s+/g, " ");
      expect(said).toContain(`(default: ${value})`);
    }
  });
});

describe("doctor", () => {
  it("says of each driver what it found, or why it is absent and what to do", async () => {
    const { code, stdout } = await tilewright("doctor", "--json");
    expect(code).toBe(0);
    const { drivers, ...machine } = JSON.parse(stdout) as {
      readonly drivers: readonly {
        readonly name: string;
        readonly info?: object;
        readonly why?: string;
      }[];
    };
    expect(machine).toMatchObject({ node: process.version });
    expect(drivers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["cuda", "webgpu", "interpreter", "null"]),
    );
    for (const { info, why } of drivers)
      expect((info === undefined) !== (why === undefined)).toBe(true);
    expect(drivers.find(({ name }) => name === "interpreter")?.info).toBeDefined();
    const text = (await tilewright("doctor")).stdout;
    for (const { name, why } of drivers)
      expect(text).toMatch(new RegExp(`^${why === undefined ? "yes" : "no "} ${name}`, "m"));
  });
});

describe("a process that looks for drivers", () => {
  it("keeps the complaints of native libraries to itself, unless DEBUG asks", () => {
    const main = join(root, "engine/cli/main.ts");
    // Without a driver to be found and without a runtime folder Dawn and the Vulkan loader have much to say.
    const { VK_DRIVER_FILES: _a, VK_ICD_FILENAMES: _b, XDG_RUNTIME_DIR: _c, ...env } = process.env;
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--import", "tsx", main, "doctor"],
      { cwd: root, env: { ...env, DEBUG: "0" }, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("webgpu");
  });
});

describe("a process whose command comes to its end", () => {
  it("exits with 1 where bench-serve measured nothing", () => {
    const main = join(root, "engine/cli/main.ts");
    const load = ["--base-url", "http://127.0.0.1:1", "--num-prompts", "2", "--input-len", "4"];
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--import", "tsx", main, "bench-serve", ...load],
      { cwd: root, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^0 requests in .* 2 failed\n.*ECONNREFUSED/);
  });
});

describe("serve", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  it("exits with 1 when the port is taken, and with 2 for what is no port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { readonly port: number };
    const flags = ["serve", "--model", model, ...device, "--port"];
    try {
      const { code, stderr } = await tilewright(...flags, String(port));
      expect(code).toBe(1);
      expect(stderr).toMatch(/TW4310[\s\S]*choose another port \(--port/);
    } finally {
      other.close();
    }
    expect((await tilewright(...flags, "65536")).code).toBe(2);
  });

  it("takes its model without a flag, as vLLM's, but not twice and not none", async () => {
    const { code, stderr } = await tilewright("serve", "/nowhere", "--port", "0");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/TW4230[\s\S]*\/nowhere/)]);
    expect((await tilewright("serve", "a/b", "--model", "a/b")).code).toBe(2);
    expect((await tilewright("serve", "--port", "0")).code).toBe(2);
  });

  it.each([
    ["4G", 2 ** 32],
    ["1.5K", 1536],
    ["512m", 512e6],
    ["1000000", 1e6],
  ])("reads %s as bytes", (text, value) => {
    expect(bytes(text)).toBe(value);
  });

  it("names options as the engine does", () => {
    const flags = addModelFlags(new Command()).options.map((flag) => flag.attributeName());
    expect(flags.filter((flag) => !Object.hasOwn(ENGINE_OPTIONS, flag))).toEqual([]);
    const given = Object.fromEntries(flags.map((flag) => [flag, 1])) as unknown as ModelFlags;
    const { onProgress: _bar, warmUp: _also, ...options } = engineOptions(given);
    expect(options).toEqual(given);
  });

  it.each(["", "G", "-1", "0", "4T", "1e9", "0.1"])("reads no bytes in '%s'", (text) => {
    expect(() => bytes(text)).toThrow(/number of bytes/);
  });

  it("opens no port for what cannot be loaded: folder, config, tokenizer, driver", async () => {
    const wrong = [
      [["--model", "/nowhere"], "TW4230"],
      [["--model", import.meta.dirname], "TW4210"],
      [["--model", model, "--tokenizer", "/nowhere"], "TW4230"],
      [["--model", model, "--device", "tpu"], "TW3200"],
      [["--model", model, "--max-model-len", "4096"], "TW4104"],
    ] as const;
    for (const [flags, expected] of wrong) {
      const { code, stdout, stderr } = await tilewright("serve", ...flags, "--port", "0");
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(expected);
    }
  });

  it("exits with 1 when the model cannot be loaded, after the port was open", async () => {
    const bare = writeTinyModel();
    rmSync(join(bare, "model.safetensors"));
    const flags = ["--disable-frontend-multiprocessing", "--port", "0", ...device];
    const { code, stdout, stderr } = await tilewright("serve", "--model", bare, ...flags);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^loading \S+; until it is there http:\S+ answers 503\n$/);
    expect(stderr).toMatch(/TW42\d\d/);
  });

  it("serves as a process, and ends with 0 on SIGTERM while a stream runs", async () => {
    const endless = writeTinyModel({ config: { max_position_embeddings: 8192 } });
    const flags = ["--num-gpu-blocks-override", "600", "--shutdown-timeout", "2"];
    const child = start("serve", "--model", endless, ...device, "--port", "0", ...flags);
    children.push(child);
    const exited = exitOf(child);
    await vi.waitFor(() => expect(child.text()).toMatch(/listening on http/), { timeout: 60_000 });
    const [, url] = /listening on (\S+)/.exec(child.text()) ?? [];
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const request = { prompt: "abc", max_tokens: 8000, ignore_eos: true, stream: true };
    const response = await fetch(`${url}/v1/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    const text = response.text();
    child.kill("SIGTERM");
    const events = eventsOf(await text);
    expect(events.at(-1)).toMatchObject({ choices: [{ finish_reason: "abort" }] });
    expect(await exited).toBe(0);
    expect(child.text()).toContain("SIGTERM: finishing");
  });
});
