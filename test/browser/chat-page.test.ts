/** [test/browser] The chat page in headless Chromium on the quick-start model: key, stream, stop, probabilities, counts, keyboard, policy. */
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFlag } from "../../dsl/index.ts";
import { Engine } from "../../engine/engine.ts";
import { Front } from "../../engine/server/front.ts";
import { createApp } from "../../engine/server/http.ts";
import type { ServeOptions } from "../../engine/server/options.ts";
import { chatPage } from "../../engine/server/page.ts";
import { ChromiumPage, findChromium } from "../support/chromium.ts";

const MODEL = fileURLToPath(new URL("../../examples/models/story-1m", import.meta.url));
const SCREENSHOTS = fileURLToPath(new URL("../../.cache/screenshots/", import.meta.url));
const KEY = "a-key-of-the-test";
const PROMPT = "Once upon a time";
const COUNT = 60;
const WAIT_MS = 30_000;
const [ENTER, ESCAPE, ARROW_RIGHT] = [13, 27, 39] as const;

const chromium = findChromium();
if (chromium === undefined && readFlag("requireDrivers") === "1")
  throw new Error("TILEWRIGHT_REQUIRE_DRIVERS=1 and no Chromium: install Debian's `chromium`");
if (chromium === undefined) console.warn("skipped: the chat page in a browser: no Chromium here");

