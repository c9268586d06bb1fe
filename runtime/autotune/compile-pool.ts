/** [runtime/autotune] Compiles candidates in processes of their own, with a deadline each: one that hangs is killed and costs nothing but its time. */
import type { ChildProcess } from "node:child_process";
import { DeviceError, nodeModule } from "../../dsl/index.ts";
import { loaderFor, siblingEntry } from "../script-loader.ts";
import type { CompileJob, CompileOutcome, FromCompiler, ToCompiler } from "./compile-messages.ts";

const { fork } = nodeModule("node:child_process");
const { fileURLToPath } = nodeModule("node:url");

export interface PoolOptions {
  readonly processes: number;
  /** Milliseconds that a job may take. */
  readonly deadlineMs: number;
  /** What the processes run; another one in tests. */
  readonly entry?: URL;
}

interface Waiting {
  readonly job: CompileJob;
  readonly resolve: (outcome: CompileOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** Timers of Node that are longer fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Milliseconds that a process may take to load the compiler. */
const START_MS = 60_000;
const MOST_STARTS_FAILED = 2;

export class CompilePool {
  readonly #options: PoolOptions;
  readonly #entry: URL;
  readonly #queue: Waiting[] = [];
  readonly #workers = new Set<Worker>();
  #failedStarts = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#entry = options.entry ?? siblingEntry(import.meta.url, "./compile-process");
  }

  /** Jobs that run at once. */
  get size(): number {
    return this.#options.processes;
  }

  /**
   * Queues a job. Whatever it does to its process, the outcome says so.
   * @throws DeviceError TW3342 where processes cannot be started at all
   */
  compile(job: CompileJob): Promise<CompileOutcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject });
      this.#pump();
    });
  }

  /** Gives up every job that is not done; processes that wait for one stay. */
  cut(): void {
    for (const worker of this.#workers) {
      if (worker.isIdle) continue;
      worker.stop();
      this.#workers.delete(worker);
    }
    for (const { resolve } of this.#queue.splice(0))
      resolve({ ok: false, reason: "the time was over before it was compiled", ms: 0, cut: true });
  }

  /** Ends all processes. */
  close(): void {
    this.#isClosed = true;
    this.cut();
    for (const worker of this.#workers) worker.stop();
    this.#workers.clear();
  }

  #pump(): void {
    if (this.#isClosed) return;
    const idle = [...this.#workers].filter(({ isIdle }) => isIdle);
    for (const worker of idle) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      worker.take(next);
    }
    const starting = [...this.#workers].filter(({ isReady }) => !isReady).length;
    const wanted = Math.min(
      this.#options.processes - this.#workers.size,
      this.#queue.length - starting,
    );
    for (let i = 0; i < wanted; i++) this.#start();
  }

  #start(): void {
    const worker = new Worker(this.#entry, this.#options.deadlineMs, {
      free: () => this.#pump(),
      ended: (why) => {
        this.#workers.delete(worker);
        if (why !== undefined && !worker.isReady) this.#startFailed(why);
        this.#pump();
      },
    });
    this.#workers.add(worker);
  }

  #startFailed(why: string): void {
    if (++this.#failedStarts < MOST_STARTS_FAILED) return;
    const error = new DeviceError({
      code: "TW3342",
      message: "a process that compiles for the tuner does not start",
      seen: why,
      expected: `${fileURLToPath(this.#entry)} to run under ${process.execPath}`,
      remedy:
        "see the message of the process; where programs may start no others, tuning is not possible",
    });
    for (const { reject } of this.#queue.splice(0)) reject(error);
  }
}

interface WorkerEvents {
  readonly free: () => void;
  /** @param why the process ended by itself; undefined where it was stopped */
  readonly ended: (why: string | undefined) => void;
}

class Worker {
  readonly #process: ChildProcess;
  readonly #deadlineMs: number;
  readonly #events: WorkerEvents;
  #errors = "";
  #ready = false;
  #current: Waiting | undefined;
  #began = 0;
  #timer: NodeJS.Timeout;
  #hasEnded = false;

  constructor(entry: URL, deadlineMs: number, events: WorkerEvents) {
    this.#deadlineMs = deadlineMs;
    this.#events = events;
    this.#process = fork(fileURLToPath(entry), {
      execArgv: [...loaderFor(entry)],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk.toString("utf8")}`.slice(-2000);
    });
    this.#process.on("message", (message: FromCompiler) => this.#hear(message));
    this.#process.on("error", (error) => this.#end(error.message));
    this.#process.on("exit", (code, signal) =>
      this.#end(
        `it ended with ${signal ?? `code ${code}`}${this.#errors === "" ? "" : `: ${this.#errors.trim()}`}`,
      ),
    );
    this.#timer = setTimeout(() => this.#kill("it did not begin in time"), START_MS);
  }

  get isReady(): boolean {
    return this.#ready;
  }

  get isIdle(): boolean {
    return this.#ready && this.#current === undefined && !this.#hasEnded;
  }

  take(waiting: Waiting): void {
    this.#current = waiting;
    this.#began = performance.now();
    this.#timer = setTimeout(
      () => this.#kill(`it took longer than ${this.#deadlineMs} ms to compile`),
      Math.min(LONGEST_TIMER_MS, this.#deadlineMs),
    );
    const message: ToCompiler = { job: waiting.job };
    try {
      this.#process.send(message, (error) => {
        if (error !== null) this.#kill(`it could not be sent to a process: ${error.message}`);
      });
    } catch (error) {
      this.#kill(`it could not be sent to a process: ${String(error)}`);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#hasEnded = true;
    const reason = "the time was over while it was compiled";
    this.#finish({ ok: false, reason, ms: performance.now() - this.#began, cut: true });
    this.#process.kill("SIGKILL");
  }

  #hear(message: FromCompiler): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    if (message.kind === "ready") this.#ready = true;
    else this.#finish(message.outcome);
    this.#events.free();
  }

  #kill(reason: string): void {
    this.#end(reason);
    this.#process.kill("SIGKILL");
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#finish({ ok: false, reason, ms: performance.now() - this.#began });
    this.#events.ended(reason);
  }

  #finish(outcome: CompileOutcome): void {
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(outcome);
  }
}
