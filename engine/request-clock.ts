/** [engine] When what happened to one request, as the engine saw it: readers that are slow change nothing. No metrics, no spans. */
import type { CoreTiming } from "./core-link.ts";

/** Times are milliseconds of `performance.now()`. Filled in while the request runs; given to `generate` by whoever wants to know. */
export class RequestClock {
  readonly arrival = performance.now();
  /** How long it waited and how long its prompt took; absent before its first token. */
  core: CoreTiming | undefined;
  firstToken: number | undefined;
  lastToken: number | undefined;
  /** Steps that brought it tokens. */
  numSteps = 0;
  end: number | undefined;

  noteTokens(core: CoreTiming | undefined): void {
    const now = performance.now();
    this.core = core ?? this.core;
    this.firstToken ??= now;
    this.lastToken = now;
    this.numSteps++;
  }

  noteEnd(): void {
    this.end ??= performance.now();
  }
}
