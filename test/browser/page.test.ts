/** [test/browser] The page is green in headless Chromium: six kernels and one of the page's own agree with the interpreter. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFlag } from "../../dsl/index.ts";
import { ChromiumPage, findChromium } from "../support/chromium.ts";
import { bundlePage, type PageBundle } from "./bundle.ts";
import type { BrowserReport } from "./report.ts";

const LIMIT_MS = 60_000;
const KERNELS = [
  "linear",
  "prefill_attention",
  "paged_decode",
  "linear_w4",
  "moe_gemm",
  "rms_norm",
  "map_rows",
];
const HTML = readFileSync(new URL("./index.html", import.meta.url));
/** Ignored by git; kept for people to look at. */
const SCREENSHOTS = fileURLToPath(new URL("../../.cache/screenshots/", import.meta.url));

const chromium = findChromium();
if (chromium === undefined && readFlag("requireDrivers") === "1")
  throw new Error("TILEWRIGHT_REQUIRE_DRIVERS=1 and no Chromium: install Debian's `chromium`");
if (chromium === undefined) console.warn("skipped: the page in a browser: no Chromium here");

let bundle: PageBundle;
beforeAll(async () => {
  bundle = await bundlePage(fileURLToPath(new URL("./page.ts", import.meta.url)));
});

describe("the bundle for browsers", () => {
  it("imports nothing from outside, so nothing of Node", () => {
    expect(bundle.imports).toEqual([]);
    const text = String(bundle.files.get("page.js"));
    expect(text).not.toMatch(/\bfrom\s*["']node:|\bimport\(["']node:|__vite-browser-external/);
  });

  it("is code alone: no template or source file beside it, none inlined as a data URL", () => {
    expect([...bundle.files.keys()].filter((name) => !name.endsWith(".js"))).toEqual([]);
    const inlined = [...bundle.files].filter(([, text]) =>
      /"data:[\w/.-]+;base64,/.test(String(text)),
    );
    expect(inlined.map(([name]) => name)).toEqual([]);
  });

  it("holds neither the TypeScript parser nor native drivers", () => {
    const parts = /node_modules\/(ts-morph|@ts-morph|typescript|koffi|webgpu|unplugin)\//;
    expect(bundle.modules.filter((module) => parts.test(module))).toEqual([]);
    expect(bundle.modules.some((module) => module.endsWith("dsl/kernels/linear.ts"))).toBe(true);
  });
});

describe.skipIf(chromium === undefined)("the page in headless Chromium", () => {
  let server: Server;
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("runs every kernel by WebGPU as the interpreter does", { timeout: LIMIT_MS }, async () => {
    server = await serve(bundle);
    const { port } = server.address() as AddressInfo;
    const page = await ChromiumPage.open(chromium ?? "", `http://127.0.0.1:${port}/`);
    try {
      const loaded = `new Promise((resolve) => document.readyState === "complete" ? resolve() : addEventListener("load", resolve))`;
      await page.evaluate<void>(loaded);
      const report = await page
        .evaluate<BrowserReport | null>("globalThis.tilewrightReport ?? null")
        .catch((error: unknown) => {
          throw new Error(`${String(error)}\n${page.log.join("\n")}`);
        });
      if (report === null) throw new Error(`the page made no report\n${page.log.join("\n")}`);
      keepScreenshot(await page.screenshot());
      expect(report.results.map(({ kernel }) => kernel)).toEqual(KERNELS);
      expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
    } finally {
      await page.close();
    }
  });
});

function keepScreenshot(png: Uint8Array): void {
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(`${SCREENSHOTS}browser-page.png`, png);
}

async function serve({ files }: PageBundle): Promise<Server> {
  const server = createServer(({ url = "/" }, response) => {
    const file = files.get(url.slice(1));
    const isHtml = url === "/";
    if (!isHtml && file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const type = isHtml ? "text/html" : url.endsWith(".js") ? "text/javascript" : "text/plain";
    response.writeHead(200, { "content-type": type }).end(isHtml ? HTML : file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
