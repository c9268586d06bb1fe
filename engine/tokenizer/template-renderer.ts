/**
 * [engine/tokenizer] Renders templates in a process of its own, each within a time and a memory: one that does not end costs others a pause, never the
 * server. A thread would not do: one allocation beyond its limit ends the process.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loaderFor, siblingEntry } from "../../runtime/index.ts";
import { type FromRenderer, READY, type ToRenderer } from "./template-messages.ts";

/** Memory of the process where nothing is said; a template that takes more ends it. */
const MOST_MIB = 256;
/** Time of one rendering where nothing is said. */
export const RENDER_SECONDS = 5;
/** What the process may take to start. */
const START_MS = 20_000;

/** A rendering that was not waited for, or whose process ended. */
export class RenderStopped extends Error {}

interface Job {
  readonly asked: ToRenderer;
  resolve(answer: FromRenderer): void;
  reject(error: Error): void;
}

export class TemplateRenderer {
  readonly #deadlineMs: number;
  readonly #mostMib: number;
  readonly #waiting: Job[] = [];
  #process: ChildProcess | undefined;
  #isReady = false;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * The process starts with the first rendering.
   * @param seconds that one may take
   * @param mostMib memory that the process may take
   */
  constructor(seconds = RENDER_SECONDS, mostMib = MOST_MIB) {
    this.#deadlineMs = seconds * 1000;
    this.#mostMib = mostMib;
  }

  /**
   * The text, or what the template says is wrong. One after another.
   * @throws RenderStopped where it takes too long or too much memory; what serialization throws for values that are no data
   */
  render(asked: ToRenderer): Promise<FromRenderer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      this.#next();
    });
  }

  /** Ends the process. What it renders fails, and what waits for it; a later rendering starts another. */
  close(): void {
    const waiting = this.#waiting.splice(0);
    this.#stop("the server ends");
    for (const job of waiting) job.reject(new RenderStopped("the server ends"));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    const child = this.#process ?? this.#start();
    holdOpen(child, true);
    if (this.#isReady) this.#send(child, job);
    else this.#timer = setTimeout(() => this.#stop("its process did not start"), START_MS);
  }

  #send(child: ChildProcess, { asked, reject }: Job): void {
    clearTimeout(this.#timer);
    try {
      child.send(asked);
    } catch (error) {
      this.#settle(() => reject(error instanceof Error ? error : new Error(String(error))));
      return;
    }
    const why = `it did not end within ${this.#deadlineMs / 1000} s`;
    this.#timer = setTimeout(() => this.#stop(why), this.#deadlineMs);
  }

  #start(): ChildProcess {
    const entry = siblingEntry(import.meta.url, "./template-process");
    const child = fork(fileURLToPath(entry), {
      execArgv: [...loaderFor(entry), `--max-old-space-size=${this.#mostMib}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"], // its last words are of V8's insides
    });
    this.#process = child;
    this.#isReady = false;
    const ended = (why: string) => {
      if (this.#process === child) this.#stop(why);
    };
    child.on("message", (message: FromRenderer | typeof READY) => {
      if (this.#process === child) this.#hear(child, message);
    });
    child.on("error", (error) => ended(error.message));
    child.on("exit", (code, signal) =>
      ended(
        signal === "SIGABRT" // what V8 does where there is no room
          ? `it took more than ${this.#mostMib} MiB of memory`
          : `its process ended with ${signal ?? `code ${code}`}`,
      ),
    );
    return child;
  }

  #hear(child: ChildProcess, message: FromRenderer | typeof READY): void {
    if (message !== READY) {
      this.#settle((job) => job.resolve(message));
      return;
    }
    this.#isReady = true;
    if (this.#running !== undefined) this.#send(child, this.#running);
  }

  /** What is rendered fails; those that wait get another process. */
  #stop(why: string): void {
    const child = this.#process;
    this.#process = undefined;
    child?.kill("SIGKILL");
    this.#settle((job) => job.reject(new RenderStopped(why)));
  }

  #settle(tell: (job: Job) => void): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    if (this.#process !== undefined) holdOpen(this.#process, false);
    if (job !== undefined) tell(job);
    this.#next();
  }
}

/** Whether this process waits for the other: only while it renders. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