describe("the document of the chat page", () => {
  it("names nothing outside itself, and its policy forbids it", () => {
    const { html, policy } = chatPage();
    expect(html).not.toMatch(
      /https?:|@import|url\(|<link(?![^>]*href="data:,")|\ssrc=|\son\w+=|\sstyle=/,
    );
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
    expect(policy).not.toMatch(/unsafe|\*/);
  });
});

describe.skipIf(chromium === undefined)("the chat page in headless Chromium", () => {
  let engine: Engine;
  const apps: FastifyInstance[] = [];
  beforeAll(async () => {
    engine = await Engine.load({
      model: MODEL,
      device: "interpreter",
      servedModelName: "story-1m",
    });
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await engine.close();
  });

  async function open(options: ServeOptions): Promise<ChromiumPage> {
    const app = createApp(engine, options);
    apps.push(app);
    return ChromiumPage.open(chromium ?? "", `${await app.listen({ port: 0 })}/`);
  }

  it("asks for the key, streams, tells probabilities and counts, and stops", async () => {
    const page = await open({ apiKeys: [KEY] });
    try {
      await until(page, `status() === "waiting for a key"`);
      await enter(page, "a wrong key");
      await until(page, `at("key-error").textContent.startsWith("This key is not")`);
      await page.evaluate(`document.getElementById("key").value = ""`);
      await enter(page, KEY);
      await until(page, `status() === "ready"`);
      expect(await page.evaluate("document.title")).toBe("story-1m");
      const seen = `["key-form", "log", "send", "stop", "popover"].filter((id) => at(id).checkVisibility())`;
      expect(await read(page, seen)).toEqual(["log", "send"]);
      expect(await read(page, `set("mode").value`)).toBe("completion"); // it has no chat template

      await read(page, `[set("temperature").value, set("max_tokens").value] = [0, ${COUNT}]`);
      await enter(page, PROMPT);
      // In the midst of the answer: some of it is there, and the rest is not.
      await until(
        page,
        `at("log").ariaBusy === "true" && tokens().length > 2 && tokens().length < ${COUNT}`,
      );
      await until(page, `status() === "ready"`);
      await expectProbabilities(page);
      expect(await read(page, `at("log").querySelector(".note").textContent`)).toMatch(
        /^5 prompt tokens, 60 written, the first after \d+ ms, \d+\.\d a second; length$/,
      );
      expect(await read(page, `at("context").textContent`)).toBe("65 of 512 tokens");
      await keepScreenshots(page);
      await expectStop(page);
      expect(page.log).toEqual([]);
    } finally {
      await page.close();
    }
  });

  it("waits for a model that loads, then chats by its template, with the system prompt, and shows refusals", async () => {
    const seen: string[] = [];
    const inputFilter = (text: string) => {
      seen.push(text);
      return text;
    };
    const chatTemplate = "{{ bos_token }}{% for m in messages %}{{ m.content }} {% endfor %}";
    const front = await Front.open({ port: 0 });
    const page = await ChromiumPage.open(chromium ?? "", `${front.url}/`);
    try {
      await until(page, `status().includes("the model is loading") && at("send").disabled`);
      await front.attach(createApp(engine, { chatTemplate, inputFilter }));
      await until(page, `status() === "ready"`);
      expect(await read(page, `set("mode").value`)).toBe("chat");
      await read(page, `[set("system").value, set("max_tokens").value] = ["A story.", 5]`);
      await enter(page, PROMPT);
      await until(page, `status() === "ready" && tokens().length > 2`);
      expect(seen.slice(-2)).toEqual(["A story.", PROMPT]);
      const shown = await read<string>(page, `tokens()[0].dataset.tokens`);
      expect(JSON.parse(shown)[0].top).toHaveLength(5);

      // Past what the page allows, so that the server refuses it.
      await read(page, `[set("min_p").max, set("min_p").value] = [9, 7]`);
      await enter(page, "And then");
      await until(page, `status() === "the request failed"`);
      expect(await read(page, `at("log").querySelector(".error").textContent`)).toContain("min_p");
      await read(page, `[(set("min_p").value = ""), at("retry").click()]`);
      await until(
        page,
        `status() === "ready" && turns().join() === "user,assistant,user,assistant"`,
      );
      expect(seen.at(-1)).toBe("And then");
    } finally {
      await page.close();
      await front.close();
    }
  });

  async function expectProbabilities(page: ChromiumPage): Promise<void> {
    const request = { prompt: PROMPT, max_tokens: COUNT, temperature: 0, logprobs: 5 };
    const app = createApp(engine);
    const answer = await app.inject({ method: "POST", url: "/v1/completions", payload: request });
    const { text, logprobs } = answer.json<Completion>().choices[0];
    expect(await read(page, `at("log").querySelector(".assistant .body").textContent`)).toBe(text);
    const third = Object.entries(logprobs.top_logprobs[2] ?? {}).sort(([, a], [, b]) => b - a);
    const rows = third.map(([token, logprob]) => [
      JSON.stringify(token).slice(1, -1).replaceAll(" ", "␣"),
      `${(100 * Math.exp(logprob)).toFixed(2)} %`,
    ]);
    const shown = `[...at("popover").querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`;
    await read(page, `tokens()[2].dispatchEvent(new MouseEvent("mouseover", { bubbles: true }))`);
    expect(await read(page, shown)).toEqual(rows);
    expect(await read(page, `at("popover").querySelector(".taken").cells[0].textContent`)).toBe(
      rows[0]?.[0], // greedy
    );
    // The same by keys: the answer takes the focus, arrows walk over its tokens.
    await read(page, `at("log").querySelector(".assistant .body").focus()`);
    await page.press("ArrowRight", ARROW_RIGHT);
    expect(
      await read(page, `tokens()[3].classList.contains("chosen") && !at("popover").hidden`),
    ).toBe(true);
    // And where an arrow scrolls.
    await read(page, `(at("log").style.maxHeight = "3em")`);
    for (let i = 4; i < COUNT; i++) await page.press("ArrowRight", ARROW_RIGHT);
    await delay(200);
    expect(
      await read(
        page,
        `tokens()[${COUNT - 1}].classList.contains("chosen") && !at("popover").hidden`,
      ),
    ).toBe(true);
    await read(page, `(at("log").style.maxHeight = "")`);
  }

  async function expectStop(page: ChromiumPage): Promise<void> {
    await read(page, `[(set("max_tokens").value = ""), at("clear").click()]`);
    await enter(page, PROMPT);
    await until(page, `tokens().length > 3`);
    expect(engine.numRunning).toBe(1);
    await page.press("Escape", ESCAPE);
    await until(page, `status() === "stopped"`);
    for (let i = 0; i < 100 && engine.numRunning > 0; i++) await delay(20);
    expect(engine.numRunning).toBe(0);
    const shown = await read<number>(page, `tokens().length`);
    expect(shown).toBeLessThan(200);
    expect(await read(page, `at("retry").disabled || at("send").hidden`)).toBe(false);
  }
});

interface Completion {
  readonly choices: readonly [
    {
      readonly text: string;
      readonly logprobs: { readonly top_logprobs: readonly Readonly<Record<string, number>>[] };
    },
  ];
}

/** An expression in the page that may use short names for what is looked at. */
function read<T>(page: ChromiumPage, expression: string): Promise<T> {
  return page.evaluate<T>(`(() => {
    const at = (id) => document.getElementById(id);
    const status = () => at("status").textContent;
    const set = (name) => at("settings-form").elements.namedItem(name);
    const turns = () => [...document.querySelectorAll(".turn")].map((turn) => turn.classList[1]);
    const tokens = () => [...document.querySelectorAll(".token")];
    return ${expression};
  })()`);
}

async function until(page: ChromiumPage, condition: string): Promise<void> {
  for (const end = performance.now() + WAIT_MS; ; ) {
    if (await read<boolean>(page, condition).catch(() => false)) return;
    if (performance.now() > end)
      throw new Error(
        `not ${condition}: ${await read(page, "document.body.innerText")}\n${page.log.join("\n")}`,
      );
    await delay(5);
  }
}

/** Writes into what has the focus, and Enter. */
async function enter(page: ChromiumPage, text: string): Promise<void> {
  await page.type(text);
  await page.press("Enter", ENTER, "\r");
}

/** For people to look at. */
async function keepScreenshots(page: ChromiumPage): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    await page.prefer(scheme);
    writeFileSync(`${SCREENSHOTS}chat-page-${scheme}.png`, await page.screenshot());
  }
}
