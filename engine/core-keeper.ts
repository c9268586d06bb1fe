/** [engine] Keeps a core for an engine: starts another in the place of one that ended, sends it to sleep and wakes it. Knows no requests. */
import { setTimeout as delay } from "node:timers/promises";
import type { CoreLink, CoreListener, CoreReport } from "./core-link.ts";
import type { SleepLevel, SleepReport } from "./sleeping-model.ts";

/** Connects an engine with its core. */
export type Connect = (listener: CoreListener) => CoreLink;
/** Starts another core in the place of one that ended. */
export type Restart = (listener: CoreListener, signal: AbortSignal) => Promise<CoreLink>;

/** A core that ends more often than so within that time stays down; so does one that cannot be started more often than so. */
const MOST_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 250;

export interface KeeperListener {
  readonly report: (report: CoreReport) => void;
  /** The core has ended and all requests in it are lost. */
  readonly lost: (error: Error) => void;
}

export class CoreKeeper {
  readonly #listener: CoreListener;
  readonly #restart: Restart | undefined;
  readonly #closing = new AbortController();
  readonly #onLost: (error: Error) => void;
  #core: CoreLink;
  /** Times at which cores ended of themselves. */
  readonly #ends: number[] = [];
  #restarting: Promise<void> | undefined;
  #failure: Error | undefined;
  #sleepLevel: SleepLevel | undefined;

  constructor(connect: Connect, restart: Restart | undefined, listener: KeeperListener) {
    this.#restart = restart;
    this.#onLost = listener.lost;
    this.#listener = { report: listener.report, fail: (error) => this.#coreFailed(error) };
    this.#core = connect(this.#listener);
  }

  get core(): CoreLink {
    return this.#core;
  }

  /** Why there is no core, and will be none. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get isRestarting(): boolean {
    return this.#restarting !== undefined;
  }

  /** Undefined while it is awake; one that is started again is. */
  get sleepLevel(): SleepLevel | undefined {
    return this.#sleepLevel;
  }

  /** No request may be open. */
  async sleep(level: SleepLevel): Promise<SleepReport> {
    const core = this.#core;
    const report = await core.sleep(level);
    if (core === this.#core && !this.isRestarting) this.#sleepLevel = level;
    return report;
  }

  /** @throws what the device throws where there is no room; the core sleeps on */
  async wake(): Promise<void> {
    const core = this.#core;
    await core.wake();
    if (core === this.#core) this.#sleepLevel = undefined;
  }

  /** A core that is being started is given up. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restarting;
    await this.#core.close();
  }

  #coreFailed(error: Error): void {
    this.#sleepLevel = undefined;
    this.#onLost(error);
    const now = performance.now();
    this.#ends.push(now);
    const recent = this.#ends.filter((end) => now - end < RESTART_WINDOW_MS).length;
    if (this.#restart === undefined || recent > MOST_RESTARTS) this.#failure = error;
    else this.#restarting ??= this.#startAgain(this.#restart);
  }

  async #startAgain(restart: Restart): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#core.close(); // until it is gone its memory is not free
        this.#core = await restart(this.#listener, signal);
        break;
      } catch (error) {
        if (signal.aborted) break;
        if (attempt === MOST_RESTARTS) {
          this.#failure = error instanceof Error ? error : new Error(String(error));
          break;
        }
        await delay(FIRST_PAUSE_MS * 4 ** attempt, undefined, { signal }).catch(() => {});
      }
    }
    this.#restarting = undefined;
  }
}
