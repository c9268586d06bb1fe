/** [test/support] Debian's Chromium without a window, spoken to through its debugging pipe. Knows no page. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** WebGPU on the CPU: SwiftShader comes with the browser. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox", // the tests may run as root
  "--disable-dev-shm-usage",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--no-first-run",
  "--disable-extensions",
  "--disable-background-networking",
  "--disable-component-update",
  "--hide-scrollbars",
  "--window-size=1200,700",
  "--remote-debugging-pipe",
] as const;

/** What the browser may take to end by itself. */
const CLOSE_MS = 5_000;

/** Where the browser is, or undefined. */
export function findChromium(): string | undefined {
  return ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  );
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One page of one browser of its own; `close` ends the process and removes its profile. */
export class ChromiumPage {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #commands: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  /** What the page wrote to its console, and errors that it did not catch. */
  readonly log: string[] = [];
  #nextId = 1;
  #pending = "";
  #errors = "";
  #session: string | undefined;

  private constructor(path: string) {
    this.#profile = mkdtempSync(join(tmpdir(), "tilewright-chromium-"));
    this.#process = spawn(path, [...FLAGS, `--user-data-dir=${this.#profile}`, "about:blank"], {
      detached: true, // a group of its own
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    const [, , errors, commands, answers] = this.#process.stdio;
    this.#commands = commands as Writable;
    this.#commands.on("error", () => {}); // the end of the process says why
    (errors as Readable).on("data", (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString("utf8")).slice(-4000);
    });
    (answers as Readable).setEncoding("utf8").on("data", (chunk: string) => this.#receive(chunk));
    this.#exited = new Promise((resolve) => {
      this.#process.once("exit", () => {
        const ended = new Error(`the browser ended: ${this.#errors}`);
        for (const { reject } of this.#waiting.values()) reject(ended);
        this.#waiting.clear();
        resolve();
      });
    });
  }

  static async open(path: string, url: string): Promise<ChromiumPage> {
    const page = new ChromiumPage(path);
    try {
      const { targetId } = await page.#send<{ targetId: string }>("Target.createTarget", {
        url: "about:blank",
      });
      const attached = await page.#send<{ sessionId: string }>("Target.attachToTarget", {
        targetId,
        flatten: true,
      });
      page.#session = attached.sessionId;
      await page.#send("Runtime.enable", {});
      await page.#send("Page.enable", {});
      const loaded = await page.#send<{ errorText?: string }>("Page.navigate", { url });
      if (loaded.errorText !== undefined) throw new Error(`${url}: ${loaded.errorText}`);
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** Value of an expression in the page, its promise awaited; it must be JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<{
      readonly result: { readonly value: T };
      readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? `${expression} failed in the page`);
  }

  /** Writes into what has the focus. */
  async type(text: string): Promise<void> {
    await this.#send("Input.insertText", { text });
  }

  /** A key of this name and code, down and up; `text` is what it writes. */
  async press(key: string, windowsVirtualKeyCode: number, text?: string): Promise<void> {
    const event = {
      key,
      code: key,
      windowsVirtualKeyCode,
      ...(text === undefined ? {} : { text }),
    };
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** The colours that the system is said to prefer. */
  async prefer(value: "light" | "dark"): Promise<void> {
    const features = [{ name: "prefers-color-scheme", value }];
    await this.#send("Emulation.setEmulatedMedia", { features });
  }

  /** PNG of what the window shows. */
  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.#send<{ data: string }>("Page.captureScreenshot", {
      format: "png",
    });
    return Buffer.from(data, "base64");
  }

  async close(): Promise<void> {
    this.#session = undefined;
    this.#send("Browser.close", {}).catch(() => {}); // its own end may come before its answer
    const end = setTimeout(() => this.#killAll(), CLOSE_MS);
    await this.#exited;
    clearTimeout(end);
    this.#killAll();
    // What the browser started may write for a moment longer.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }

  /** The browser and all that it started: they are one group. */
  #killAll(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // none is left
    }
  }

  #send<T>(method: string, params: object): Promise<T> {
    const id = this.#nextId++;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    this.#commands.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject });
    });
  }

  #receive(chunk: string): void {
    const parts = (this.#pending + chunk).split("\0");
    this.#pending = parts.pop() ?? "";
    for (const part of parts) this.#handle(JSON.parse(part) as Answer);
  }

  #handle({ id, method, params, result, error }: Answer): void {
    if (method === "Runtime.exceptionThrown" || method === "Runtime.consoleAPICalled")
      this.log.push(`${method}: ${JSON.stringify(params).slice(0, 2000)}`);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined || id === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }
}
