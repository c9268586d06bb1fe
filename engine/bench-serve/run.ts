/** [engine/bench-serve] Sends the requests of a load test: at a rate, and no more at once than allowed. */
import { setTimeout as delay } from "node:timers/promises";
import { type Outcome, runRequest, type Target } from "./client.ts";
import { arrivalGaps, type DatasetOptions, makeRequests } from "./dataset.ts";
import { type Goals, type LoadReport, makeReport } from "./report.ts";

export interface LoadOptions extends DatasetOptions {
  readonly target: Target;
  /** Requests a second, as a Poisson process; Infinity sends all at once. */
  readonly rate: number;
  /** Most in flight. */
  readonly concurrency: number;
  readonly goals: Goals;
}

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { target, rate, concurrency, seed, goals } = options;
  const requests = makeRequests(options);
  const gaps = arrivalGaps(requests.length, rate, seed);
  const outcomes: Outcome[] = [];
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const running: Promise<void>[] = [];
  const start = performance.now();
  let due = start;
  for (const [i, request] of requests.entries()) {
    due += 1000 * (gaps[i] ?? 0);
    const early = due - performance.now();
    if (early > 0) await delay(early);
    if (inFlight >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight++;
    running.push(
      runRequest(target, request).then((outcome) => {
        outcomes.push(outcome);
        inFlight--;
        waiting.shift()?.();
      }),
    );
  }
  await Promise.all(running);
  return makeReport(outcomes, (performance.now() - start) / 1000, goals);
}
