/** [engine/core-process] A core in a process of its own, seen from the process that serves: started, asked in batches, ended. No restart; no HTTP. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DeviceError, RequestError } from "../../dsl/index.ts";
import { loaderFor, siblingEntry } from "../../runtime/index.ts";
import type { EngineOptions, LoadProgress } from "../config.ts";
import type { CoreLink, CoreListener, CoreStats, NewRequest } from "../core-link.ts";
import type { ModelInfo } from "../load.ts";
import type { SleepLevel, SleepReport } from "../sleeping-model.ts";
import {
  type Ask,
  type FromCore,
  type SentOptions,
  type ToCore,
  unpackError,
  unpackReport,
} from "./messages.ts";

/** Time that a core gets to free its device before it is killed. */
const CLOSE_MS = 10_000;

const NOTHING: CoreStats = {
  numRunning: 0,
  numWaiting: 0,
  numPreemptions: 0,
  numSteps: 0,
  prefixQueried: 0,
  prefixHits: 0,
  sharedPositions: 0,
  numFreePages: 0,
};

type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined };

export class CoreProcess implements CoreLink {
  readonly #process: ChildProcess;
  readonly #listener: CoreListener;
  readonly #onProgress: (progress: LoadProgress) => void;
  readonly #ready: Promise<ModelInfo>;
  readonly #exited: Promise<void>;
  #settle: { resolve(info: ModelInfo): void; reject(error: unknown): void } | undefined;
  #stats = NOTHING;
  #answer:
    | { resolve(report: SleepReport | undefined): void; reject(error: Error): void }
    | undefined;
  #turned: Promise<void> = Promise.resolve();
  #asks: Ask[] = [];
  #isClosing = false;
  #isGone = false;

  /**
   * Starts a process and loads a model there.
   * @throws what loading throws, or the signal's reason; DeviceError TW4120 where the process ends before the model is there
   */
  static async start(
    options: SentOptions,
    listener: CoreListener,
    {
      onProgress = () => {},
      signal,
    }: Undefinable<Pick<EngineOptions, "onProgress" | "signal">> = {},
  ): Promise<{ readonly core: CoreProcess; readonly info: ModelInfo }> {
    signal?.throwIfAborted();
    const core = new CoreProcess(options, listener, onProgress);
    const onAbort = () => core.#giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return { core, info: await core.#ready };
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  private constructor(
    options: SentOptions,
    listener: CoreListener,
    onProgress: (progress: LoadProgress) => void,
  ) {
    this.#listener = listener;
    this.#onProgress = onProgress;
    const entry = siblingEntry(import.meta.url, "./child");
    this.#process = fork(fileURLToPath(entry), {
      execArgv: [...loaderFor(entry)],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#ready.catch(() => {}); // whoever starts the process hears of it
    this.#exited = new Promise((resolve) => this.#process.once("close", () => resolve()));
    this.#process.on("message", (message: FromCore) => this.#hear(message));
    this.#process.on("error", (error) => this.#end(error.message));
    this.#process.on("exit", (code, signal) => this.#end(signal ?? `code ${code}`));
    this.#send({ kind: "load", options });
  }

  get stats(): CoreStats {
    return this.#stats;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** @throws RequestError TW4121 for a rule that is a function, which no message can carry */
  add(request: NewRequest): void {
    if (request.params.allowedTokens !== undefined) {
      throw new RequestError({
        code: "TW4121",
        message: "a rule over tokens cannot be sent to another process",
        seen: "allowedTokens",
        expected: "a request without it, as the core is a process of its own",
        remedy: "load the engine without coreProcess",
      });
    }
    const promptIds = Int32Array.from(request.promptIds);
    this.#ask({ kind: "add", request: { ...request, promptIds } });
  }

  abort(key: number): void {
    this.#ask({ kind: "abort", key });
  }

  resetPrefixCache(): void {
    this.#ask({ kind: "reset" });
  }

  async sleep(level: SleepLevel): Promise<SleepReport> {
    const report = await this.#turn({ kind: "sleep", level });
    return report ?? { freedBytes: 0, hostBytes: 0 };
  }

  async wake(): Promise<void> {
    await this.#turn({ kind: "wake" });
  }

  /** One after another; rejects where the process ends before it answers. */
  #turn(message: ToCore): Promise<SleepReport | undefined> {
    const answer = this.#turned.then(
      () =>
        new Promise<SleepReport | undefined>((resolve, reject) => {
          if (this.#isGone) reject(ended("before it was asked"));
          this.#answer = { resolve, reject };
          this.#flush();
          this.#send(message);
        }),
    );
    this.#turned = answer.then(
      () => {},
      () => {},
    );
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#flush();
    this.#send({ kind: "close" });
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), CLOSE_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Nobody waits for the model any more. */
  #giveUp(reason: unknown): void {
    this.#isClosing = true;
    this.#process.kill("SIGKILL");
    void this.#exited.then(() => this.#settle?.reject(reason));
  }

  /** What comes in one turn of the event loop goes in one message. */
  #ask(ask: Ask): void {
    if (this.#asks.length === 0) setImmediate(() => this.#flush());
    this.#asks.push(ask);
  }

  #flush(): void {
    const asks = this.#asks;
    this.#asks = [];
    if (asks.length > 0) this.#send({ kind: "asks", asks });
  }

  #send(message: ToCore): void {
    if (!this.#process.connected) return; // its end is told by the exit event
    this.#process.send(message, (error) => {
      if (error !== null) this.#end(error.message);
    });
  }

  #hear(message: FromCore): void {
    switch (message.kind) {
      case "progress":
        this.#onProgress(message.progress);
        return;
      case "ready":
        this.#stats = message.stats;
        this.#settle?.resolve(message.info);
        return;
      case "refused":
        this.#settle?.reject(unpackError(message.error));
        return;
      case "step": {
        const report = unpackReport(message.report);
        this.#stats = report.stats;
        if (!this.#isGone) this.#listener.report(report);
        return;
      }
      case "turned":
        if (message.error === undefined) this.#answer?.resolve(message.report);
        else this.#answer?.reject(unpackError(message.error));
        return;
      case "failed":
        this.#fail(unpackError(message.error));
        return;
      default:
        message satisfies never;
    }
  }

  #end(how: string): void {
    const error = ended(how);
    if (!this.#isClosing) this.#settle?.reject(error);
    this.#fail(error);
  }

  /** Once; an end that was asked for is none. */
  #fail(error: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#answer?.reject(error);
    this.#stats = { ...this.#stats, numRunning: 0, numWaiting: 0 };
    if (!this.#isClosing) this.#listener.fail(error);
  }
}

function ended(how: string): DeviceError {
  return new DeviceError({
    code: "TW4120",
    message: "the process of the engine core has ended",
    seen: how,
    expected: "a process that lives as long as the server",
    remedy: "see its last words on standard error; requests that were lost can be sent again",
  });
}
